// What every event asks of the database is found by an index: no statement may grow with its table.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { eventReads } from '../../data/events/reads.ts';
import { filingOf, recordEvent } from '../../data/events/record.ts';
import { changeIssue } from '../../data/issues/changes.ts';
import { mergeStore } from '../../data/issues/merges.ts';
import { issueReads } from '../../data/issues/reads.ts';
import { migrate } from '../../data/migrate.ts';
import { openDb } from '../../data/open-store.ts';
import { keyStore } from '../../data/projects/keys.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { regroupReads } from '../../data/regroup/reading.ts';
import { eventIdOf, eventOf, startMs } from './support/events.ts';
import { watchedDb } from './support/watched-db.ts';

const filing = filingOf({ newIssuesPerHourMax: 2 });
const act = { actor: 'ada', nowMs: startMs };
const page = { descending: true, limit: 10, offset: 0 } as const;

describe('the plan of every statement', () => {
  const seen = new Set<string>();
  let db: Db;
  beforeAll(async () => {
    db = await openDb('sqlite::memory:', {});
  });
  afterAll(() => db.close());

  it('reads no table from end to end', async () => {
    await migrate(db, startMs);
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
    const spied = watchedDb(db, seen);
    const file = (parts: Parameters<typeof eventOf>[0]) => recordEvent(spied, filing, eventOf(parts));
    await file({ id: 'a', kind: 'a', userHash: 'u', release: '1.0', environment: 'live' });
    await file({ id: 'a', kind: 'a' });
    await file({ kind: 'b', userHash: 'u', second: 9 });
    await file({ kind: 'b', second: 1 });
    await file({ kind: 'c' });
    for (const isInformed of [false, true, false]) {
      await file({ kind: `plain ${isInformed}`, plainKey: { hash: 'plain', isInformed }, second: 7200 });
    }
    await changeIssue(spied, 1, 1, { status: 'resolved', in: 'next_release' }, act);
    await mergeStore(spied).mergeIssues(1, 1, [2], act);
    await file({ kind: 'b', userHash: 'v', release: '2.0' });
    await changeIssue(spied, 1, 1, { status: 'ignored', until: 'count', count: 1, windowMs: 1 }, act);
    await file({ kind: 'b' });
    await keyStore(spied).findKeyByHash('x');
    await eventReads(spied).findEvent(1, eventIdOf('a'));
    await eventReads(spied).listIssueEvents(1, 1, page);
    for (const orderBy of ['last_seen', 'first_seen', 'events'] as const) {
      await issueReads(spied).listIssues(1, { ...page, orderBy });
      await issueReads(spied).listIssues(1, { ...page, orderBy, status: 'unresolved' });
    }
    await issueReads(spied).listIssueHours(1, [1, 2], 0, startMs * 2);
    await regroupReads(spied).listRegroupEvents(1, { issueId: 1, receivedAtMs: startMs, row: 1 }, 10);
    await regroupReads(spied).findRegroupLeads(1, ['plain']);

    const scans: string[] = [];
    for (const sql of seen) {
      const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, new Array(30).fill(1));
      const bad = plan.filter(
        ({ detail }) => /^SCAN (?!CONSTANT|\d+-ROW|recent|users|known)/.test(detail) || tooWide.test(detail),
      );
      if (bad.length > 0) scans.push(`${sql}\n${bad.map((row) => row.detail).join('\n')}`);
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(scans).toEqual([]);
  });
});

/** Tables that grow with events must be searched by more than their project. */
const tooWide =
  /^SEARCH (events|event_bodies|issue_users|issue_hours|issue_releases|issue_activity)\b.*\(project_id=\?\)$/;
