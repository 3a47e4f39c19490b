// Five times what a server can do, for a minute: what it turns away is answered quickly and costs it little.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { saidTurns } from '../support/loop-turns.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { metricsHeaders, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isNightly } from '../support/test-level.ts';
import { unitCommand } from '../support/unit-command.ts';
import { until } from '../support/until.ts';
import { floodBeside, settings } from './flood/beside.ts';
import type { FloodResult } from './flood/job.ts';

/** Nine of ten are of 2 KB, one of 900. */
const largeEvery = 10;
const floodMs = isNightly ? 60_000 : 4_000;
const capacityMs = isNightly ? 10_000 : 2_000;
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

/** Of an answer: nothing but what is accepted or refused in our words, and nobody left without one. */
function otherStatuses({ statuses }: FloodResult): string[] {
  return Object.keys(statuses).filter((status) => !['201', '429'].includes(status));
}

describeWithPrograms('F10: a server on one core', ['taskset'], () => {
  it('at five times its capacity loses nothing that it accepted, and is calm afterwards', async () => {
    const file = join(folder.path, 'flooded.db');
    const program = await startProgram({ ...settings(file), OVERLOAD: 'on' }, { command });
    const { run, ...flooded } = floodBeside(program, file, 1);
    const steady = { connections: 32, perSecond: null, largeEvery };
    await run({ ...steady, milliseconds: capacityMs });
    const capacity = await run({ ...steady, milliseconds: capacityMs });
    const perSecond = Math.ceil((times * capacity.acceptedInTime * 1_000) / capacityMs);
    const flood = await run({ connections, perSecond, largeEvery, milliseconds: floodMs });
    const endedMs = performance.now();
    const shed = await metricOf(program.origin, /^notifier_events_total\{outcome="shed".*\} (\d+)$/m);
    await until(async () => (await metricOf(program.origin, /^notifier_overload_level (\d)$/m)) === 0);
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
    expect(otherStatuses(flood)).toEqual([]);
    expect(shed).toBeGreaterThan(0);
    expect(flood.statuses['429']).toBeGreaterThan(0);
    expect(ledger).toEqual({ ...ledger, lost: 0, counted: ledger.stored });
    if (isNightly) expect(flood.residentMegabytesMax).toBeLessThan(512);
  });
});

async function metricOf(origin: string, line: RegExp): Promise<number> {
  const answer = await fetch(`${origin}/metrics`, { headers: metricsHeaders });
  return Number(line.exec(await answer.text())?.[1] ?? 0);
}
