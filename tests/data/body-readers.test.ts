import { describe, expect, it } from '@jest/globals';
import { type BodyRow, bodies, readBody, readGrouping, repackBody } from '../../data/event-bodies.ts';
import { checkBodies } from '../../data/maintenance/doctor-facts.ts';
import { compressPayload } from '../../src/core/events/compress-payload.ts';
import { finishBackgroundWork } from '../../src/core/issues/background-work.ts';
import { eventOfSize } from '../support/sized-events.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf, hashOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';

const act = { actor: 'member Ines', nowMs: startMs };
const errors = [{ type: 'invalid_data' as const, name: 'tags', value: 'x' }];

describe.each(databases)('bodies on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  const payloadOf = (id: string): string =>
    JSON.stringify({ event_id: eventIdOf(id), message: id, tags: [['zone', id]] });

  async function file(kind: string, count: number): Promise<number> {
    let issueId = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const id = `${kind} ${nth}`;
      const event = { ...eventOf({ id, kind, second: nth, needsMapping: true }), errors };
      const tags: Array<[string, string]> = [['zone', id]];
      // Of all that have this plain key those that know less join the first that knew more.
      const secondaryHash = { hash: hashOf('a'), hasSource: kind === 'a' };
      const filed = { ...event, payload: payloadOf(id), tags, secondaryHash };
      ({ issueId } = await store.recordEvent(filed));
    }
    return issueId;
  }

  /** Leaves all rows as a thread that packs payloads alone would have written them. */
  async function byThread(): Promise<void> {
    const rows = await db.all<BodyRow & { event_row: number }>(
      `SELECT event_row, ${bodies.columns()} FROM event_bodies`,
    );
    for (const row of rows) {
      const { payload, grouping } = readBody(row);
      const packed = repackBody(compressPayload(payload, null), { grouping, errors });
      await bodies.update(db, packed, { where: 'event_row = $1', values: [row.event_row] });
    }
  }

  const asNow = async (): Promise<void> => {};
  const programs = [
    ['this program', asNow],
    ['a thread that packs payloads alone', byThread],
  ] as const;

  const columnsOf = async (id: string): Promise<BodyRow> => {
    const row = await db.get<BodyRow>(
      `SELECT ${bodies.columns('event_bodies')} FROM event_bodies JOIN events ON events.id = event_row WHERE event_id = $1`,
      [eventIdOf(id)],
    );
    if (row === undefined) throw new Error(`No body of ${id}.`);
    return row;
  };

  it.each(programs)('of %s: read for pages, symbolication, grouping and doctor', async (_by, turn) => {
    await file('a', 3);
    await turn();
    const event = await store.findEvent(1, eventIdOf('a 1'));
    expect(event).toMatchObject({
      payload: payloadOf('a 1'),
      grouping: eventOf({ kind: 'a' }).grouping,
      errors,
    });
    const waiting = await store.listPendingSymbolications(1, { of: 'all' }, 1e9, 10);
    expect(waiting.map(({ payload }) => payload)).toEqual(['a 2', 'a 1', 'a 0'].map(payloadOf));
    const listed = await store.listRegroupEvents(1, null, 10);
    expect(listed.map(({ payload }) => payload)).toEqual(['a 0', 'a 1', 'a 2'].map(payloadOf));
    const ofIssue = await store.listRegroupEventsOf(1, listed[0]?.issueId ?? 0, null, 10);
    expect(ofIssue).toEqual(listed);
    expect(await checkBodies(db, true)).toEqual({ checked: 3, damaged: 0, named: [] });
  });

  it.each(programs)('of %s: separated by their keys when an issue is split', async (_by, turn) => {
    const issue = await file('a', 3);
    expect(await file('b', 2)).toBe(issue);
    await turn();
    const { keys } = await store.listIssueKeys(1, issue);
    expect(keys.map(({ hash: key, events }) => [key, events])).toEqual([
      [hashOf('a'), 3],
      [hashOf('b'), 2],
    ]);
    const done = await store.splitIssue(1, issue, [hashOf('b')], act);
    if (typeof done === 'string') throw new Error(done);
    await finishBackgroundWork({ store, now: () => startMs }, () => false);
    const made = await store.findIssue(1, done.into);
    expect(made).toMatchObject({ eventsCount: 2, grouping: { hash: hashOf('b') } });
    // Their tags went along: they were read from the bodies.
    await expectCounted(db, 1);
  });

  async function regroup(fromId: number): Promise<void> {
    const run = await store.beginRegroup(1, 'ng2', startMs);
    const events = await store.listRegroupEventsOf(1, fromId, null, 2);
    const { grouping } = eventOf({ kind: 'b' });
    const split = { projectId: 1, fromId, eventRow: events[0]?.row ?? 0, grouping, events: 2 };
    const toId = (await store.splitRegroupIssue(run, split)) ?? 0;
    const moves = events.map(({ row }) => ({ row, grouping }));
    expect(await store.moveRegrouped(run, { projectId: 1, fromId, toId }, moves)).toBe(2);
    await store.finishRegroup(run, 1, startMs);
  }

  const hashes = async (): Promise<Array<string | undefined>> => {
    const all = await Promise.all(['a 0', 'a 1', 'a 2'].map((id) => store.findEvent(1, eventIdOf(id))));
    return all.map((event) => event?.grouping.hash);
  };

  it.each(programs)('of %s: moved by a run of regrouping', async (_by, turn) => {
    const fromId = await file('a', 3);
    await turn();
    await regroup(fromId);
    expect(await hashes()).toEqual(['b', 'b', 'a'].map(hashOf));
  });

  it.each(programs)('of %s: replaced after symbolication, short or large', async (_by, turn) => {
    const issue = await file('a', 3);
    await turn();
    const short = payloadOf('a 0').replace('message', 'mapped');
    const large = eventOfSize(27, 1);
    const regrouped = { ...eventOf({ kind: 'b' }), hashBefore: hashOf('a') };
    for (const { row, payload } of await store.listPendingSymbolications(1, { of: 'all' }, 1e9, 10)) {
      if (payload === payloadOf('a 2')) continue;
      const isFirst = payload === payloadOf('a 0');
      const look = { needsMapping: false, awaits: [], regrouped: isFirst ? regrouped : null };
      await store.storeSymbolication(1, row, {
        ...look,
        payload: isFirst ? short : compressPayload(large, null),
      });
    }
    const [first, second] = [await columnsOf('a 0'), await columnsOf('a 1')];
    expect([first.grouping, first.errors, JSON.parse(second.grouping).hash]).toEqual(['', '', hashOf('a')]);
    const found = await Promise.all(['a 0', 'a 1'].map((id) => store.findEvent(1, eventIdOf(id))));
    expect(found).toMatchObject([
      { payload: short, grouping: { hash: hashOf('b') }, errors },
      { payload: large, grouping: { hash: hashOf('a') }, errors },
    ]);
    // The key of its first late event, as the body says it, is the issue's own now.
    await store.planRegrouping(1, issue, act);
    expect(await store.findIssue(1, issue)).toMatchObject({ grouping: { hash: hashOf('b') } });
  });

  it('that are damaged have no key, and are left where they are', async () => {
    const issue = await file('a', 2);
    await file('b', 2);
    await db.run('UPDATE event_bodies SET body_sha256 = $1 WHERE event_row IN (1, 4)', [Buffer.alloc(16)]);
    expect(readGrouping(await columnsOf('a 0'))).toBeNull();
    const { keys, checked: looked } = await store.listIssueKeys(1, issue);
    expect([looked, ...keys.map(({ events }) => events)]).toEqual([4, 1, 1]);
    expect(await store.splitIssue(1, issue, [hashOf('b')], act)).toMatchObject({});
    await finishBackgroundWork({ store, now: () => startMs }, () => false);
    const issues = await db.all<{ issue_id: number }>('SELECT issue_id FROM events ORDER BY id');
    expect(issues.map(({ issue_id: id }) => id === issue)).toEqual([true, true, false, true]);
    await expect(store.findEvent(1, eventIdOf('a 0'))).rejects.toThrow('is not what was stored');
    expect(await checkBodies(db, true)).toMatchObject({ checked: 4, damaged: 2 });
  });
});
