import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Log } from '../../../src/core/ports/log.ts';
import { startRetention } from '../../../src/core/retention/retention.ts';
import { retentionStateSetting } from '../../../src/core/store/setting-names.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

const dayMs = 86_400_000;

describe('runs of retention', () => {
  let logged: string[];
  const app = forEachTest(() =>
    openTestApp({ env: { RETENTION_DAYS: '30', RETENTION_EVENTS_PER_PROJECT: '0' } }),
  );
  beforeEach(async () => {
    logged = [];
    const event = { message: 'the cart is gone', platform: 'php' };
    expect(await app.post('/envelope', { events: Array.from({ length: 120 }, () => event) })).toHaveStatus(
      201,
    );
    app.advance(100 * dayMs);
  });

  function start(deps: Partial<TestApp['deps']> = {}, rest?: Parameters<typeof startRetention>[1]) {
    const note = (fields: object, message: string): void =>
      void logged.push(`${message} ${JSON.stringify(fields)}`);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    return startRetention({ ...app.deps, ...deps, log }, rest);
  }

  it('logs at the start what it would delete, deletes nothing, and logs deletions once allowed', async () => {
    const first = start();
    await until(() => logged.length > 0);
    await first.stop();
    expect(logged).toEqual([
      expect.stringMatching(
        /^retention is on hold: .*"why":"first","events":19,"projects":1,"begins":"2027-03-08T12:00:00/,
      ),
    ]);
    expect(await app.deps.store.countStoredEvents(app.project.id)).toBe(120);
    const state = JSON.parse((await app.deps.store.findSetting(retentionStateSetting)) ?? '');
    const waited = JSON.stringify({ ...state, waitedMs: 7 * dayMs });
    await app.deps.store.setSetting(retentionStateSetting, waited);
    logged = [];
    const second = start();
    await until(() => logged.length > 0);
    await second.stop();
    expect(logged).toEqual([
      expect.stringMatching(/^retention deleted events \{"events":19,"bytes":\d+,"projects":1\}/),
    ]);
    expect(app.deps.measures?.read().counters.retentionRemoved).toEqual([[['events'], 19]]);
    expect(await app.deps.store.countStoredEvents(app.project.id)).toBe(101);
  });

  it('repeat after ten minutes, after an hour while deletion is off, and at once when woken', async () => {
    const rests: number[] = [];
    const rest: Parameters<typeof startRetention>[1] = (milliseconds, { signal }) => {
      rests.push(milliseconds);
      return once(signal, 'abort');
    };
    const held = start({}, rest);
    await until(() => rests.length === 1);
    held.wake();
    await until(() => rests.length === 2);
    await held.stop();
    const nothingGoes = { ...app.deps.config, retention: { days: 0, events: 5000, bytes: 0 } };
    const free = start({ config: nothingGoes }, rest);
    await until(() => rests.length === 3);
    await free.stop();
    expect(rests.map((milliseconds) => milliseconds / 60_000)).toEqual([60, 60, 10]);
  });

  inFull(it)('log a failed run and go on until stopped', async () => {
    const { store } = app.deps;
    const retention = start({ store: { ...store, listProjects: () => Promise.reject(new Error('gone')) } });
    await until(() => logged.length > 0);
    await retention.stop();
    expect(logged).toEqual(['retention failed {"error":"Error: gone"}']);
  });
});
