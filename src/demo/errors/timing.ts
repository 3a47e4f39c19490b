// When an issue of the demo world happens: within its life more often of late, by day more than by night and
// on weekdays more than at a weekend. Nothing here knows what happens.
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import type { Dice } from '../shared/dice.ts';
import { rhythmAt } from '../shared/rhythm.ts';
import { ago } from '../shared/step.ts';
import type { DemoIssue } from './issue.ts';

/** Jobs run at night too, but they have less to do. */
const jobsAtNight = 0.6;

/** Of what has gone on for long, so many of 100 events lie within the last five weeks. */
const ofLate = 92;
const lateMs = 34 * dayMs;

/** Of what would fall into the quiet time of an issue that came back, so many of 100 come after it. */
const afterReturn = 12;

/** Throws until the hour suits: one in three is enough at noon, one in forty at four. */
const triesMax = 40;

/** The moments of so many events, in order: the first and the last as the issue says, others between. */
export function timesOf(nowMs: number, issue: DemoIssue, count: number, dice: Dice): number[] {
  const firstMs = ago(nowMs, issue.first);
  const lastMs = ago(nowMs, 0, issue.last);
  if (count === 1) return [firstMs];
  const between = Array.from({ length: count - 2 }, () =>
    Math.round(timeBetween(firstMs, lastMs, issue, dice)),
  );
  const times = [firstMs, ...between, lastMs].map((atMs) => outOfQuiet(nowMs, issue, atMs, lastMs, dice));
  return times.sort((one, other) => one - other);
}

function timeBetween(firstMs: number, lastMs: number, issue: DemoIssue, dice: Dice): number {
  const isYoung = lastMs - firstMs < dayMs / 4;
  for (let tries = 1; ; tries += 1) {
    const isLate = lastMs - firstMs > lateMs && dice.percent(ofLate);
    const fromMs = isLate ? lastMs - lateMs : firstMs;
    // What began within hours grows quickly; what is old grows slowly.
    const atMs = fromMs + dice.next() ** (isYoung ? 0.6 : 0.72) * (lastMs - fromMs);
    const busy = issue.hasUsers === false ? Math.max(jobsAtNight, rhythmAt(atMs)) : rhythmAt(atMs);
    if (isYoung || tries === triesMax || dice.next() < busy) {
      return Math.min(lastMs - minuteMs / 2, Math.max(firstMs + minuteMs / 2, atMs));
    }
  }
}

/** One that was resolved was quiet until it came back. The hour of the day stays, so that the rhythm does. */
function outOfQuiet(nowMs: number, issue: DemoIssue, atMs: number, lastMs: number, dice: Dice): number {
  const { fate } = issue;
  if (fate.is !== 'regressed') return atMs;
  const firstMs = ago(nowMs, issue.first);
  const quietMs = ago(nowMs, fate.resolved) - hourMs;
  const backMs = ago(nowMs, fate.back);
  if (atMs <= quietMs || atMs >= backMs) return atMs;
  if (dice.percent(afterReturn)) return Math.round(backMs + dice.next() * (lastMs - backMs));
  const daysBefore = Math.ceil((atMs - quietMs) / dayMs);
  const daysMost = Math.floor((atMs - firstMs) / dayMs);
  return atMs - Math.min(daysMost, daysBefore + dice.between(0, 12)) * dayMs;
}
