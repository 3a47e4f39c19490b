import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/app/log.ts';
import { createMeter } from '../../src/app/metrics/meter.ts';
import { StoreBusyError } from '../../src/core/errors.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs } from './support/databases.ts';
import { eventOf } from './support/events.ts';

describe.each(databases)('a store on $name', (database) => {
  let store: Store;
  let meter = createMeter();
  const open = async (limits = {}): Promise<void> => {
    meter = createMeter();
    const url = await database.createMigrated();
    store = await openStore(url, { now: () => startMs, log: silentLog, limits, meter });
    await store.createProject({ name: 'shop', createdAtMs: startMs });
  };
  beforeEach(() => open());
  afterEach(() => store.close());
  const sumOf = (name: 'storeBusy' | 'storeErrors'): number =>
    meter.read().counters[name].reduce((sum, [, count]) => sum + count, 0);

  it('reports queued work, until there is none', async () => {
    expect(store.load()).toEqual({ waitingItems: 0, waitingBytes: 0, share: 0 });
    const sent = Array.from({ length: 40 }, () => store.recordEvent(eventOf()));
    const { waitingItems, waitingBytes, share } = store.load();
    expect(waitingItems).toBeGreaterThan(10);
    expect(waitingBytes).toBeGreaterThan(1_000);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(0.05);
    await Promise.all(sent);
    expect(store.load()).toEqual({ waitingItems: 0, waitingBytes: 0, share: 0 });
  });

  it('reports its fill by number or bytes, whichever is higher, and counts refusals', async () => {
    await store.close();
    await open({ waitingJobsMax: 20 });
    const sent = Array.from({ length: 60 }, () =>
      store.recordEvent(eventOf()).catch((error: unknown) => error),
    );
    expect(store.load().share).toBe(1);
    const refused = (await Promise.all(sent)).filter((answer) => answer instanceof StoreBusyError);
    expect(refused.length).toBeGreaterThan(0);
    expect([sumOf('storeBusy'), sumOf('storeErrors')]).toEqual([refused.length, 0]);
  });

  it('measures its commits', async () => {
    const commits = (): number =>
      meter.read().histograms.commitSeconds[0]?.[1].reduce((sum, count) => sum + count, 0) ?? 0;
    const before = commits();
    await store.recordEvent(eventOf());
    expect(commits()).toBeGreaterThan(before);
  });

  it('reports its file sizes where it has files', async () => {
    const { sqliteVersion, freeBytes, mainBytes, walBytes } = await store.figures();
    const sizes = [sqliteVersion, freeBytes, mainBytes, walBytes];
    if (database.name === 'PostgreSQL') return expect(sizes).toEqual([null, null, null, null]);
    expect(sqliteVersion).toMatch(/^3\.\d+\.\d+$/);
    for (const size of sizes.slice(1)) expect(size).toBeGreaterThan(4_096);
  });
});
