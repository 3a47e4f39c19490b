// When monitors of the demo were not well, and how one is turned by a check.
import { turnsOf } from '../../core/monitors/turns.ts';
import { hourMs, minuteMs } from '../../core/reading/spans.ts';
import type { KeptMonitor } from '../../core/store/monitors/monitoring.ts';
import type { Check } from '../../core/store/monitors/monitors.ts';
import { ago, troubleMinutes, type World } from '../shared/step.ts';
import { troublesOfOthers } from './of-others.ts';
import { troublesOfShop } from './of-shop.ts';
import type { PastTrouble } from './trouble.ts';

export const pastTroubles: readonly PastTrouble[] = [...troublesOfShop, ...troublesOfOthers];

/** A time in which a monitor was not well; without an end while that goes on. */
export interface Span {
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly fromMs: number;
  readonly toMs: number;
  readonly code: string;
  readonly reason: string;
}

/** Since so many minutes before now the search is slow. */
export const slowMinutes = 58;

/** Every time in which a monitor was not well. */
export function spansOf(nowMs: number): Span[] {
  const past = pastTroubles.map((each) => {
    const fromMs = ago(nowMs, each.days);
    const { monitor, kind, code } = each;
    return { monitor, kind, code, reason: reasonOf(each), fromMs, toMs: fromMs + upMinute(each) * minuteMs };
  });
  const toMs = Number.POSITIVE_INFINITY;
  return [
    ...past,
    {
      monitor: 'payments-gateway',
      kind: 'down',
      code: '502',
      reason: 'answers 502',
      fromMs: ago(nowMs, 0, 0, troubleMinutes),
      toMs,
    },
    {
      monitor: 'product-search',
      kind: 'degraded',
      code: '200',
      reason: 'takes longer than 1,000 ms',
      fromMs: ago(nowMs, 0, 0, slowMinutes),
      toMs,
    },
  ];
}

/** What a check of it says. */
export function reasonOf({ kind, code }: Pick<PastTrouble, 'kind' | 'code'>): string {
  if (kind === 'degraded') return 'takes longer than it should';
  return code === '' ? 'does not answer' : /^\d+$/.test(code) ? `answers ${code}` : `the run was ${code}`;
}

/** When the monitor was well again: before people said so. */
export function upMinute({ said, minutes }: PastTrouble): number {
  return (said.find(({ to }) => to === 'monitoring')?.minute ?? minutes) - 1;
}

/** A monitor as it is kept, by its slug. */
export async function monitorAt({ deps }: World, slug: string): Promise<KeptMonitor> {
  const found = await deps.store.findMonitor(slug);
  const kept = found === null ? null : await deps.store.findKeptMonitor(found.id);
  if (kept === null) throw new Error(`There is no monitor ${slug}.`);
  return kept;
}

/** Writes a check down that turns a monitor, as whoever asks it would. */
export async function turnMonitor(
  world: World,
  slug: string,
  check: Omit<Check, 'from'>,
  certificateEndsAtMs: number | null = null,
): Promise<void> {
  const monitor = await monitorAt(world, slug);
  const { atMs, result, message: reason } = check;
  const isSame = monitor.state === result;
  const stateSinceMs = isSame ? monitor.stateSinceMs : atMs;
  const standing = { state: result, stateSinceMs, reason, suspicion: null, countedToMs: atMs };
  await world.deps.store.saveChecks([
    {
      monitor,
      check: { ...check, from: '' },
      standing,
      // Its time is written at the end, all at once (history.ts).
      times: [],
      turns: turnsOf(monitor, standing, { isEnding: false }),
      certificateEndsAtMs: certificateEndsAtMs ?? monitor.certificateEndsAtMs,
      nextCheckAtMs: atMs + monitor.intervalMs,
      runs: monitor.runs,
    },
  ]);
}

/** When the planned work of now began, and when it ends. */
export function windowOf(nowMs: number) {
  return { fromMs: ago(nowMs, 0, 0, 65), toMs: nowMs + hourMs - 5 * minuteMs };
}
