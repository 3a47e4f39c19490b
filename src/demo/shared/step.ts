// What every part of the demo is handed, and what it hands back: steps in time. No texts here.
import type { Deps } from '../../core/deps.ts';
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import type { Member } from '../../core/store/members.ts';
import type { KeyKind, Project } from '../../core/store/projects.ts';
import type { Colleague, Slug } from './company.ts';
import type { Dice } from './dice.ts';

export interface World {
  /** The program's own rules on the real store; their clock is that of the step being taken. */
  readonly deps: Deps;
  /** The same with true chance, for what opens something: keys, links, sessions. */
  readonly drawing: Deps;
  /** The present: what the last steps come up to. */
  readonly nowMs: number;
  readonly projects: Readonly<Record<Slug, Project>>;
  /** The keys of each project as somebody would be handed them today; turned as steps turn them. */
  readonly keys: Readonly<Record<Slug, Record<KeyKind, string>>>;
  /** What went into production, in order of time. */
  readonly shipped: readonly Shipped[];
  /** Dice for a part, by its name. */
  dice(name: string): Dice;
  /** Who works there; filled as they join. */
  readonly members: Map<Colleague, Member>;
  /** Issues by the key of what they were made from; filled as events are filed. */
  readonly issueIds: Map<string, number>;
  /** Ids of events by the key of their issue, in the order in which they were filed. */
  readonly eventIds: Map<string, string[]>;
}

/** Something that happens at a moment. */
export interface Step {
  readonly atMs: number;
  /** What alerts say of it may be made together with that of its neighbours that say so too. */
  readonly isBatched?: true;
  take(): Promise<unknown>;
}

/** A release that went into production at a moment, for the first time or again. */
export interface Shipped {
  readonly slug: Slug;
  readonly version: string;
  readonly atMs: number;
}

/** Since so many minutes before now card payments fail: what all of it leads to. */
export const troubleMinutes = 132;

/** The moment so many days, hours and minutes before now. */
export function ago(nowMs: number, days: number, hours = 0, minutes = 0): number {
  return Math.round(nowMs - days * dayMs - hours * hourMs - minutes * minuteMs);
}

/** The version that ran in production at a moment; null before the first. */
export function versionAt(shipped: readonly Shipped[], slug: Slug, atMs: number): string | null {
  return shipped.findLast((each) => each.slug === slug && each.atMs <= atMs)?.version ?? null;
}

/** A moment as the API takes it. */
export function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
