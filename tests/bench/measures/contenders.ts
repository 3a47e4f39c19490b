// Who is measured, in turn in one run: the yardsticks beside our own server.
import { join } from 'node:path';
import { type LoopTurns, loopTurnsOf } from '../../support/loop-turns.ts';
import { metricsSettings } from '../../support/program.ts';
import { type Bench, median } from '../full/bench.ts';
import type { LoadResult, Requests, Target } from '../load/job.ts';
import { localTarget } from '../load/job.ts';
import { type BenchServer, benchKey, startServer } from '../servers.ts';

export interface Contender {
  readonly name: string;
  readonly target: Target;
  readonly requests: Requests;
  /** Null for a server that somebody else runs. */
  readonly server: BenchServer | null;
}

/** What a contender came to, round by round. */
export interface Rounds {
  readonly contender: Contender;
  readonly results: readonly LoadResult[];
  /** Of the server's processor, for a request. */
  readonly processorMicros: readonly number[];
  /** Of our own servers. */
  readonly turns: readonly LoopTurns[];
}

const connections = 32;
export const warmUpMs = 1_000;
/** V8 has made all it makes of our code after some thousand events, and threads are started once busy. */
export const ourWarmUpMs = 7_000;
const root = join(import.meta.dirname, '../../..');

/** Limits are on, with values that are not reached. */
const productSettings = {
  ...metricsSettings,
  RATE_LIMITS: 'on',
  RATE_LIMIT_EVENTS_PER_MINUTE: '1000000000',
  RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1000000000',
} as const;

/** Our server, everything on. */
export function startProduct(databaseUrl: string, env: Record<string, string> = {}): Promise<BenchServer> {
  return startServer(join(root, 'src/server.ts'), { ...productSettings, DATABASE_URL: databaseUrl, ...env });
}

/** A server of this folder that answers a constant. */
export function startYardstick(script: 'bare-http.ts' | 'bare-express.ts'): Promise<BenchServer> {
  return startServer(join(import.meta.dirname, '..', script));
}

export function contenderOf(name: string, server: BenchServer, requests: Requests): Contender {
  return { name, server, requests, target: localTarget(server.port, benchKey) };
}

/** Loads all in turn, round by round, so that a slow minute of the machine is everybody's. */
export async function inTurn(
  bench: Bench,
  contenders: readonly Contender[],
  perSecondOf?: (contender: Contender) => number,
): Promise<Rounds[]> {
  const { repeats, seconds } = bench.options;
  const rounds = contenders.map((contender) => ({
    contender,
    results: [] as LoadResult[],
    processorMicros: [] as number[],
    turns: [] as LoopTurns[],
  }));
  for (let round = 1; round <= repeats; round += 1) {
    for (const each of rounds) {
      await turnsOf(each.contender);
      const usedBefore = each.contender.server?.processorMs() ?? Number.NaN;
      const perSecond = perSecondOf?.(each.contender);
      const result = await loadOnce(bench, each.contender, seconds * 1000, perSecond);
      const usedMs = (each.contender.server?.processorMs() ?? Number.NaN) - usedBefore;
      const turns = await turnsOf(each.contender);
      if (turns !== null) each.turns.push(turns);
      each.results.push(result);
      each.processorMicros.push((usedMs * 1000) / result.requests);
      bench.progress(`round ${round} of ${repeats}  ${said(each.contender, result)}`, seconds);
    }
  }
  return rounds;
}

/** Since they were asked for last; null for whose server says nothing. */
async function turnsOf({ server }: Contender): Promise<LoopTurns | null> {
  return server === null ? null : loopTurnsOf(`http://127.0.0.1:${server.port}`);
}

export function loadOnce(
  { generator }: Bench,
  { target, requests }: Contender,
  milliseconds: number,
  perSecond?: number,
): Promise<LoadResult> {
  const job = { target, requests, connections, milliseconds };
  return generator.run(perSecond === undefined ? job : { ...job, perSecond });
}

function said({ name, requests }: Contender, { perSecond, p99Ms }: LoadResult): string {
  const body = `${requests.kilobytes} KB ${requests.encoding}`;
  return `${body}  ${name.padEnd(22)} ${perSecond.toFixed(0).padStart(6)}/s, p99 ${p99Ms.toFixed(1)} ms`;
}

/** The median of a figure over the rounds. */
export function middle(rounds: Rounds, figure: (result: LoadResult) => number): number {
  return median(rounds.results.map(figure));
}

/** What was answered in all rounds together, such as `201×4000`. */
export function statusesOf(rounds: Rounds): string {
  const all: Record<string, number> = {};
  for (const { statuses } of rounds.results) {
    for (const [status, count] of Object.entries(statuses)) all[status] = (all[status] ?? 0) + count;
  }
  return Object.entries(all)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
}
