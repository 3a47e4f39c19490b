import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { silentLog } from '../../src/app/log.ts';
import { regroupResymbolicatedIssues } from '../../src/core/source-maps/resymbolicate-events.ts';
import { inFull, runs } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf, hashOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';
import { expectSearchText } from './support/search-text.ts';

const page = { limit: 100, offset: 0 };

describe.each(databases)('events that were symbolicated late on $name', (database) => {
  let made = 0;
  const { store, db } = storeAndDbForEachTest(database);
  beforeEach(() => {
    made = 0;
  });

  async function file(kind: string, user: string | null = null, more: Parameters<typeof eventOf>[0] = {}) {
    made += 1;
    const id = `late ${made}`;
    const event = eventOf({ id, kind, userHash: user, second: made, needsMapping: true, ...more });
    const { issueId } = await store.recordEvent(event);
    return { id, issueId };
  }

  /** What a look at the event finds: its key was `before` and is `kind` now. */
  async function map(id: string, before: string, kind: string): Promise<void> {
    const row = await db.get<{ id: number }>('SELECT id FROM events WHERE event_id = $1', [eventIdOf(id)]);
    await store.storeSymbolication(1, row?.id ?? 0, {
      payload: JSON.stringify({ message: kind }),
      needsMapping: false,
      awaits: [],
      regrouped: {
        grouping: eventOf({ kind }).grouping,
        title: `TypeError: ${kind}`,
        culprit: `${kind} (src/cart.ts)`,
        hashBefore: hashOf(before),
      },
    });
  }

  const regroup = (isOver = () => false): Promise<void> =>
    regroupResymbolicatedIssues({ store, log: silentLog, now: () => startMs }, 1, isOver);
  const issueOf = async (id: string): Promise<number | undefined> =>
    (await store.findEvent(1, eventIdOf(id)))?.issueId;
  const kindsOf = async (issueId: number): Promise<string[]> =>
    (await store.listIssueActivity(1, issueId, page)).rows.map((row) => `${row.kind} ${row.actor}`);

  it('keep their issue, which gets the new key, where no issue has that key', async () => {
    const first = await file('minified');
    const second = await file('minified', 'ada');
    for (const { id } of [first, second]) await map(id, 'minified', 'cart');
    await regroup();
    expect(await store.recordEvent(eventOf({ kind: 'cart', second: 50 }))).toMatchObject({
      issueId: first.issueId,
      isNew: false,
    });
    expect(await store.recordEvent(eventOf({ kind: 'minified', second: 60 }))).toMatchObject({
      issueId: first.issueId,
    });
    expect(await kindsOf(first.issueId)).toContain('hash_added maps');
    expect((await store.findEvent(1, eventIdOf(first.id)))?.grouping.hash).toBe(hashOf('cart'));
    expect((await store.findIssue(1, first.issueId))?.grouping.hash).toBe(hashOf('cart'));
    await expectCounted(db, 1);
  });

  it('merge their issue into the one that has the key, and the merge can be undone', async () => {
    const first = await file('minified', 'ada');
    const mapped = await store.recordEvent(eventOf({ kind: 'cart', second: 40, userHash: 'ada' }));
    await map(first.id, 'minified', 'cart');
    await regroup();
    expect(await issueOf(first.id)).toBe(mapped.issueId);
    expect(await store.findIssue(1, mapped.issueId)).toMatchObject({ eventsCount: 2, usersCount: 1 });
    expect(await kindsOf(mapped.issueId)).toContain('merged maps');
    expect(await store.recordEvent(eventOf({ kind: 'minified', second: 50 }))).toMatchObject({
      issueId: mapped.issueId,
      isNew: false,
    });
    await expectCounted(db, 1);
    const [merge] = await store.listMerges(1, mapped.issueId);
    const act = { actor: 'ada', nowMs: startMs };
    expect(await store.unmergeIssues(1, mapped.issueId, merge?.id ?? 0, act)).not.toBeNull();
    expect(await issueOf(first.id)).toBe(first.issueId);
    await expectCounted(db, 1);
  });

  it('are split where the map separates two errors that looked like one', async () => {
    const events = [];
    for (const fault of ['cart', 'cart', 'cart', 'list', 'list', 'menu']) {
      const event = await file('minified', fault, { release: `${fault}@1.0.0`, environment: 'live' });
      events.push({ ...event, fault });
    }
    const known = await store.recordEvent(eventOf({ kind: 'menu', second: 90 }));
    for (const { id, fault } of events) await map(id, 'minified', fault);
    await regroup();
    const [cart, , , list, , menu] = await Promise.all(events.map(({ id }) => issueOf(id)));
    expect([cart, menu]).toEqual([events[0]?.issueId, known.issueId]);
    expect(new Set([cart, list, menu]).size).toBe(3);
    expect(await kindsOf(list ?? 0)).toEqual(['split maps']);
    expect(await kindsOf(known.issueId)).toEqual(['events_moved maps', 'first_seen event']);
    for (const [kind, issueId] of Object.entries({ cart, list, menu, minified: cart })) {
      expect(await store.recordEvent(eventOf({ kind, second: 99 }))).toMatchObject({ issueId, isNew: false });
    }
    await expectCounted(db, 1);
  });

  it('do not move pending events of their issue', async () => {
    const waiting = await file('minified', 'bob');
    const mapped = await file('minified', 'ada');
    const known = await store.recordEvent(eventOf({ kind: 'cart', second: 90 }));
    await map(mapped.id, 'minified', 'cart');
    await regroup();
    expect(await issueOf(mapped.id)).toBe(known.issueId);
    expect(await issueOf(waiting.id)).toBe(waiting.issueId);
    await expectCounted(db, 1);
  });

  it('stay in an issue that a person merged, until the merge is undone', async () => {
    const first = await file('minified', 'ada');
    const second = await file('minified', 'bob');
    const other = await store.recordEvent(eventOf({ kind: 'other', second: 80 }));
    const known = await store.recordEvent(eventOf({ kind: 'cart', second: 90 }));
    const act = { actor: 'ada', nowMs: startMs };
    const merged = await store.mergeIssues(1, other.issueId, [first.issueId], act);
    await map(first.id, 'minified', 'cart');
    await map(second.id, 'minified', 'list');
    await regroup();
    expect(await Promise.all([first.id, second.id].map(issueOf))).toEqual([other.issueId, other.issueId]);
    expect(await store.recordEvent(eventOf({ kind: 'list', second: 95 }))).toMatchObject({ isNew: false });
    await expectCounted(db, 1);
    await store.unmergeIssues(1, other.issueId, merged?.id ?? 0, act);
    const third = await file('minified', 'eve');
    await map(third.id, 'minified', 'cart');
    await regroup();
    expect(await issueOf(third.id)).toBe(known.issueId);
    await expectCounted(db, 1);
  });

  it('stay in the overflow issue', async () => {
    const event = await file('minified');
    await db.run('UPDATE issues SET is_overflow = 1 WHERE id = $1', [event.issueId]);
    await store.recordEvent(eventOf({ kind: 'cart', second: 90 }));
    await map(event.id, 'minified', 'cart');
    await regroup();
    expect(await issueOf(event.id)).toBe(event.issueId);
    expect(await store.issuesToRegroup(1)).toEqual([]);
  });

  it('reopen an issue resolved before they arrived, and not one resolved after', async () => {
    const act = { actor: 'ada', nowMs: startMs + 30_000 };
    const resolved = await store.recordEvent(eventOf({ kind: 'cart', second: 1 }));
    await store.changeIssue(1, resolved.issueId, { status: 'resolved', in: 'now' }, act);
    const early = await file('minified', null, { second: 20 });
    await map(early.id, 'minified', 'cart');
    await regroup();
    expect(await store.findIssue(1, resolved.issueId)).toMatchObject({ state: { status: 'resolved' } });
    const [merge] = await store.listMerges(1, resolved.issueId);
    await store.unmergeIssues(1, resolved.issueId, merge?.id ?? 0, act);
    const late = await file('other minified', null, { second: 40 });
    await map(late.id, 'other minified', 'cart');
    await regroup();
    const state = { status: 'unresolved', substatus: 'regressed' };
    expect(await store.findIssue(1, resolved.issueId)).toMatchObject({ state });
  });

  inFull(it)('are counted once during a stream of new events', async () => {
    const late = [];
    for (let nth = 0; nth < 120; nth += 1) late.push(await file('minified', `u${nth % 7}`));
    const known = await store.recordEvent(eventOf({ kind: 'cart', second: 200 }));
    const faults = ['cart', 'list', 'menu'];
    for (const [nth, { id }] of late.entries()) await map(id, 'minified', faults[nth % 3] ?? '');
    const stream = async (kind: string): Promise<void> => {
      for (let nth = 0; nth < 40; nth += 1) {
        await store.recordEvent(
          eventOf({ kind, second: 300 + nth, userHash: `v${nth % 5}`, release: '1.0' }),
        );
      }
    };
    await Promise.all([regroup(), regroup(), ...['cart', 'list', 'menu', 'minified'].map(stream)]);
    await regroup();
    const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 50, offset: 0 });
    expect(rows.map((issue) => issue.eventsCount).reduce((sum, events) => sum + events)).toBe(120 + 1 + 160);
    expect(await store.findIssue(1, known.issueId)).toMatchObject({ eventsCount: expect.any(Number) });
    await expectCounted(db, 1);
  });

  inFull(it)('are grouped and counted right in any order, and wherever a run is interrupted', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('file' as const),
        fault: fc.nat(3),
        user: fc.nat(3),
        mapped: fc.boolean(),
      }),
      fc.record({ do: fc.constant('map' as const), nth: fc.nat(30) }),
      fc.record({ do: fc.constant('regroup' as const), slices: fc.nat(6) }),
      fc.record({ do: fc.constant('merge' as const), into: fc.nat(30), other: fc.nat(30) }),
      fc.record({ do: fc.constant('undo' as const), issue: fc.nat(30) }),
    );
    let project = 1;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
        const name = `p${project}`;
        const { id: projectId } = await store.createProject({ name, createdAtMs: startMs });
        project += 1;
        const waiting: Array<{ row: number; fault: number }> = [];
        let nth = 0;
        const act = { actor: 'ada', nowMs: startMs };
        const run = (isOver: () => boolean): Promise<void> =>
          regroupResymbolicatedIssues({ store, log: silentLog, now: () => startMs }, projectId, isOver);
        const ids = async (): Promise<number[]> =>
          (
            await db.all<{ id: number }>('SELECT id FROM issues WHERE project_id = $1 ORDER BY id', [
              projectId,
            ])
          ).map((row) => row.id);
        for (const taken of steps) {
          const all = await ids();
          const at = (index: number): number => all[index % all.length] ?? 0;
          if (taken.do === 'file') {
            nth += 1;
            const kind = taken.mapped ? `fault ${taken.fault}` : `minified ${taken.fault % 2}`;
            const event = eventOf({
              projectId,
              kind: `${name} ${kind}`,
              second: (nth * 7919) % 5000,
              userHash: taken.user === 0 ? null : `u${taken.user}`,
              release: taken.user === 2 ? null : `r@${taken.fault}`,
              environment: nth % 3 === 0 ? null : 'live',
              level: nth % 2 === 0 ? 'error' : 'warning',
            });
            await store.recordEvent(event);
            const row = await db.get<{ id: number }>('SELECT MAX(id) AS id FROM events');
            if (!taken.mapped) waiting.push({ row: row?.id ?? 0, fault: taken.fault });
          } else if (taken.do === 'map') {
            const [event] = waiting.splice(taken.nth % Math.max(1, waiting.length), 1);
            if (event === undefined) continue;
            await store.storeSymbolication(projectId, event.row, {
              payload: '{}',
              needsMapping: false,
              awaits: [],
              regrouped: {
                grouping: eventOf({ kind: `${name} fault ${event.fault}` }).grouping,
                title: `MAPPÉ ${event.fault}`,
                culprit: 'src',
                hashBefore: hashOf(`${name} minified ${event.fault % 2}`),
              },
            });
          } else if (taken.do === 'regroup') {
            let left = taken.slices;
            await run(() => left-- <= 0);
          } else if (taken.do === 'merge' && all.length > 1) {
            await store.mergeIssues(projectId, at(taken.into), [at(taken.other)], act);
          } else if (taken.do === 'undo' && all.length > 0) {
            const merges = await store.listMerges(projectId, at(taken.issue));
            const standing = merges.find((merge) => merge.undoneAtMs === null);
            if (standing) await store.unmergeIssues(projectId, at(taken.issue), standing.id, act);
          }
        }
        await run(() => false);
        expect(await store.issuesToRegroup(projectId)).toEqual([]);
        await expectCounted(db, projectId);
      }),
      { numRuns: db.dbms === 'sqlite' ? runs(32) : runs(24) },
    );
    await expectSearchText(db);
  });
});
