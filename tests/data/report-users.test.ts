import { describe, expect, it } from '@jest/globals';
import { affectedUsers } from '../../data/reports/saved.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { type EventParts, eventOf } from './support/events.ts';
import { addIssues } from './support/many-issues.ts';

const day = { fromMs: startMs, toMs: startMs + 86_400_000 };
const lastSecond = 86_400 - 1;

describe.each(databases)('the users of a range on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);
  const file = (userHash: string | null, parts: EventParts = {}) =>
    store.recordEvent(eventOf({ userHash, ...parts }));
  const users = (projectId = 1) => store.affectedUsers(projectId, day, 1_000);

  it('are those of its events, each once, even with several errors', async () => {
    expect(await users()).toEqual({ users: 0, events: 0, isCut: false });
    await file('ann', { kind: 'a', second: 0 });
    await file('ann', { kind: 'b', second: 1 });
    await file('ben', { kind: 'b', second: lastSecond });
    await file(null, { kind: 'b', second: 2 });
    await file('before', { kind: 'a', second: -1 });
    await file('after', { kind: 'b', second: lastSecond + 1 });
    await file('later', { kind: 'c', second: lastSecond + 5 });
    expect(await users()).toEqual({ users: 2, events: 4, isCut: false });
  });

  it('are found in issues that were merged', async () => {
    const { issueId } = await file('ann', { kind: 'a', second: 1 });
    const { issueId: merged } = await file('ben', { kind: 'b', second: 2 });
    await store.mergeIssues(1, issueId, [merged], { actor: 'ada', nowMs: startMs + 3_000 });
    expect(await users()).toEqual({ users: 2, events: 2, isCut: false });
  });

  it('are those of one project', async () => {
    const { id } = await store.createProject({ name: 'other', createdAtMs: startMs });
    await file('ann');
    await file('ben', { projectId: id });
    await file('cleo', { projectId: id });
    expect([(await users()).users, (await users(id)).users]).toEqual([1, 2]);
  });

  it('are found beyond one query of issues and of events', async () => {
    // Rows as they are: filing so many would take longer than all else here.
    const issues = await addIssues(db, 201, 1, startMs);
    const [first = 0] = issues;
    await db.write(async (tx) => {
      const events = [
        ...issues.map((id, at) => [id, `u${at}`] as const),
        ...Array.from({ length: 2_001 }, (_each, at) => [first, `v${at % 300}`] as const),
      ];
      const values = events.map(
        ([issueId, user], at) =>
          `(1, ${issueId}, 'e${at}', ${startMs + (at % 5)}, 0, 'error', 'php', '', '', '${user}', 0, 0)`,
      );
      await tx.run(
        `INSERT INTO events (project_id, issue_id, event_id, received_at_ms, timestamp_ms, level, platform, title, culprit,
           user_hash, scrubbed_count, needs_mapping) VALUES ${values.join(', ')}`,
      );
    });
    expect(await users()).toEqual({ users: 501, events: 2_202, isCut: false });
    expect(await affectedUsers(db, 1, day, 400)).toMatchObject({ users: 400, isCut: true });
    expect(await affectedUsers(db, 1, day, 501)).toMatchObject({ users: 501, isCut: false });
    // Whoever asks is asked between two of them whether it is to go on.
    let asked = 0;
    const twice = (): void => {
      asked += 1;
      if (asked > 2) throw new Error('all is ending');
    };
    await expect(store.affectedUsers(1, day, 1_000, twice)).rejects.toThrow('all is ending');
    expect(asked).toBe(3);
  });
});
