import type { Deps } from '../../core/deps.ts';
import { dayMs, hourMs, minuteMs } from '../../core/parsing/durations.ts';
import type { Member } from '../../core/store/members.ts';
import type { KeyKind, Project } from '../../core/store/projects.ts';
import type { Colleague, Slug } from './company.ts';
import type { Random } from './random.ts';

export interface DemoContext {
  /** Services on the real store, with the clock of the current step. */
  readonly deps: Deps;
  /** The same with real randomness, for keys, links and sessions. */
  readonly drawing: Deps;
  /** Current time of the demo; all steps are before it. */
  readonly nowMs: number;
  readonly projects: Readonly<Record<Slug, Project>>;
  /** The current keys of each project; updated when keys are rotated. */
  readonly keys: Readonly<Record<Slug, Record<KeyKind, string>>>;
  readonly shipped: readonly ProductionDeploy[];
  random(name: string): Random;
  readonly members: Map<Colleague, Member>;
  readonly issueIds: Map<string, number>;
  /** Event ids by issue key, in the order of ingestion. */
  readonly eventIds: Map<string, string[]>;
}

export interface Step {
  readonly atMs: number;
  /** Alerts may be evaluated once for this step and its batched neighbours. */
  readonly isBatched?: true;
  run(): Promise<unknown>;
}

export interface ProductionDeploy {
  readonly slug: Slug;
  readonly version: string;
  readonly atMs: number;
}

/** Minutes since card payments began to fail. */
export const outageMinutes = 132;

export function timeAgoMs(nowMs: number, days: number, hours = 0, minutes = 0): number {
  return Math.round(nowMs - days * dayMs - hours * hourMs - minutes * minuteMs);
}

export function stepAgo(
  { nowMs }: DemoContext,
  { days = 0, hours = 0 }: { readonly days?: number; readonly hours?: number },
  run: Step['run'],
): Step {
  return { atMs: timeAgoMs(nowMs, days, hours), run };
}

/** The version in production at a time; null before the first. */
export function productionVersionAt(
  shipped: readonly ProductionDeploy[],
  slug: Slug,
  atMs: number,
): string | null {
  return shipped.findLast((each) => each.slug === slug && each.atMs <= atMs)?.version ?? null;
}

export function toIsoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
