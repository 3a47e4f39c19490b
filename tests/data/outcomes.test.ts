import { afterAll, describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/core/store/counts.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeAt } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';
import { healthRows } from './support/health-rows.ts';

const hour = 3_600_000;

describe.each(databases)('counts on $name', (database) => {
  let store: Store;
  let address: string;
  const fresh = async (): Promise<Store> => {
    await store?.close();
    address = await database.createMigrated();
    store = await storeAt(address);
    return store;
  };
  const outcome = (parts: Partial<Outcome>): Outcome => ({
    projectId: 1,
    atMs: startMs + 5,
    outcome: 'client_discard',
    reason: 'before_send',
    category: 'error',
    quantity: 1,
    ...parts,
  });
  afterAll(() => store?.close());

  it('add up by hour, reason and category', async () => {
    await fresh();
    await store.recordEvent(eventOf());
    await store.addOutcomes([
      outcome({ quantity: 3 }),
      outcome({ quantity: 4 }),
      outcome({ category: 'session' }),
      outcome({ atMs: startMs + hour }),
      outcome({ projectId: 2 }),
      outcome({ outcome: 'rate_limited', reason: 'key_quota' }),
    ]);
    const row = (name: string, reason: string, category: string, quantity: number, atMs = startMs) => ({
      atMs,
      outcome: name,
      reason,
      category,
      quantity,
    });
    expect(await store.listOutcomes(1, startMs, startMs + 2 * hour)).toEqual([
      row('accepted', '', 'error', 1),
      row('client_discard', 'before_send', 'error', 7),
      row('client_discard', 'before_send', 'session', 1),
      row('rate_limited', 'key_quota', 'error', 1),
      row('client_discard', 'before_send', 'error', 1, startMs + hour),
    ]);
    expect(await store.listOutcomes(1, startMs + hour, startMs + 2 * hour)).toHaveLength(1);
  });

  it('are complete when clients invent reasons', async () => {
    await fresh();
    const invented = Array.from({ length: 300 }, (_, index) => outcome({ reason: `r${index}`.repeat(40) }));
    await store.addOutcomes(invented);
    const rows = await store.listOutcomes(1, startMs, startMs + hour);
    expect(rows.length).toBeLessThanOrEqual(201);
    expect(rows.reduce((sum, row) => sum + row.quantity, 0)).toBe(300);
    expect(Math.max(...rows.map((row) => row.reason.length))).toBe(64);
  });

  it('sum the health of a release by environment and hour', async () => {
    await fresh();
    const counts = {
      projectId: 1,
      id: null,
      release: '1.0',
      environment: 'live',
      exited: 0,
      errored: 0,
      crashed: 0,
      abnormal: 0,
    };
    await store.addSessions([
      { ...counts, atMs: startMs, sessions: 10, crashed: 1 },
      { ...counts, atMs: startMs, sessions: 5, exited: 2 },
      { ...counts, atMs: startMs + hour, sessions: 5 },
      { ...counts, atMs: startMs, environment: 'test', sessions: 7, errored: 3 },
      { ...counts, atMs: startMs, release: '2.0', sessions: 100 },
    ]);
    const hourMs = startMs - (startMs % hour);
    const none = { exited: 0, errored: 0, crashed: 0, abnormal: 0 };
    const first = { ...none, release: '1.0', hour_ms: hourMs };
    expect(await healthRows(address)).toEqual([
      { ...first, environment: 'live', sessions: 15, exited: 2, crashed: 1 },
      { ...first, environment: 'live', sessions: 5, hour_ms: hourMs + hour },
      { ...first, environment: 'test', sessions: 7, errored: 3 },
      { ...first, release: '2.0', environment: 'live', sessions: 100 },
    ]);
  });

  it('include SDK names', async () => {
    await fresh();
    await store.recordEvent(eventOf({ id: 'a', second: 1 }));
    await store.recordEvent(eventOf({ id: 'b', second: 3, domain: 'blog.example' }));
    await store.recordEvent(eventOf({ id: 'c', second: 2, sdkName: null, sdkVersion: null, domain: null }));
    await store.recordEvent(eventOf({ id: 'b', second: 9 }));
    const kit = { sdkName: 'sentry.javascript.browser', sdkVersion: '10.1.0' };
    for (const second of [4, 5]) {
      await store.countVerification({
        ...kit,
        projectId: 1,
        domain: 'shop.example',
        atMs: startMs + second * 1000,
      });
    }
    expect(await store.projectStatistics(1, startMs + hour)).toEqual({
      eventsTotal: 3,
      verifications: 2,
      firstEventAtMs: startMs + 1000,
      lastEventAtMs: startMs + 3000,
      lastEventId: eventIdOf('b'),
      events24h: 3,
      issuesOpen: 1,
      sdks: [
        {
          name: kit.sdkName,
          version: kit.sdkVersion,
          events: 2,
          firstSeenMs: startMs + 1000,
          lastSeenMs: startMs + 5000,
        },
        { name: '', version: '', events: 1, firstSeenMs: startMs + 2000, lastSeenMs: startMs + 2000 },
      ],
    });
    expect(await store.projectStatistics(1, startMs + 24 * hour)).toMatchObject({
      events24h: 0,
      eventsTotal: 3,
    });
    expect(await store.projectStatistics(2, startMs)).toMatchObject({ eventsTotal: 0, lastEventId: null });
  });

  it('include every event when SDKs invent names', async () => {
    await fresh();
    await Promise.all(
      Array.from({ length: 600 }, (_, index) => store.recordEvent(eventOf({ sdkName: `kit ${index}` }))),
    );
    const { eventsTotal, sdks } = await store.projectStatistics(1, startMs);
    expect(eventsTotal).toBe(600);
    expect(sdks.length).toBeLessThanOrEqual(501);
  });
});
