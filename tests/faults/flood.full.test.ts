import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { saidTurns } from '../support/loop-turns.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { metricsHeaders, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isNightly } from '../support/test-level.ts';
import { unitCommand } from '../support/unit-command.ts';
import { until } from '../support/until.ts';
import { floodBeside, key, settings } from './flood/beside.ts';
import type { FloodResult } from './flood/job.ts';

const largeEvery = 10;
const floodMs = isNightly ? 60_000 : 3_000;
const capacityMs = isNightly ? 10_000 : 1_000;
const times = 5;
const connections = isNightly ? 1_000 : 400;

const command = ['taskset', '-c', '0', ...unitCommand()] as const;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

function share(part: number, whole: number): string {
  return (part / whole).toFixed(2);
}

function otherStatuses({ statuses }: FloodResult): string[] {
  return Object.keys(statuses).filter((status) => !['201', '429'].includes(status));
}

describeWithPrograms('a server on one core', ['taskset'], () => {
  it('at five times its capacity loses nothing that it accepted, and serves others', async () => {
    const file = join(folder.path, 'flooded.db');
    const env = { ...settings(file), OVERLOAD: 'on', TRUST_PROXY: '127.0.0.1' };
    const program = await startProgram(env, { command });
    const { run, ...flooded } = floodBeside(program, file, 1);
    const steady = { connections: 32, perSecond: null, largeEvery };
    await run({ ...steady, milliseconds: capacityMs });
    const capacity = await run({ ...steady, milliseconds: capacityMs });
    // A machine that was busy with other things meanwhile can do more than it showed.
    const perSecond = Math.max(
      Math.ceil((times * capacity.acceptedInTime * 1_000) / capacityMs),
      2 * connections,
    );
    const other = sendBeside(program.origin);
    const flood = await run({ connections, perSecond, largeEvery, milliseconds: floodMs });
    const ofOther = await other.end();
    const endedMs = performance.now();
    const refused = await metricOf(
      program.origin,
      /^notifier_requests_refused_total\{reason="waited"\} (\d+)$/m,
    );
    await until(async () => (await metricOf(program.origin, /^notifier_requests_waiting (\d+)$/m)) === 0);
    const calmSeconds = (performance.now() - endedMs) / 1_000;
    const after = await run({ ...steady, milliseconds: capacityMs });
    flooded.end();
    expect(await program.end()).toBe(0);
    const ledger = flooded.ledger();

    // By the processor's time, because a machine has other things to do.
    const perProcessor = ({ accepted, processorSeconds }: typeof flood): number =>
      accepted.length / processorSeconds;
    const usual = (perProcessor(capacity) + perProcessor(after)) / 2;
    process.stderr.write(
      `F10: ${flood.offered} offered in ${floodMs / 1_000} s (${share(flood.offered, (perSecond / times) * (floodMs / 1_000))} times the capacity of ${Math.round(perSecond / times)}/s, ` +
        `${flood.notOffered} more found no connection), ${flood.accepted.length} accepted, goodput ${share(flood.acceptedInTime / floodMs, capacity.acceptedInTime / capacityMs)} ` +
        `of capacity by the clock and ${share(perProcessor(flood), usual)} by the processor; accepted p99 ${flood.acceptedMs.p99.toFixed(0)} ms, ` +
        `turned away p50 ${flood.shedMs.p50.toFixed(0)} p99 ${flood.shedMs.p99.toFixed(0)} ms, memory at most ${flood.residentMegabytesMax.toFixed(0)} MiB, ${saidTurns(flood.turns)} (${saidTurns(after.turns)} at its capacity), ` +
        `calm after ${calmSeconds.toFixed(1)} s; ${ledger.lost} of ${ledger.accepted} accepted lost\n`,
    );
    expect([otherStatuses(flood), otherStatuses(after)]).toEqual([[], []]);
    expect(refused).toBeGreaterThan(0);
    // The flood leaves nothing behind. A machine that stands still for two seconds refuses a few, whatever came before.
    expect((after.statuses['429'] ?? 0) / after.offered).toBeLessThan(0.1);
    // Where 24 large bodies take this machine longer than the two seconds that anybody waits, whoever is next
    // in turn is refused as well, but less often; tests/http/server/admission.test.ts has the order itself.
    const taken = ofOther.filter((status) => status === 201);
    expect(ofOther.filter((status) => status !== 201 && status !== 429)).toEqual([]);
    expect(taken.length / ofOther.length).toBeGreaterThan(flood.accepted.length / flood.offered);
    if (isNightly) expect(taken).toEqual(ofOther);
    expect(ledger).toEqual({ ...ledger, lost: 0, counted: ledger.stored });
    if (isNightly) expect(flood.residentMegabytesMax).toBeLessThan(512);
  });
});

function sendBeside(origin: string): { end(): Promise<number[]> } {
  const answers: Array<Promise<number>> = [];
  const send = async (): Promise<number> => {
    const answer = await fetch(`${origin}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key, 'X-Forwarded-For': '198.51.100.7' },
      body: '{"message":"of another address"}',
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const timer = setInterval(() => answers.push(send()), 250);
  return {
    end() {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

async function metricOf(origin: string, line: RegExp): Promise<number> {
  const answer = await fetch(`${origin}/metrics`, { headers: metricsHeaders });
  return Number(line.exec(await answer.text())?.[1] ?? 0);
}
