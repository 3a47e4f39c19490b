import { expect, it } from '@jest/globals';
import type { MonitorChangeRequest } from '../../../../schemas/monitors.ts';
import { commandLineSource } from '../../../../src/core/audit/audit.ts';
import { checkMonitor } from '../../../../src/core/monitors/check-monitor.ts';
import { createMonitor, updateMonitor } from '../../../../src/core/monitors/monitors.ts';
import { receiveCheckIn } from '../../../../src/core/monitors/receive-check-in.ts';
import { sharedApp } from '../../../support/shared.ts';

const at = (day: number, clock: string): number => Date.parse(`2026-11-${day}T${clock}Z`);
const [thursday, friday, monday, tuesday] = [19, 20, 23, 24];

const app = sharedApp();

async function changed(name: string, asked: MonitorChangeRequest) {
  let nowMs = at(thursday, '10:00:00');
  const deps = { ...app.deps, now: () => nowMs };
  const { store } = deps;
  // A job asks nobody.
  const looks = { checker: null as never, now: deps.now };
  const job = { type: 'cron', name, schedule: '0 9 * * 1-5', failure_issue_threshold: 2 } as const;
  const { monitor } = await createMonitor(deps, app.project.id, job, commandLineSource);
  const said = {
    id: null,
    slug: name,
    durationMs: null,
    environment: 'production',
    settings: null,
    settingsFault: null,
  };
  const sender = { by: commandLineSource, address: null };
  await receiveCheckIn(deps, app.project.id, { ...said, status: 'ok' }, nowMs, sender);
  nowMs = at(friday, '09:00:10');
  await receiveCheckIn(deps, app.project.id, { ...said, status: 'error' }, nowMs, sender);
  nowMs = at(monday, '08:59:30');
  const kept = await store.findMonitorRecord(monitor.id);
  if (kept === null) throw new Error('The job is gone.');
  await store.saveChecks([await checkMonitor(looks, kept)]);
  nowMs = at(monday, '09:00:30');
  const { monitor: after } = await updateMonitor(deps, app.project.id, monitor.id, asked, commandLineSource);
  nowMs = at(monday, '09:01:00');
  return { after, late: await checkMonitor(looks, after) };
}

it.each([
  ['its name', { name: 'Nightly' }],
  ['how long a run may take', { max_runtime: 20 }],
  ['its group and its goal', { group: 'Imports', goal: 99 }],
  ['the schedule to what it is', { schedule: '0 9 * * 1-5', timezone: 'UTC' }],
])('keeps its expected time after a change of %s', async (what, asked) => {
  const { after, late } = await changed(`job-${what.length}`, asked);
  expect(after.runs?.expectedAtMs).toBe(at(monday, '09:00:00'));
  expect(after.pendingTransition).toMatchObject({ state: 'down', count: 1 });
  expect([late.check?.code, late.status.state]).toEqual(['missed', 'down']);
});

it.each([
  ['schedule', { schedule: '30 9 * * 1-5' }, at(monday, '09:30:00')],
  ['zone', { timezone: 'Europe/Lisbon', schedule: '0 9 * * 1-5' }, at(tuesday, '09:00:00')],
])('gets a new expected time after a change of %s', async (what, asked, expectedAtMs) => {
  const { after } = await changed(`job-of-${what}`, asked);
  expect([after.runs?.expectedAtMs, after.pendingTransition]).toEqual([expectedAtMs, null]);
});
