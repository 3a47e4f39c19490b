// Event loop lag of a server under load (F22 of docs/durability.md).
import { metricsHeaders } from './program.ts';

export interface LoopTurns {
  /** Includes the sampling interval of 10 ms. */
  readonly p99Ms: number;
  readonly longestMs: number;
}

/** From /metrics, since the last scrape; null for other servers. Needs `metricsSettings`. */
export async function loopTurnsOf(origin: string): Promise<LoopTurns | null> {
  const text = await (await fetch(`${origin}/metrics`, { headers: metricsHeaders })).text();
  const milliseconds = (which: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${which}_seconds (\\S+)$`, 'm').exec(text)?.[1]) * 1_000;
  const turns = { p99Ms: milliseconds('p99'), longestMs: milliseconds('max') };
  return Number.isNaN(turns.longestMs) ? null : turns;
}

/** Sampling interval: durations minus this are the lag. */
const sampleMs = 10;

/** Like `turns p99 12 ms, longest 31 ms (lag 2 and 21)`. */
export function saidTurns(turns: LoopTurns | null): string {
  if (turns === null) return 'turns not told';
  const { p99Ms, longestMs } = turns;
  const lag = (turnMs: number): string => Math.max(0, turnMs - sampleMs).toFixed(0);
  const said = `turns p99 ${p99Ms.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`;
  return `${said} (lag ${lag(p99Ms)} and ${lag(longestMs)})`;
}
