import { type EventFilter, type EventSummary, searchedEventsMax } from '../../src/core/store/events.ts';
import type { Page } from '../../src/core/store/pagination.ts';
import { type Db, type SqlValue, storePart } from '../db.ts';
import { type BodyRow, bodies, findBody, readBody, readPayload } from '../event-bodies.ts';
import { groupOf } from '../issues/group.ts';
import { readPageByKey } from '../paging.ts';
import { matchCondition, toLikePattern } from '../search.ts';
import { toValueList } from '../value-lists.ts';
import {
  addAttachments,
  attachments,
  findAttachment,
  packAttachments,
  rowOf,
  sizeOf,
} from './attachments.ts';
import { listNewestPositions, newestPosition } from './newest.ts';
import { eventConditions, findByBody, isBodyTerm } from './search.ts';

/** As `eventColumns` selects it. */
export type EventRow = Omit<EventSummary, 'needsMapping'> & {
  readonly row: number;
  readonly needsMapping: number;
};

export const eventColumns = `events.id AS row, events.event_id AS "eventId",
  COALESCE(own.merged_into, own.id) AS "issueId", events.received_at_ms AS "receivedAtMs",
  events.timestamp_ms AS "timestampMs", events.level, events.platform, events.title, events.culprit,
  events.release, events.dist, events.environment, events.sdk_name AS "sdkName", events.sdk_version AS "sdkVersion",
  events.domain, events.scrubbed_count AS "scrubbedCount", events.needs_mapping AS "needsMapping"`;
export const eventTables = 'events JOIN issues own ON own.id = events.issue_id';

export const eventReads = storePart({
  async listIssueEvents(db, projectId, issueId, filter) {
    const members = await membersOf(db, projectId, issueId);
    if (members.length === 0) return null;
    const { placeholders, values } = toValueList(members, 2);
    return listEvents(
      db,
      projectId,
      { condition: `events.project_id = $1 AND events.issue_id IN (${placeholders})`, values },
      filter,
    );
  },
  listEvents: async (db, projectId, filter) =>
    listEvents(db, projectId, await newestOfProject(db, projectId), filter),
  async findEvent(db, projectId, eventId) {
    const row = await db.get<EventRow>(
      `SELECT ${eventColumns} FROM ${eventTables} WHERE events.project_id = $1 AND events.event_id = $2`,
      [projectId, eventId],
    );
    if (row === undefined) return null;
    const ofEvent = 'WHERE event_row = $1 AND project_id = $2 ORDER BY id LIMIT 100';
    const [body, found] = await Promise.all([
      findBody(db, projectId, row.row),
      attachments.list(db, ofEvent, [row.row, projectId]),
    ]);
    if (body === null) return null;
    return {
      ...summaryOf(row),
      ...readBody(body),
      attachments: found,
      olderEventId: await neighbour(db, projectId, row, 'older'),
      newerEventId: await neighbour(db, projectId, row, 'newer'),
    };
  },
  async sampleEvents(db, projectId, sinceMs, { issues, eventsOfIssue }) {
    const seen = await db.all<{ id: number }>(
      `SELECT id FROM issues WHERE project_id = $1 AND last_seen_ms >= $2 AND merged_into IS NULL
       ORDER BY last_seen_ms DESC, id DESC LIMIT $3`,
      [projectId, sinceMs, issues],
    );
    const sample: Array<{ issueId: number; payloads: string[] }> = [];
    for (const { id } of seen) {
      const rows = await db.all<BodyRow>(
        `SELECT ${bodies.columns('kept')} FROM events JOIN event_bodies kept ON kept.event_row = events.id
         WHERE events.project_id = $1 AND events.issue_id = $2 AND events.received_at_ms >= $3
         ORDER BY events.received_at_ms DESC, events.id DESC LIMIT $4`,
        [projectId, id, sinceMs, eventsOfIssue],
      );
      const payloads = rows.map(readPayload).filter((payload) => payload !== null);
      if (payloads.length > 0) sample.push({ issueId: id, payloads });
    }
    return sample;
  },
  async readPayloads(db, projectId, ids) {
    if (ids.length === 0) return new Map();
    const { placeholders, values } = toValueList(ids, 2);
    const rows = await db.all<BodyRow & { readonly row: number }>(
      `SELECT kept.event_row AS row, ${bodies.columns('kept')} FROM event_bodies kept
       WHERE kept.project_id = $1 AND kept.event_row IN (${placeholders})`,
      [projectId, ...values],
    );
    const payloads = rows.map((row) => [row.row, readPayload(row)] as const);
    return new Map(payloads.filter((each): each is readonly [number, string] => each[1] !== null));
  },
  async findEventDomain(db, projectId, eventId) {
    const row = await db.get<{ domain: string | null }>(
      'SELECT domain FROM events WHERE project_id = $1 AND event_id = $2',
      [projectId, eventId],
    );
    return row?.domain;
  },
  findAttachment,
  async addAttachments(db, projectId, eventId, attachments) {
    const packed = await packAttachments(attachments);
    return db.write(async (tx) => {
      const row = await rowOf(tx, projectId, eventId);
      return row === null ? 0 : addAttachments(tx, projectId, row, packed);
    }, sizeOf(attachments));
  },
});

/** As JSON, for there are more than a statement takes as parameters (`+` keeps the index of the project out of it). */
async function newestOfProject(db: Db, projectId: number) {
  const positions = await listNewestPositions(db, projectId, newestPosition, searchedEventsMax);
  const ids = JSON.stringify(positions.map(({ id }) => id));
  const each =
    db.dbms === 'sqlite'
      ? 'SELECT value FROM json_each($2) AS newest'
      : 'SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST($2 AS JSON)) AS newest';
  return { condition: `+events.project_id = $1 AND events.id IN (${each})`, values: [ids] };
}

/** `scope` selects events of the project, `$1`; its other parameters begin at `$2`. */
async function listEvents(
  db: Db,
  projectId: number,
  scope: { readonly condition: string; readonly values: readonly SqlValue[] },
  filter: EventFilter,
): Promise<Page<EventSummary>> {
  const values: SqlValue[] = [projectId, ...scope.values];
  const conditions = [scope.condition];
  if (filter.release !== undefined) conditions.push(`events.release = $${values.push(filter.release)}`);
  if (filter.environment !== undefined) {
    conditions.push(`events.environment = $${values.push(filter.environment)}`);
  }
  const searched = toLikePattern(filter.search);
  if (searched !== null) {
    const texts = ['events.title', 'events.culprit'];
    conditions.push(matchCondition('events.search_text', texts, `$${values.push(searched)}`));
  }
  const order = (descending: boolean): string => {
    const direction = descending ? 'DESC' : 'ASC';
    return `events.received_at_ms ${direction}, events.id ${direction}`;
  };
  const { terms = [] } = filter;
  conditions.push(...eventConditions(db, terms, values));
  const where = conditions.join(' AND ');
  if (terms.some(isBodyTerm)) {
    const found = await findByBody(db, projectId, where, values, filter);
    const shown = found.slice(filter.offset, filter.offset + filter.limit);
    return { rows: await summariesOf(db, shown), total: found.length };
  }
  const list = { table: 'events', where, columns: eventColumns, joined: eventTables, order, values };
  const page = await readPageByKey<EventRow>(db, list, filter);
  return { rows: page.rows.map(summaryOf), total: page.total };
}

async function summariesOf(db: Db, ids: readonly number[]): Promise<EventSummary[]> {
  if (ids.length === 0) return [];
  const { placeholders, values } = toValueList(ids, 1);
  const rows = await db.all<EventRow>(
    `SELECT ${eventColumns} FROM ${eventTables} WHERE events.id IN (${placeholders})`,
    values,
  );
  const byRow = new Map(rows.map((row) => [row.row, summaryOf(row)]));
  return ids.flatMap((id) => byRow.get(id) ?? []);
}

/** Issues that one list of events joins; of larger merges those merged first. */
const membersMax = 500;

/** The issue and all merged into it; empty where it does not exist. */
export async function membersOf(db: Db, projectId: number, issueId: number): Promise<number[]> {
  const rows = await db.all<{ id: number }>(
    `SELECT id FROM (${groupOf('$1', '$2')}) AS own ORDER BY CASE WHEN id = $2 THEN 0 ELSE 1 END, id LIMIT $3`,
    [projectId, issueId, membersMax],
  );
  return rows.some((row) => row.id === issueId) ? rows.map((row) => row.id) : [];
}

/** The nearest event of the group: the nearest of each issue, and of those the nearest. */
async function neighbour(db: Db, projectId: number, row: EventRow, side: 'older' | 'newer') {
  const [sign, direction] = side === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  let nearest: { event_id: string; received_at_ms: number; id: number } | null = null;
  for (const issueId of await membersOf(db, projectId, row.issueId)) {
    const found = await db.get<{ event_id: string; received_at_ms: number; id: number }>(
      `SELECT event_id, received_at_ms, id FROM events
       WHERE project_id = $1 AND issue_id = $2 AND (received_at_ms, id) ${sign} ($3, $4)
       ORDER BY received_at_ms ${direction}, id ${direction} LIMIT 1`,
      [projectId, issueId, row.receivedAtMs, row.row],
    );
    if (found === undefined) continue;
    const order =
      nearest === null ? -1 : found.received_at_ms - nearest.received_at_ms || found.id - nearest.id;
    if (nearest === null || (side === 'older' ? order > 0 : order < 0)) nearest = found;
  }
  return nearest?.event_id ?? null;
}

export function summaryOf({ row: _row, needsMapping, ...summary }: EventRow): EventSummary {
  return { ...summary, needsMapping: needsMapping === 1 };
}
