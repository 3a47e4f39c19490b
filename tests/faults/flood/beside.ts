// A flood beside a server: what it says, what the server took for it, and what the file holds afterwards.
import { execFileSync, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type LoopTurns, loopTurnsOf } from '../../support/loop-turns.ts';
import { metricsSettings, type RunningProgram } from '../../support/program.ts';
import { residentMiB } from '../../support/resident.ts';
import { eventIdOf, type FloodJob, type FloodResult } from './job.ts';

export const key = 'flood-public-1';

/** What a server is started with so that it can be flooded. */
export function settings(file: string): Record<string, string> {
  return {
    ...metricsSettings,
    DATABASE_URL: `sqlite:${file}`,
    NOTIFIER_PUBLIC_KEY: key,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  };
}

interface Figures extends FloodResult {
  /** Of the server: processor time, and the most memory that it had. */
  readonly processorSeconds: number;
  readonly residentMegabytesMax: number;
  readonly turns: LoopTurns;
}

export interface Flood {
  run(job: Pick<FloodJob, 'milliseconds' | 'connections' | 'perSecond' | 'largeEvery'>): Promise<Figures>;
  /** Of the server, now: resident memory in MiB, and files that it has open. */
  memory(): number;
  openFiles(): number;
  /** Of all that was answered 201: what is not in the file, and what its issues count together. */
  ledger(): { accepted: number; lost: number; stored: number; counted: number };
  end(): void;
}

/** Floods `program`, whose database is `file`, from a process that is held to `core`; null: to none. */
export function floodBeside(program: RunningProgram, file: string, core: number | null): Flood {
  const pid = program.process.pid as number;
  const child = fork(join(import.meta.dirname, 'process.ts'), { serialization: 'advanced', execArgv: [] });
  if (core !== null) {
    execFileSync('taskset', ['-a', '-cp', String(core), String(child.pid)], { stdio: 'ignore' });
  }
  const accepted: string[] = [];
  let jobs = 0;
  return {
    async run(job) {
      const idsBegin = (0xf1000000 + jobs).toString(16);
      jobs += 1;
      let residentMegabytesMax = 0;
      const watch = setInterval(() => {
        residentMegabytesMax = Math.max(residentMegabytesMax, residentMiB(pid));
      }, 100);
      await loopTurnsOf(program.origin);
      const before = processorSecondsOf(pid);
      const answer = new Promise<{ result: FloodResult } | { problem: string }>((resolve) => {
        child.once('message', resolve as (message: unknown) => void);
      });
      const { port } = new URL(program.origin);
      child.send({ ...job, host: '127.0.0.1', port: Number(port), key, idsBegin } satisfies FloodJob);
      const said = await answer;
      clearInterval(watch);
      if ('problem' in said) throw new Error(said.problem);
      for (const serial of said.result.accepted) accepted.push(eventIdOf(idsBegin, serial));
      const processorSeconds = processorSecondsOf(pid) - before;
      const turns = await loopTurnsOf(program.origin);
      if (turns === null) throw new Error('the server does not say how long its turns are');
      return { ...said.result, processorSeconds, residentMegabytesMax, turns };
    },
    memory: () => residentMiB(pid),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    ledger: () => ledgerOf(file, accepted),
    end: () => child.disconnect(),
  };
}

/** User's and system's, which Linux counts in hundredths. */
function processorSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '';
  const fields = stat.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function ledgerOf(file: string, accepted: readonly string[]) {
  const database = new Database(file, { readonly: true });
  try {
    const number = (sql: string): number => (database.prepare(sql).pluck().get() as number | null) ?? 0;
    const find = database.prepare('SELECT count(*) FROM events WHERE event_id = ?').pluck();
    return {
      accepted: accepted.length,
      lost: accepted.filter((id) => find.get(id) !== 1).length,
      stored: number('SELECT count(*) FROM events'),
      counted: number('SELECT sum(events_count) FROM issues'),
    };
  } finally {
    database.close();
  }
}
