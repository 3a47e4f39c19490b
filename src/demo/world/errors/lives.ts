// When each issue lives: its first event, the spans in which events come, when it comes back. Pure; what is
// done about it is in acts.ts, how many events come, in hours.ts.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import { momentOf, weekMs, weekOf, weekStartMs } from '../calendar.ts';
import { between } from '../chance.ts';
import { shopWeb, type Trouble } from '../story.ts';
import type { Plan } from './plans.ts';
import type { Production } from './production.ts';

/** The day that plans are told from. */
export const beganAtMs = Date.UTC(2026, 10, 21);
const beganWeek = weekOf(beganAtMs);

/** An issue that came back is worked on for so long, and quiet for as long until it comes back again. */
const worksMs = 9 * dayMs;
const returnsWeeks = 2;
/** A fault that was mended happens again when nobody remembers it. */
const forgottenWeeks = 26;

export interface Life {
  /** Tells one life of an issue from another. */
  readonly number: number;
  /** An event comes at each of these: the first of all, and whenever it comes back; none is to come yet. */
  readonly starts: readonly [number, ...number[]];
  /** Events come within these alone, in order; the last may go on for ever. */
  readonly spans: ReadonlyArray<readonly [fromMs: number, toMs: number]>;
}

/** What lives are told from. */
export interface LifeFacts {
  readonly seed: string;
  readonly nowMs: number;
  readonly trouble: Trouble;
  readonly production: Production;
}

/** The life of an issue that goes on, or is the last one, at a moment. */
export function lifeOf(plan: Plan, facts: LifeFacts): Life {
  const { nowMs, trouble, seed } = facts;
  switch (plan.lives) {
    case 'trouble':
      return endless(trouble.mark, trouble.firstEventAtMs);
    case 'weekly': {
      const own = momentOf(weekOf(nowMs), 4, 0, plan.minutes);
      const firstMs = own <= nowMs ? own : own - weekMs;
      return endless(weekOf(firstMs), firstMs);
    }
    case 'done': {
      const since = weekOf(nowMs) - (beganWeek - plan.weeks);
      const number = Math.floor(since / forgottenWeeks);
      const week = beganWeek - plan.weeks + number * forgottenWeeks;
      const firstMs = startOf(plan.id, seed, weekStartMs(week));
      // On the first day of its week it may not have happened yet again.
      if (firstMs > nowMs) {
        const before = startOf(plan.id, seed, weekStartMs(week - forgottenWeeks));
        return ended(number - 1, before, before + plan.days * dayMs);
      }
      return ended(number, firstMs, firstMs + plan.days * dayMs);
    }
    case 'returning':
      return returning(plan, facts);
    default:
      return endless(0, startOf(plan.id, seed, beganAtMs - plan.first * dayMs));
  }
}

/** Nothing of several issues happens in one moment. */
function startOf(id: number, seed: string, dayAtMs: number): number {
  return dayAtMs + between(7 * 60, 18 * 60, seed, 'start', id) * minuteMs + (id % 60) * 1000;
}

function endless(number: number, firstMs: number): Life {
  return { number, starts: [firstMs], spans: [[firstMs, Number.POSITIVE_INFINITY]] };
}

/** One that stops being seen some hours before it is resolved. */
function ended(number: number, firstMs: number, resolvedAtMs: number): Life {
  return { number, starts: [firstMs], spans: [[firstMs, resolvedAtMs - 2 * hourMs]] };
}

function returning(plan: Plan & { readonly lives: 'returning' }, facts: LifeFacts): Life {
  const firstMs = startOf(plan.id, facts.seed, beganAtMs - plan.first * dayMs);
  const starts: [number, ...number[]] = [firstMs];
  const spans: Array<readonly [number, number]> = [];
  let fromMs = firstMs;
  for (let week = firstReturn(firstMs); ; week += returnsWeeks) {
    const atMs = returnOf(plan, facts, week);
    if (resolvedBefore(atMs) - firstMs < 2 * dayMs) continue;
    spans.push([fromMs, resolvedBefore(atMs)]);
    if (atMs > facts.nowMs) return { number: 0, starts, spans };
    starts.push(atMs);
    fromMs = atMs;
  }
}

/** Weeks in which issues come back are those in which the shop releases. */
function firstReturn(firstMs: number): number {
  const week = weekOf(firstMs);
  return week - ((((week - beganWeek) % returnsWeeks) + returnsWeeks) % returnsWeeks);
}

function returnOf({ back }: Plan & { readonly lives: 'returning' }, facts: LifeFacts, week: number): number {
  if ('minutes' in back) return weekStartMs(week) + back.minutes * minuteMs;
  return facts.production.deployedAtMs(shopWeb, week) + back.afterRelease * minuteMs;
}

/** When an issue that comes back at a moment had been resolved. */
export function resolvedBefore(backAtMs: number): number {
  return backAtMs - returnsWeeks * weekMs + worksMs;
}
