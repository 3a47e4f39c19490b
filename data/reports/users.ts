import { setImmediate } from 'node:timers/promises';
import type { AffectedUsers, ReportRange } from '../../src/core/store/reports.ts';
import type { Db } from '../db.ts';
import { groupsOf } from '../issues/group.ts';
import { toValueList } from '../value-lists.ts';

const issuesAtOnce = 100;
const eventsAtOnce = 1_000;

/** Users of stored events in the range, each once. Stops at `usersMax` users, or when `goOn` throws. */
export async function affectedUsers(
  db: Db,
  projectId: number,
  range: ReportRange,
  usersMax: number,
  goOn: () => void = () => {},
): Promise<AffectedUsers> {
  const users = new Set<string>();
  // An issue that is seen meanwhile comes again at its new place.
  const visited = new Set<number>();
  let events = 0;
  let after: HeadRow | undefined = { id: 0, last_seen_ms: range.fromMs };
  while (after !== undefined) {
    goOn();
    const heads: HeadRow[] = await activeIssues(db, projectId, after, range);
    const fresh = heads.map(({ id }) => Number(id)).filter((id) => !visited.has(id));
    for (const id of fresh) visited.add(id);
    for (const issueId of await membersOf(db, fresh)) {
      for await (const rows of eventsOf(db, projectId, issueId, range)) {
        goOn();
        events += rows.length;
        for (const { user_hash: user } of rows) if (user !== null) users.add(user);
        if (users.size > usersMax) return { users: usersMax, events, isCut: true };
      }
    }
    after = heads.length < issuesAtOnce ? undefined : heads.at(-1);
    await setImmediate();
  }
  return { users: users.size, events, isCut: false };
}

interface HeadRow {
  readonly id: number;
  readonly last_seen_ms: number;
}

function activeIssues(db: Db, projectId: number, after: HeadRow, { toMs }: ReportRange): Promise<HeadRow[]> {
  return db.all<HeadRow>(
    `SELECT id, last_seen_ms FROM issues WHERE merged_into IS NULL AND project_id = $1
       AND (last_seen_ms, id) > ($2, $3) AND first_seen_ms < $4 ORDER BY last_seen_ms, id LIMIT $5`,
    [projectId, after.last_seen_ms, after.id, toMs, issuesAtOnce],
  );
}

/** Events stay with the issue they were stored for. */
async function membersOf(db: Db, heads: readonly number[]): Promise<number[]> {
  if (heads.length === 0) return [];
  const { marks, values } = toValueList(heads, 1);
  return (await db.all<{ id: number }>(groupsOf(marks), values)).map(({ id }) => Number(id));
}

interface EventRow {
  readonly id: number;
  readonly received_at_ms: number;
  readonly user_hash: string | null;
}

async function* eventsOf(
  db: Db,
  projectId: number,
  issueId: number,
  { fromMs, toMs }: ReportRange,
): AsyncGenerator<readonly EventRow[]> {
  let after: Pick<EventRow, 'id' | 'received_at_ms'> | undefined = { id: 0, received_at_ms: fromMs };
  while (after !== undefined) {
    const rows: EventRow[] = await db.all<EventRow>(
      `SELECT id, received_at_ms, user_hash FROM events WHERE project_id = $1 AND issue_id = $2
         AND (received_at_ms, id) > ($3, $4) AND received_at_ms < $5
       ORDER BY received_at_ms, id LIMIT $6`,
      [projectId, issueId, after.received_at_ms, after.id, toMs, eventsAtOnce],
    );
    yield rows;
    after = rows.length < eventsAtOnce ? undefined : rows.at(-1);
    await setImmediate();
  }
}
