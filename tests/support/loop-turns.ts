// How long the turns of a server's event loop are while it is under load (F22 of docs/faults.md).
import { metricsHeaders } from './program.ts';

export interface LoopTurns {
  /** Of a hundred samples, one every 10 ms, the longest but one: what it holds is those 10 and the delay. */
  readonly p99Ms: number;
  readonly longestMs: number;
}

/**
 * The turns of the main thread since they were last asked for, as the metrics of a server with
 * `metricsSettings` say; null where it is no server of ours.
 */
export async function loopTurnsOf(origin: string): Promise<LoopTurns | null> {
  const text = await (await fetch(`${origin}/metrics`, { headers: metricsHeaders })).text();
  const milliseconds = (which: string): number =>
    Number(new RegExp(`^nodejs_eventloop_lag_${which}_seconds (\\S+)$`, 'm').exec(text)?.[1]) * 1_000;
  const turns = { p99Ms: milliseconds('p99'), longestMs: milliseconds('max') };
  return Number.isNaN(turns.longestMs) ? null : turns;
}

/** A sample is one timer of this many milliseconds: what it says beyond them is the lag of the loop. */
const sampleMs = 10;

/** Such as `turns p99 12 ms, longest 31 ms (lag 2 and 21)`; says so where they are not known. */
export function saidTurns(turns: LoopTurns | null): string {
  if (turns === null) return 'turns not told';
  const { p99Ms, longestMs } = turns;
  const lag = (turnMs: number): string => Math.max(0, turnMs - sampleMs).toFixed(0);
  const said = `turns p99 ${p99Ms.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`;
  return `${said} (lag ${lag(p99Ms)} and ${lag(longestMs)})`;
}
