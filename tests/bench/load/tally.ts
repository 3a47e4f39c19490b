// What the answers of one load come to.
import { performance } from 'node:perf_hooks';
import type { LoadResult } from './job.ts';

export interface Tally {
  answered(status: number | 'lost', milliseconds: number): void;
  result(): LoadResult;
}

/** Begins to count now. */
export function openTally(): Tally {
  const startedMs = performance.now();
  const usedBefore = process.cpuUsage();
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let lastMs = startedMs;
  let longestSilenceMs = 0;
  return {
    answered(status, milliseconds) {
      const nowMs = performance.now();
      longestSilenceMs = Math.max(longestSilenceMs, nowMs - lastMs);
      lastMs = nowMs;
      latencies.push(milliseconds);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    result() {
      const seconds = (performance.now() - startedMs) / 1000;
      const { user, system } = process.cpuUsage(usedBefore);
      const sorted = Float64Array.from(latencies).sort();
      return {
        requests: sorted.length,
        seconds,
        perSecond: sorted.length / seconds,
        p50Ms: shareOf(sorted, 0.5),
        p99Ms: shareOf(sorted, 0.99),
        maxMs: sorted.at(-1) ?? 0,
        longestSilenceMs,
        statuses,
        generatorShare: (user + system) / 1e6 / seconds,
      };
    },
  };
}

/** The value below which that share of a sorted list lies. */
function shareOf(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
