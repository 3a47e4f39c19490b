import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { insertEvent } from '../../data/events/event-batcher.ts';
import { createInsertContext } from '../../data/events/insert-context.ts';
import { eventReads } from '../../data/events/reads.ts';
import { incidentStore } from '../../data/incidents/incidents.ts';
import { changeIssue } from '../../data/issues/changes.ts';
import { issueListStore } from '../../data/issues/listing/store.ts';
import { mergeStore } from '../../data/issues/merge-issues.ts';
import { moveEvents } from '../../data/issues/move-events.ts';
import { issueReads } from '../../data/issues/reads.ts';
import { issueActivityStore } from '../../data/issues/recent-counts.ts';
import { openDb } from '../../data/open-store.ts';
import { keyStore } from '../../data/projects/keys.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { regroupReads } from '../../data/regroup/reading.ts';
import { reportFigures } from '../../data/reports/figures.ts';
import { affectedUsers } from '../../data/reports/saved.ts';
import { retentionStore } from '../../data/retention/retention.ts';
import { userErasureStore } from '../../data/users/erasing.ts';
import { userStore } from '../../data/users/users.ts';
import { issueHistory } from '../../data/workspace/issue-history.ts';
import { issuePageReads } from '../../data/workspace/issue-reads.ts';
import { liveReads } from '../../data/workspace/live.ts';
import { overviewReads } from '../../data/workspace/overview.ts';
import { createEvictionCursor } from '../../src/core/retention/plan.ts';
import { shared } from '../support/shared.ts';
import { sqlite } from './support/databases.ts';
import { eventIdOf, eventOf, startMs } from './support/events.ts';
import { watchedDb } from './support/watched-db.ts';

const filing = createInsertContext({ newIssuesPerHourMax: 2 });
const act = { actor: 'ada', nowMs: startMs };
const page = { descending: true, limit: 10, offset: 0 } as const;

/** Finds, reads and erases a user. */
async function readUsers(db: Db): Promise<void> {
  const [users, erasures] = [userStore(db), userErasureStore(db)];
  const user = { projectId: 1, userHash: 'v' };
  await users.findUsers(1, ['v', 'w'], 10);
  await users.summarizeUser(user);
  await users.listUserIssues(user);
  await users.listUserEvents(user, { before: null, limit: 10 });
  await users.countUserDays(user, startMs);
  await users.listUserFeedback(user, ['a@b.example'], 10);
  const terms = [{ name: 'email', value: 'a@b.example' }] as const;
  await erasures.beginErasure({ ...user, newHash: 'w', terms, atMs: startMs });
  while ((await erasures.eraseUserSlice()) !== null);
}

describe('the plan of every statement', () => {
  const seen = new Set<string>();
  const db = shared(async () => openDb(await sqlite.createMigrated(), { isUnsynced: true }));

  it('has no full table scan', async () => {
    await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
    const spied = watchedDb(db, seen);
    const file = (parts: Parameters<typeof eventOf>[0]) => insertEvent(spied, filing, eventOf(parts));
    await file({ id: 'a', kind: 'a', userHash: 'u', release: '1.0', environment: 'live' });
    await file({ id: 'a', kind: 'a' });
    await file({ kind: 'b', userHash: 'u', second: 9 });
    await file({ kind: 'b', second: 1 });
    await file({ kind: 'c' });
    for (const hasSource of [false, true, false]) {
      await file({ kind: `plain ${hasSource}`, secondaryHash: { hash: 'plain', hasSource }, second: 7200 });
    }
    await changeIssue(spied, 1, 1, { status: 'resolved', in: 'next_release' }, act);
    await mergeStore(spied).mergeIssues(1, 1, [2], act);
    await file({ kind: 'b', userHash: 'v', release: '2.0' });
    await changeIssue(spied, 1, 1, { status: 'ignored', until: 'count', count: 1, windowMs: 1 }, act);
    await file({ kind: 'b' });
    await keyStore(spied).findKeyByHash('x');
    await readUsers(spied);
    await eventReads(spied).findEvent(1, eventIdOf('a'));
    await eventReads(spied).listIssueEvents(1, 1, page);
    await eventReads(spied).listEvents(1, page);
    await liveReads(spied).listProjectEvents(1, 2, 10);
    for (const orderBy of ['last_seen', 'first_seen', 'events'] as const) {
      await issueReads(spied).listIssues(1, { ...page, orderBy });
      await issueReads(spied).listIssues(1, { ...page, orderBy, status: 'unresolved' });
    }
    await issueReads(spied).listIssueHours(1, [1, 2], 0, startMs * 2);
    await issueListStore(spied).listIssueTags(1, 1);
    const history = issueHistory(spied);
    await history.listIssueHistory(1, 1, { limit: 10, before: null });
    await history.countIssueHistory(1, 1);
    const issuePages = issuePageReads(spied);
    await issuePages.storedEvents(1, 1);
    await issuePages.listIssueUsers(1, 1, { limit: 10, offset: 0 });
    await issuePages.eventsOfUser(1, 1, eventIdOf('a'), 10);
    await issuePages.walkIssueEvents(1, 1, { way: 'older', than: null }, 10);
    await mergeStore(spied).listMerges(1, 1);
    const lately = { projectId: 1, issueId: 1, fromMs: startMs };
    await issueActivityStore(spied).countSeen(lately, 'events', 10);
    await issueActivityStore(spied).listSeenSlots(lately, startMs + 300_000, 10);
    const overview = overviewReads(spied);
    await overview.listIssueEventIntervals([1, 2], { fromMs: 0, toMs: startMs * 2, sliceMs: 3_600_000 });
    await overview.newestReleases([1, 2], 10);
    await overview.countOpenIssues([1, 2], startMs);
    const range = { fromMs: startMs, toMs: startMs + 3_600_000 };
    await reportFigures(spied).projectMoves([1, 2], range);
    await reportFigures(spied).busiestIssues([1, 2], range, 10);
    await affectedUsers(spied, 1, range, 10);
    await incidentStore(spied).listOpenIncidents();
    await incidentStore(spied).listIncidentsOf([1, 2]);
    await incidentStore(spied).openOfMonitor(1);
    await incidentStore(spied).listLinkedIncidents({ side: 'cause', kind: 'issue', ids: [1, 2] }, startMs);
    const trend = { tab: 'open', sort: 'trend', limit: 10, trendToMs: startMs } as const;
    const all = { projectIds: [1], fromMs: 0, toMs: null } as const;
    await issueListStore(spied).listWorkspaceIssues(all, trend);
    await regroupReads(spied).listRegroupEvents(1, { issueId: 1, receivedAtMs: startMs, row: 1 }, 10);
    await regroupReads(spied).findRegroupLeads(1, ['plain']);
    const moved = { projectId: 1, fromId: 1, toId: 2, rows: [1, 2], placesMax: 9 };
    expect(await spied.write((tx) => moveEvents(tx, moved))).toHaveLength(1);
    const retention = retentionStore(spied);
    await retention.listRetainedIssues(0, 10);
    const runner = await retention.beginRemoval();
    const promised = { newest: 1, first: false, releases: true };
    const walk = createEvictionCursor({ id: 2, projectId: 1 }, promised, null, runner);
    await retention.removeOldest(walk, 2, 10);
    expect((await retention.removeOldest(walk, 2, 10)).events).toBeGreaterThan(0);

    const scans: string[] = [];
    for (const sql of seen) {
      const plan = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, new Array(30).fill(1));
      const tooMuch = asksAll.test(sql) ? tooWide : tooWideOrAll;
      const bad = plan.filter(
        ({ detail }) =>
          /^SCAN (?!CONSTANT|\d+-ROW|recent|users|known|own|counted|kept|newest|lately|scores)/.test(
            detail,
          ) ||
          tooMuch.test(detail) ||
          (ofRows.test(sql) && /^SEARCH events USING (COVERING )?INDEX/.test(detail)),
      );
      if (bad.length > 0) scans.push(`${sql}\n${bad.map((row) => row.detail).join('\n')}`);
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(scans).toEqual([]);
  });

  it('looks up no pairs of two sets of issues', async () => {
    const searched = new Set<string>();
    const release = { field: 'release', negated: false, patterns: [['1.0'], ['2.0']] } as const;
    const filter = { ...page, orderBy: 'last_seen', release: '1.0' } as const;
    for (const terms of [
      [release, release],
      [release, { field: 'text', negated: false, patterns: [['a', '']] }],
    ]) {
      await issueReads(watchedDb(db, searched)).listIssues(1, {
        ...filter,
        release: undefined,
        terms,
      } as never);
    }
    await issueReads(watchedDb(db, searched)).listIssues(1, { ...filter, terms: [release] });
    const plans = [...searched].map((sql) =>
      db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, new Array(30).fill(1)),
    );
    const details = (await Promise.all(plans)).flat().map(({ detail }) => detail);
    expect(details.filter((detail) => /\bid=\? AND rowid=\?/.test(detail))).toEqual([]);
    expect(searched.size).toBeGreaterThan(2);
    // One set beside another condition may still lead.
    const alone = new Set<string>();
    const unresolved = { field: 'is', negated: false, states: ['unresolved'] } as const;
    const terms = [unresolved, release];
    await issueReads(watchedDb(db, alone)).listIssues(1, { ...filter, release: undefined, terms } as never);
    expect([...alone].filter((sql) => sql.includes('+issues.id IN'))).toEqual([]);
  });
});

const ofRows = /\b(FROM|UPDATE) events\b[^()]*\bid IN \(\$/;
/** Tables that grow with events must be searched by more than their project. */
const tooWide =
  /^SEARCH (events|event_bodies|issue_users|issue_hours|issue_releases|issue_activity|issue_tags)\b.*\(project_id=\?\)$/;
/** So must issues, except for the total that a list tells and for a merge, which a person waits for. */
const tooWideOrAll = new RegExp(`${tooWide.source}|^SEARCH issues USING INDEX issues_of_project`);
const asksAll =
  /^SELECT COUNT\(\*\) AS total|^INSERT INTO issue_merge_members|^UPDATE issues SET merged_into/;
