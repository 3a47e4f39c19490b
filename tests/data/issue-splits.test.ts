import { describe, expect, it } from '@jest/globals';
import { finishBackgroundWork } from '../../src/core/issues/background-work.ts';
import type { SplitResult } from '../../src/core/store/issue-queries.ts';
import { inFull } from '../support/test-level.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf, hashOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';

const act = { actor: 'member Ines', nowMs: startMs };
const now = (): number => startMs;
const levels = ['error', 'warning', 'fatal'] as const;

describe.each(databases)('splitting an issue on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  /** Files events of a kind, in the issue that `first` leads to; answers their issue. */
  async function file(kind: string, events: number, first: string = kind): Promise<number> {
    let issueId = 0;
    for (let at = 0; at < events; at += 1) {
      const about = { release: `${at % 3}.0.0`, environment: at % 2 === 0 ? 'live' : 'test' };
      const user = { userHash: `user ${at % 7}`, level: levels[at % 3] ?? 'error' };
      const event = eventOf({ ...about, ...user, kind, id: `${kind} ${at}`, second: at * 60 });
      ({ issueId } = await store.recordEvent({
        ...event,
        secondaryHash: { hash: hashOf(first), hasSource: kind === first },
      }));
    }
    return issueId;
  }

  const split = (issueId: number, ...kinds: string[]): Promise<SplitResult> =>
    store.splitIssue(1, issueId, kinds.map(hashOf), act);

  async function intoOf(done: Promise<SplitResult>): Promise<number> {
    const said = await done;
    if (typeof said === 'string') throw new Error(said);
    return said.into;
  }

  const finish = (): Promise<number> => finishBackgroundWork({ store, now }, () => false);

  it('moves all events of a key, over slices, and counts both right', async () => {
    const issue = await file('cart', 130);
    expect(await file('basket', 120, 'cart')).toBe(issue);
    await file('other', 3);
    const { keys, checked: looked } = await store.listIssueKeys(1, issue);
    expect(keys.map(({ hash, events, title }) => [hash, events, title])).toEqual([
      [hashOf('cart'), 130, 'TypeError: cart'],
      [hashOf('basket'), 120, 'TypeError: basket'],
    ]);
    expect(looked).toBe(250);

    const into = await intoOf(split(issue, 'basket'));
    expect(await store.isSplitting(1, issue)).toBe(true);
    // What comes from now on goes there, before what is stored has followed.
    expect((await store.recordEvent(eventOf({ kind: 'basket', second: 9_000 }))).issueId).toBe(into);
    await finish();
    expect(await store.isSplitting(1, issue)).toBe(false);
    await expectCounted(db, 1);
    const [old, made] = [await store.findIssue(1, issue), await store.findIssue(1, into)];
    expect([old?.eventsCount, made?.eventsCount]).toEqual([130, 121]);
    expect([old?.title, made?.title]).toEqual(['TypeError: cart', 'TypeError: basket']);
    expect(made?.firstSeenMs).toBe(startMs);
  });

  it('moves a single event', async () => {
    const issue = await file('cart', 2);
    await file('basket', 1, 'cart');
    const into = await intoOf(split(issue, 'basket'));
    await finish();
    const rows = await db.all('SELECT issue_id FROM events ORDER BY id');
    expect(rows).toEqual([issue, issue, into].map((id) => ({ issue_id: id })));
  });

  it('is undone by a merge, and the merge by an undo', async () => {
    const issue = await file('cart', 5);
    await file('basket', 4, 'cart');
    const before = await store.findIssue(1, issue);
    const into = await intoOf(split(issue, 'basket'));
    await finish();
    const merge = await store.mergeIssues(1, issue, [into], act);
    const after = await store.findIssue(1, issue);
    expect([after?.eventsCount, after?.usersCount]).toEqual([before?.eventsCount, before?.usersCount]);
    await expectCounted(db, 1);
    await store.unmergeIssues(1, issue, merge?.id ?? 0, act);
    expect((await store.findIssue(1, into))?.eventsCount).toBe(4);
    await expectCounted(db, 1);
  });

  it('unmerges a merged issue, without moving an event', async () => {
    const [head, one, two] = [await file('head', 3), await file('one', 4), await file('two', 5)];
    await store.mergeIssues(1, head, [one, two], act);
    expect(await intoOf(split(head, 'one'))).toBe(one);
    expect(await store.isSplitting(1, head)).toBe(false);
    expect((await store.findIssue(1, head))?.eventsCount).toBe(8);
    expect((await store.findIssue(1, one))?.mergedInto).toBeNull();
    await expectCounted(db, 1);
  });

  it('makes one issue of several keys, merged ones and others', async () => {
    const [head, one] = [await file('head', 3), await file('one', 4)];
    await file('more', 6, 'head');
    await store.mergeIssues(1, head, [one], act);
    const into = await intoOf(split(head, 'one', 'more'));
    await finish();
    expect((await store.findIssue(1, into))?.eventsCount).toBe(10);
    expect((await store.findIssue(1, head))?.eventsCount).toBe(3);
    await expectCounted(db, 1);
  });

  it('keeps the state of the original issue', async () => {
    const issue = await file('cart', 2);
    await file('basket', 2, 'cart');
    await store.changeIssue(1, issue, { status: 'ignored', until: 'forever' }, act);
    const into = await intoOf(split(issue, 'basket'));
    expect((await store.findIssue(1, into))?.state).toMatchObject({ status: 'ignored' });
  });

  it('refuses all keys, a key of another issue, and an unknown one, and changes nothing', async () => {
    const issue = await file('cart', 2);
    await file('basket', 2, 'cart');
    await file('other', 1);
    const before = await db.all('SELECT * FROM issues ORDER BY id');
    expect(await split(issue, 'cart', 'basket')).toBe('all');
    expect(await split(issue, 'other')).toBe('gone');
    expect(await split(issue)).toBe('gone');
    const events = `SELECT id FROM events WHERE title = 'TypeError: basket'`;
    await db.run(`DELETE FROM event_bodies WHERE event_row IN (${events})`);
    expect(await split(issue, 'basket')).toBe('none-stored');
    expect(await db.all('SELECT * FROM issues ORDER BY id')).toEqual(before);
  });

  inFull(it)('continues after an interruption, and stops if the new issue is deleted', async () => {
    const issue = await file('cart', 120);
    await file('basket', 120, 'cart');
    const into = await intoOf(split(issue, 'basket'));
    expect(await store.moveSplitSlice()).toBe(true);
    expect(await store.isSplitting(1, issue)).toBe(true);
    await store.endIssue(1, into, startMs);
    await finish();
    expect(await store.isSplitting(1, issue)).toBe(false);
    expect(await store.findIssueAnywhere(into)).toBeNull();
    await expectCounted(db, 1);
  });
});
