// Everything that is counted of a project, counted anew from its events in the plainest way, beside what the
// tables say.
import { expect } from '@jest/globals';
import type { Db } from '../../../data/db.ts';
import { unpackBody } from '../../../data/event-bodies.ts';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { listTags } from '../../../src/core/events/search-text.ts';

interface EventRow {
  readonly id: number;
  readonly issue_id: number;
  readonly received_at_ms: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly release: string | null;
  readonly environment: string | null;
  readonly user_hash: string | null;
}

interface IssueRow {
  readonly id: number;
  readonly merged_into: number | null;
  readonly is_overflow: number;
}

const hourMs = 3_600_000;

/** Holds every figure of a project against a naive count of its events. Events are few enough to be read. */
export async function expectCounted(db: Db, projectId: number): Promise<void> {
  const of = <Row>(sql: string): Promise<Row[]> => db.all<Row>(sql, [projectId]);
  const events = await of<EventRow>('SELECT * FROM events WHERE project_id = $1 ORDER BY received_at_ms, id');
  const issues = await of<IssueRow & Record<string, unknown>>(
    'SELECT * FROM issues WHERE project_id = $1 ORDER BY id',
  );
  const own = new Map(
    issues.map((issue) => [issue.id, events.filter((event) => event.issue_id === issue.id)]),
  );
  expect([...new Set(events.map((event) => event.issue_id))].filter((id) => !own.has(id))).toEqual([]);
  expect(issues.map((issue) => figures(issue))).toEqual(
    issues.map((issue) => {
      const members = issues.filter((each) => (each.merged_into ?? each.id) === issue.id);
      const group = issue.merged_into === null ? members : [issue];
      const all = group.flatMap((member) => own.get(member.id) ?? []);
      return expected(issue, own.get(issue.id) ?? [], all);
    }),
  );
  await expectParts(of, events);
  await expectTags(of, events);
}

/** Tags of each issue as the stored events say them, and the levels of each hour. */
async function expectTags(
  of: <Row>(sql: string) => Promise<Row[]>,
  events: readonly EventRow[],
): Promise<void> {
  const bodies = await of<{ event_row: number; body: Uint8Array; sha256: Uint8Array }>(
    'SELECT event_row, body, body_sha256 AS sha256 FROM event_bodies WHERE project_id = $1',
  );
  const payloads = new Map(
    bodies.map((row) => [row.event_row, JSON.parse(unpackBody(row).payload) as NormalizedEvent]),
  );
  const expectedTags: Record<string, number> = {};
  const expectedLevels: Record<string, number> = {};
  const add = (counts: Record<string, number>, key: string): void => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const event of events) {
    const payload = payloads.get(event.id);
    const tags = payload === undefined ? [] : listTags(payload);
    for (const [tag, value] of [['level', event.level], ...tags]) {
      add(expectedTags, `${event.issue_id} ${tag} ${value}`);
    }
    if (event.level !== 'error') {
      add(
        expectedLevels,
        `${event.issue_id} ${event.received_at_ms - (event.received_at_ms % hourMs)} ${event.level}`,
      );
    }
  }
  const rows = await of<{ issue_id: number; tag: string; value: string; events: number }>(
    'SELECT issue_id, tag, value, events FROM issue_tags WHERE project_id = $1',
  );
  expect(
    Object.fromEntries(rows.map((row) => [`${row.issue_id} ${row.tag} ${row.value}`, row.events])),
  ).toEqual(expectedTags);
  const hours = await of<Record<string, number>>('SELECT * FROM issue_hours WHERE project_id = $1');
  const counted = hours.flatMap((row) =>
    ['fatal', 'warning', 'info', 'debug']
      .filter((level) => row[level] !== 0)
      .map((level) => [`${row['issue_id']} ${row['hour_ms']} ${level}`, row[level]]),
  );
  expect(Object.fromEntries(counted)).toEqual(expectedLevels);
}

function usersOf(events: readonly EventRow[]): Set<string> {
  return new Set(events.flatMap((event) => event.user_hash ?? []));
}

function figures(issue: IssueRow & Record<string, unknown>) {
  const names = ['events_count', 'users_count', 'own_events_count', 'own_users_count'];
  const times = ['own_first_seen_ms', 'own_last_seen_ms'];
  const words = issue.is_overflow === 1 ? ['level', 'platform'] : ['title', 'culprit', 'level', 'platform'];
  const shown = Number(issue['own_events_count']) === 0 ? [] : [...times, ...words];
  return Object.fromEntries(['id', ...names, ...shown].map((name) => [name, issue[name]]));
}

function expected(issue: IssueRow, own: readonly EventRow[], all: readonly EventRow[]) {
  const newest = own.at(-1);
  const counts = {
    id: issue.id,
    events_count: all.length,
    users_count: usersOf(all).size,
    own_events_count: own.length,
    own_users_count: usersOf(own).size,
  };
  if (newest === undefined) return counts;
  const { level, platform, title, culprit } = newest;
  const words = issue.is_overflow === 1 ? { level, platform } : { title, culprit, level, platform };
  return {
    ...counts,
    own_first_seen_ms: own[0]?.received_at_ms,
    own_last_seen_ms: newest.received_at_ms,
    ...words,
  };
}

async function expectParts(
  of: <Row>(sql: string) => Promise<Row[]>,
  events: readonly EventRow[],
): Promise<void> {
  const count = (keyOf: (event: EventRow) => string | null): Map<string, EventRow[]> =>
    Map.groupBy(
      events.filter((event) => keyOf(event) !== null),
      (event) => String(keyOf(event)),
    );
  const hours = count(
    (event) => `${event.issue_id} ${event.received_at_ms - (event.received_at_ms % hourMs)}`,
  );
  const hourRows = await of<{ issue_id: number; hour_ms: number; events: number }>(
    'SELECT issue_id, hour_ms, events FROM issue_hours WHERE project_id = $1',
  );
  expect(new Map(hourRows.map((row) => [`${row.issue_id} ${row.hour_ms}`, row.events]))).toEqual(
    new Map([...hours].map(([key, members]) => [key, members.length])),
  );
  const userRows = await of<{ issue_id: number; user_hash: string }>(
    'SELECT issue_id, user_hash FROM issue_users WHERE project_id = $1',
  );
  const users = count((event) => (event.user_hash === null ? null : `${event.issue_id} ${event.user_hash}`));
  expect(new Set(userRows.map((row) => `${row.issue_id} ${row.user_hash}`))).toEqual(new Set(users.keys()));
  const placeRows = await of<{
    issue_id: number;
    release: string;
    environment: string;
    events: number;
    first_seen_ms: number;
    last_seen_ms: number;
  }>('SELECT * FROM issue_releases WHERE project_id = $1');
  const places = count(({ issue_id, release, environment }) =>
    release === null && environment === null ? null : `${issue_id} ${release ?? ''} ${environment ?? ''}`,
  );
  expect(
    new Map(
      placeRows.map((row) => [
        `${row.issue_id} ${row.release} ${row.environment}`,
        [row.events, row.first_seen_ms, row.last_seen_ms],
      ]),
    ),
  ).toEqual(
    new Map(
      [...places].map(([key, members]) => [
        key,
        [members.length, members[0]?.received_at_ms, members.at(-1)?.received_at_ms],
      ]),
    ),
  );
}
