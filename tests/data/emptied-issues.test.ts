import { describe, expect, it } from '@jest/globals';
import { moveEvents } from '../../data/issues/move-events.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { eventOf } from './support/events.ts';
import { expectCounted } from './support/recount.ts';

const projectId = 1;
const act = { actor: 'ada', nowMs: startMs };
const at = (second: number): number => startMs + second * 1000;

describe.each(databases)('an issue without events on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);

  function playground() {
    const file = async (kind: string, second: number, release: string | null = null): Promise<number> =>
      (await store.recordEvent(eventOf({ projectId, kind, title: `${kind} at ${second}`, second, release })))
        .issueId;
    const empty = async (fromId: number, toId: number): Promise<void> => {
      const events = await db.all<{ id: number }>('SELECT id FROM events WHERE issue_id = $1', [fromId]);
      const move = { projectId, fromId, toId, rows: events.map(({ id }) => id), placesMax: 9 };
      await db.write((tx) => moveEvents(tx, move));
    };
    const shown = (id: number) =>
      db.get(
        `SELECT title, own_first_seen_ms, own_last_seen_ms, first_seen_ms, last_seen_ms, first_release, last_release
         FROM issues WHERE id = $1`,
        [id],
      );
    return { file, empty, shown };
  }

  it.each([
    ['an event by itself', [20]],
    ['events that are filed together', [22, 20, 21]],
  ])('is shown by %s, although it showed earlier and later ones', async (_what, seconds) => {
    const { file, empty, shown } = playground();
    const gone = await file('gone', 10, 'r@1');
    await file('gone', 50, 'r@2');
    const other = await file('other', 30);
    await empty(gone, other);
    expect(await shown(gone)).toMatchObject({ title: 'gone at 50' });
    await Promise.all(seconds.map((second) => file('gone', second, 'r@3')));
    const [firstMs, lastMs] = [at(Math.min(...seconds)), at(Math.max(...seconds))];
    expect(await shown(gone)).toEqual({
      title: `gone at ${Math.max(...seconds)}`,
      own_first_seen_ms: firstMs,
      own_last_seen_ms: lastMs,
      first_seen_ms: firstMs,
      last_seen_ms: lastMs,
      first_release: 'r@3',
      last_release: 'r@3',
    });
    await expectCounted(db, projectId);
  });

  it('is shown by events that are moved to it', async () => {
    const { file, empty, shown } = playground();
    const gone = await file('gone', 10, 'r@1');
    await file('gone', 50);
    const other = await file('other', 60);
    await empty(gone, other);
    const late = await file('late', 30);
    await empty(late, gone);
    expect(await shown(gone)).toMatchObject({
      title: 'late at 30',
      own_first_seen_ms: at(30),
      own_last_seen_ms: at(30),
      first_release: null,
      last_release: null,
    });
    await expectCounted(db, projectId);
  });

  it('does not change the times of its merge target', async () => {
    const { file, empty, shown } = playground();
    const gone = await file('gone', 10);
    await file('gone', 50);
    const head = await file('head', 30);
    const other = await file('other', 40);
    await empty(gone, other);
    await store.mergeIssues(projectId, head, [gone], act);
    expect(await shown(head)).toMatchObject({ first_seen_ms: at(30), last_seen_ms: at(30) });
    // What comes to it is counted once for both.
    await file('gone', 35);
    expect(await shown(head)).toMatchObject({ first_seen_ms: at(30), last_seen_ms: at(35) });
    await expectCounted(db, projectId);
  });
});
