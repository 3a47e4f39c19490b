import { afterAll, describe, expect, it } from '@jest/globals';
import { openDb } from '../../data/open-store.ts';
import { substatusFreshMs } from '../../src/core/issues/state-transitions.ts';
import type { Store } from '../../src/core/store/store.ts';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAt, storeWithProject } from './support/databases.ts';
import { eventIdOf, eventOf, hashOf } from './support/events.ts';
import { releaseOf } from './support/releases.ts';

const everything = { orderBy: 'id', descending: false, limit: 100, offset: 0 } as const;
const page = { descending: false, limit: 100, offset: 0 } as const;
const act = { actor: 'ada', nowMs: startMs + 500 };

describe.each(databases)('storing events on $name', (database) => {
  let store: Store;
  const fresh = async (limits = {}): Promise<Store> => {
    await store?.close();
    store = await storeWithProject(database, limits);
    return store;
  };
  const statusOf = async (issueId: number) => (await store.findIssue(1, issueId))?.state.status;
  afterAll(() => store?.close());

  it('creates an issue for the first event and adds the second to it', async () => {
    await fresh();
    const first = await store.recordEvent(eventOf({ id: 'a', second: 5 }));
    const second = await store.recordEvent(eventOf({ id: 'b', second: 9, title: 'newer', level: 'fatal' }));
    expect(first).toEqual({
      eventId: eventIdOf('a'),
      issueId: first.issueId,
      duplicate: false,
      isNew: true,
      isRegression: false,
    });
    expect(second).toMatchObject({ issueId: first.issueId, isNew: false, duplicate: false });
    expect(await store.findIssue(1, first.issueId)).toMatchObject({
      title: 'newer',
      level: 'fatal',
      eventsCount: 2,
      firstSeenMs: startMs + 5000,
      lastSeenMs: startMs + 9000,
      state: { status: 'unresolved', substatus: 'new' },
      grouping: { algorithm: 'ng2', source: 'stacktrace', hash: hashOf('x') },
      isOverflow: false,
    });
  });

  inFull(it).each([
    ['few', 10_005],
    ['many', 100_005],
  ])('lists the newest 10,000 of a project with %s events', async (_name, events) => {
    await store?.close();
    const address = await database.createMigrated();
    store = await storeAt(address);
    const { id: other } = await store.createProject({ name: 'other', createdAtMs: startMs });
    const { issueId } = await store.recordEvent(eventOf({ id: 'first', second: 0 }));
    await store.recordEvent(eventOf({ id: 'far', projectId: other, second: 9 }));
    const db = await openDb(address, {});
    await db.run(
      `INSERT INTO events (project_id, issue_id, event_id, received_at_ms, timestamp_ms, level, platform, title,
         culprit, scrubbed_count, needs_mapping)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
       SELECT 1, $2, 'e' || i, CAST($3 AS BIGINT) + i, 0, CASE i % 2 WHEN 0 THEN 'info' ELSE 'error' END, 'php', 't', 'c', 0, 0 FROM n`,
      [events, issueId, startMs + 10],
    );
    await db.close();
    const first = await store.listEvents(1, { ...page, descending: true, limit: 2 });
    expect([first.total, first.rows.map(({ eventId }) => eventId)]).toEqual([
      10_000,
      [`e${events}`, `e${events - 1}`],
    ]);
    const info = { field: 'level', negated: false, levels: ['info'] } as const;
    const found = await store.listEvents(1, { ...page, limit: 1, terms: [info] });
    const oldest = events - 10_000 + 1;
    expect([found.total, found.rows[0]?.eventId]).toEqual([5_000, `e${oldest + (oldest % 2)}`]);
    expect((await store.listEvents(other, page)).total).toBe(1);
  });

  inFull(it)(
    'lists the newest of a project whatever their issues, merged or large, from any row on',
    async () => {
      await fresh();
      const { id: other } = await store.createProject({ name: 'other', createdAtMs: startMs });
      const seconds: number[] = [];
      const merged: number[] = [];
      for (let nth = 0; nth < 330; nth += 1) {
        const second = (nth * 37) % 331;
        const kind = nth % 3 === 0 ? 'large' : `kind ${nth % 120}`;
        const { issueId } = await store.recordEvent(eventOf({ kind, second }));
        if (nth === 1 || nth === 2) merged.push(issueId);
        seconds.push(second);
      }
      await store.recordEvent(eventOf({ projectId: other, second: 999 }));
      await store.mergeIssues(1, merged[0] ?? 0, merged.slice(1), act);
      const newest = seconds.sort((one, another) => another - one);
      const secondsOf = (events: ReadonlyArray<{ readonly receivedAtMs: number }>) =>
        events.map(({ receivedAtMs }) => (receivedAtMs - startMs) / 1000);
      const first = await store.listProjectEvents(1, null, 101);
      expect(secondsOf(first)).toEqual(newest.slice(0, 101));
      const second = await store.listProjectEvents(1, first.at(-1)?.row ?? 0, 101);
      expect(secondsOf(second)).toEqual(newest.slice(100, 201));
      expect(secondsOf(await store.listProjectEvents(1, null, 1_000))).toEqual(newest);
      const listed = await store.listEvents(1, { ...page, descending: true });
      expect([listed.total, secondsOf(listed.rows)]).toEqual([330, newest.slice(0, 100)]);
    },
  );

  it('keeps the order of received times when events are stored in another', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf({ second: 50, title: 'newest' }));
    await store.recordEvent(eventOf({ second: 10, title: 'oldest', level: 'debug' }));
    expect(await store.findIssue(1, issueId)).toMatchObject({
      title: 'newest',
      level: 'error',
      firstSeenMs: startMs + 10_000,
      lastSeenMs: startMs + 50_000,
    });
  });

  it('answers a repeated event id with the first issue and counts nothing', async () => {
    await fresh();
    const first = await store.recordEvent(eventOf({ id: 'a', kind: 'one', userHash: 'u' }));
    const repeat = await store.recordEvent(
      eventOf({ id: 'a', kind: 'another', userHash: 'v', second: 60, release: '1.0' }),
    );
    expect(repeat).toEqual({ ...first, duplicate: true, isNew: false });
    const { rows, total } = await store.listIssues(1, everything);
    expect(total).toBe(1);
    expect(rows[0]).toMatchObject({ eventsCount: 1, usersCount: 1, lastSeenMs: startMs });
    expect(
      (await store.listReleases(1, { orderBy: 'version', descending: false, limit: 9, offset: 0 })).total,
    ).toBe(0);
    expect(await store.listOutcomes(1, startMs, startMs + 3_600_000)).toEqual([
      { atMs: startMs, outcome: 'accepted', reason: '', category: 'error', quantity: 1 },
      { atMs: startMs, outcome: 'duplicate', reason: '', category: 'error', quantity: 1 },
    ]);
    // The hash that the repeat brought is free: a real event of that kind makes its own issue.
    expect(await store.recordEvent(eventOf({ kind: 'another' }))).toMatchObject({ isNew: true });
  });

  it('takes the same event id in two projects', async () => {
    await fresh();
    await store.createProject({ name: 'other', createdAtMs: startMs });
    const ours = await store.recordEvent(eventOf({ id: 'a' }));
    const theirs = await store.recordEvent(eventOf({ id: 'a', projectId: 2 }));
    expect(theirs).toMatchObject({ duplicate: false, isNew: true });
    expect(theirs.issueId).not.toBe(ours.issueId);
    expect(await store.findIssue(1, theirs.issueId)).toBeNull();
    expect(await store.listIssueEvents(1, theirs.issueId, page)).toBeNull();
    expect((await store.findEvent(1, eventIdOf('a')))?.issueId).toBe(ours.issueId);
  });

  it('counts every one of many events that come at once', async () => {
    await fresh();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        store.recordEvent(
          eventOf({
            id: `e${index % 250}`,
            kind: `k${index % 7}`,
            release: `1.${index % 3}`,
            userHash: `u${index % 20}`,
          }),
        ),
      ),
    );
    expect(answers.filter((answer) => answer.duplicate)).toHaveLength(50);
    expect(answers.filter((answer) => answer.isNew)).toHaveLength(7);
    const { rows } = await store.listIssues(1, everything);
    expect(rows).toHaveLength(7);
    expect(rows.reduce((sum, issue) => sum + issue.eventsCount, 0)).toBe(250);
    const listed = await Promise.all(rows.map((issue) => store.listIssueEvents(1, issue.id, page)));
    expect(listed.map((events) => events?.total)).toEqual(rows.map((issue) => issue.eventsCount));
    const hours = await store.listIssueHours(
      1,
      rows.map((issue) => issue.id),
      startMs,
      startMs + 1,
    );
    expect(hours.map((hour) => hour.events)).toEqual(rows.map((issue) => issue.eventsCount));
  });

  it('counts distinct users', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf({ userHash: 'u1' }));
    for (const userHash of ['u1', 'u2', null, 'u1', 'u3']) await store.recordEvent(eventOf({ userHash }));
    expect(await store.findIssue(1, issueId)).toMatchObject({ eventsCount: 6, usersCount: 3 });
  });

  it('puts events beyond the limit of new issues into one overflow issue for that hour', async () => {
    await fresh({ newIssuesPerHourMax: 3 });
    const ids: number[] = [];
    for (let kind = 0; kind < 6; kind += 1) {
      ids.push((await store.recordEvent(eventOf({ kind: `k${kind}` }))).issueId);
    }
    expect(new Set(ids).size).toBe(4);
    expect(new Set(ids.slice(3)).size).toBe(1);
    expect(await store.findIssue(1, ids[5] ?? 0)).toMatchObject({ isOverflow: true, eventsCount: 3 });
    expect(await store.recordEvent(eventOf({ kind: 'k0' }))).toMatchObject({ issueId: ids[0] });
    const later = await store.recordEvent(eventOf({ kind: 'k5', second: 3600 }));
    expect(later).toMatchObject({ isNew: true });
    expect(ids).not.toContain(later.issueId);
    await store.createProject({ name: 'other', createdAtMs: startMs });
    expect(await store.recordEvent(eventOf({ kind: 'k9', projectId: 2 }))).toMatchObject({ isNew: true });
  });

  it('limits each IP address to its share of the last new issues, with its own overflow issue', async () => {
    await fresh({ newIssuesPerHourMax: 20 });
    const file = async (sender: string | null, events: number) => {
      const ids: number[] = [];
      for (let nth = 0; nth < events; nth += 1) {
        const event = eventOf({ kind: `${sender} ${nth}`, sender });
        ids.push((await store.recordEvent(event)).issueId);
      }
      return ids;
    };
    const distinct = (ids: readonly number[]) => new Set(ids).size;
    const [a, b, c] = [await file('a', 18), await file('b', 4), await file('c', 2)];
    expect([distinct(a), distinct(b), distinct(c)]).toEqual([16, 3, 2]);
    expect([a[15], b[2]]).toEqual([a[17], b[3]]);
    // All twenty are used up: who had no share before is in the overflow issue of all.
    const [d, nobody] = [await file('d', 3), await file(null, 2)];
    expect([distinct(d), new Set([d[1], d[2], ...nobody]).size]).toEqual([2, 1]);
    expect(distinct([...a, ...b, ...c, ...d])).toBe(20 + 3);
    // What an address has used already stays its own.
    expect((await store.recordEvent(eventOf({ kind: 'a late', sender: 'a' }))).issueId).toBe(a[17]);
    expect(await store.recordEvent(eventOf({ kind: 'a late', sender: 'a', second: 3600 }))).toMatchObject({
      isNew: true,
    });
  });

  it('creates the release of an event', async () => {
    await fresh();
    await store.recordEvent(eventOf({ release: '1.2.0' }));
    await store.recordEvent(eventOf({ release: '1.2.0', second: 9 }));
    const { rows } = await store.listReleases(1, {
      orderBy: 'version',
      descending: false,
      limit: 9,
      offset: 0,
    });
    expect(rows).toMatchObject([{ version: '1.2.0', createdAtMs: startMs }]);
  });

  it('reads an event back completely', async () => {
    await fresh();
    const bytes = new Uint8Array([0, 1, 2, 255]);
    const event = eventOf({
      id: 'a',
      payload: '{"message":"snow \u2603 \\u0000","__proto__":{"x":1}}',
      errors: [{ type: 'invalid_data', name: 'timestamp' }],
      scrubbedCount: 2,
      environment: 'staging',
      attachments: [
        { filename: 'shot.png', contentType: 'image/png', attachmentType: 'event.attachment', bytes },
      ],
    });
    const { issueId } = await store.recordEvent(event);
    await store.recordEvent(eventOf({ id: 'b', second: 1 }));
    const read = await store.findEvent(1, eventIdOf('a'));
    expect(read).toMatchObject({
      issueId,
      payload: event.payload,
      errors: event.errors,
      grouping: event.grouping,
      environment: 'staging',
      scrubbedCount: 2,
      olderEventId: null,
      newerEventId: eventIdOf('b'),
      attachments: [{ filename: 'shot.png', contentType: 'image/png', sizeBytes: 4 }],
    });
    const attachmentId = read?.attachments[0]?.id ?? 0;
    const attachment = await store.findAttachment(1, eventIdOf('a'), attachmentId);
    expect([...(attachment?.bytes ?? [])]).toEqual([...bytes]);
    expect(await store.findAttachment(1, eventIdOf('b'), attachmentId)).toBeNull();
    expect(await store.findAttachment(2, eventIdOf('a'), attachmentId)).toBeNull();
    expect(await store.findEvent(2, eventIdOf('a'))).toBeNull();
  });

  it('adds attachments that come after their event', async () => {
    await fresh();
    const late = {
      filename: 'a.txt',
      contentType: 'text/plain',
      attachmentType: '',
      bytes: Buffer.from('hi'),
    };
    expect(await store.addAttachments(1, eventIdOf('a'), [late])).toBe(0);
    await store.recordEvent(eventOf({ id: 'a' }));
    expect(await store.addAttachments(1, eventIdOf('a'), [late])).toBe(1);
    expect((await store.findEvent(1, eventIdOf('a')))?.attachments).toMatchObject([{ filename: 'a.txt' }]);
  });

  it('reopens a resolved issue, with an activity entry and in its result', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf({ id: 'a' }));
    await store.changeIssue(1, issueId, { status: 'resolved', in: 'now' }, act);
    const back = await store.recordEvent(eventOf({ id: 'b', second: 1, release: '1.0' }));
    expect(back).toMatchObject({ isRegression: true, isNew: false });
    expect(await store.recordEvent(eventOf({ second: 2 }))).toMatchObject({ isRegression: false });
    expect(await store.findIssue(1, issueId)).toMatchObject({
      regressionsCount: 1,
      state: { status: 'unresolved', substatus: 'regressed', resolution: null },
    });
    const { rows } = await store.listIssueActivity(1, issueId, page);
    expect(rows).toMatchObject([
      {
        kind: 'regressed',
        actor: 'event',
        from: 'resolved',
        to: 'unresolved/regressed',
        eventId: eventIdOf('b'),
        release: '1.0',
      },
      { kind: 'resolved', actor: 'ada', from: 'unresolved/new', to: 'resolved', eventId: null },
      { kind: 'first_seen', actor: 'event', to: 'unresolved/new', eventId: eventIdOf('a') },
    ]);
  });

  it('keeps an issue resolved in the next release until a later release', async () => {
    await fresh();
    const create = (version: string, second: number) =>
      store.upsertRelease(releaseOf(version, { nowMs: startMs + second * 1000 }));
    await create('2.0.0', 0);
    const { issueId } = await store.recordEvent(eventOf({ release: '2.0.0' }));
    await store.changeIssue(1, issueId, { status: 'resolved', in: 'next_release' }, act);
    await create('1.9.9', 0.5);
    for (const release of [null, '2.0.0', '1.0.0', '1.9.9']) {
      const { isRegression } = await store.recordEvent(eventOf({ release, second: 1 }));
      expect([isRegression, await statusOf(issueId)]).toEqual([false, 'resolved']);
    }
    expect(await store.findIssue(1, issueId)).toMatchObject({ eventsCount: 5 });
    await create('2.0.1', 2);
    expect(await store.recordEvent(eventOf({ release: '2.0.1', second: 3 }))).toMatchObject({
      isRegression: true,
    });
  });

  it('orders releases that only events have named by their numbers', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf({ release: '1.9.0' }));
    await store.changeIssue(1, issueId, { status: 'resolved', in: 'next_release' }, act);
    expect(await store.recordEvent(eventOf({ release: '1.9.0' }))).toMatchObject({ isRegression: false });
    expect(await store.recordEvent(eventOf({ release: '1.8.0' }))).toMatchObject({ isRegression: false });
    expect(await store.recordEvent(eventOf({ release: '1.10.0' }))).toMatchObject({ isRegression: true });
  });

  it('reopens an ignored issue when its condition is met', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf({ userHash: 'u0' }));
    const statusAfter = async (parts: Parameters<typeof eventOf>[0]) => {
      await store.recordEvent(eventOf(parts));
      return statusOf(issueId);
    };
    await store.changeIssue(1, issueId, { status: 'ignored', until: 'count', count: 2, windowMs: null }, act);
    expect(await statusAfter({ second: 1 })).toBe('ignored');
    expect(await statusAfter({ second: 2 })).toBe('unresolved');
    await store.changeIssue(1, issueId, { status: 'ignored', until: 'users', users: 1 }, act);
    expect(await statusAfter({ userHash: 'u0', second: 3 })).toBe('ignored');
    expect(await statusAfter({ userHash: 'u1', second: 4 })).toBe('unresolved');
    const atMs = startMs + 10_000;
    await store.changeIssue(1, issueId, { status: 'ignored', until: 'date', atMs }, act);
    expect(await statusAfter({ second: 9 })).toBe('ignored');
    expect(await statusAfter({ second: 10 })).toBe('unresolved');
    await store.changeIssue(1, issueId, { status: 'ignored', until: 'forever' }, act);
    expect(await statusAfter({ second: 99_999 })).toBe('ignored');
  });

  it('counts events in a period exactly, wherever it begins', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf());
    const change = { status: 'ignored', until: 'count', count: 3, windowMs: 60_000 } as const;
    await store.changeIssue(1, issueId, change, { ...act, nowMs: startMs + 1000 });
    const statuses: unknown[] = [];
    for (const second of [2, 40, 90, 130, 141]) {
      await store.recordEvent(eventOf({ second }));
      statuses.push(await statusOf(issueId));
    }
    expect(statuses).toEqual(['ignored', 'ignored', 'ignored', 'ignored', 'unresolved']);
  });

  it('turns a new issue into ongoing after its time', async () => {
    await fresh();
    const { issueId } = await store.recordEvent(eventOf());
    await store.recordEvent(eventOf({ second: substatusFreshMs / 1000 }));
    expect((await store.findIssue(1, issueId))?.state.substatus).toBe('ongoing');
  });

  it('samples the newest events of the issues seen last', async () => {
    await fresh();
    for (const second of [1, 2, 3, 9]) {
      await store.recordEvent(eventOf({ second, payload: JSON.stringify({ second }) }));
    }
    await store.recordEvent(eventOf({ kind: 'y', second: 5, payload: '{"second":5}' }));
    const [first, second, ...others] = await store.sampleEvents(1, startMs + 2_500, {
      issues: 2,
      eventsOfIssue: 1,
    });
    expect([first?.payloads, second?.payloads]).toEqual([['{"second":9}'], ['{"second":5}']]);
    expect(others).toEqual([]);
    expect(await store.sampleEvents(1, startMs + 9_500, { issues: 2, eventsOfIssue: 1 })).toEqual([]);
    expect(await store.sampleEvents(2, startMs, { issues: 2, eventsOfIssue: 1 })).toEqual([]);
  });
});
