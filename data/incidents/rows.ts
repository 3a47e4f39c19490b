// Incidents as rows, with what was said of them and what they have to do with.
import type {
  Incident,
  IncidentLink,
  IncidentState,
  IncidentTie,
  IncidentUpdate,
} from '../../src/core/store/incidents/incidents.ts';
import type { KeptIncident } from '../../src/core/store/incidents/keeping.ts';
import { numberOrNull } from '../columns.ts';
import type { Query, SqlValue } from '../db.ts';
import { listOf, readLists } from '../value-lists.ts';

interface IncidentRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly monitor_id: number | null;
  readonly rule_id: number | null;
  readonly title: string;
  readonly is_titled: number;
  readonly severity: string;
  readonly state: string;
  readonly opened_by: string;
  readonly lead: string | null;
  readonly cause: string;
  readonly started_at_ms: number;
  readonly acknowledged_at_ms: number | null;
  readonly identified_at_ms: number | null;
  readonly mended_at_ms: number | null;
  readonly resolved_at_ms: number | null;
  readonly planned_end_at_ms: number | null;
  readonly is_touched: number;
  readonly version: number;
  readonly post_mortem: string | null;
  readonly post_mortem_by: string | null;
  readonly post_mortem_at_ms: number | null;
  readonly post_mortem_public: number | null;
}

interface UpdateRow {
  readonly incident_id: number;
  readonly at_ms: number;
  readonly author: string;
  readonly is_public: number;
  readonly body: string;
  readonly from_state: string | null;
  readonly to_state: string | null;
}

interface LinkRow {
  readonly incident_id: number;
  readonly side: string;
  readonly kind: string;
  readonly object_id: number;
  readonly project_id: number | null;
  readonly name: string;
  readonly why: string;
  readonly before_ms: number | null;
  readonly linked_by: string | null;
  readonly is_dismissed: number;
}

/** What reads the updates of incidents; null for none of them. */
type UpdatesBy = ((marks: string) => string) | null;

/** Whole incidents, the newest first. */
export async function readIncidents(
  query: Query,
  where: string,
  values: readonly SqlValue[],
  updatesBy: UpdatesBy = allUpdates,
): Promise<KeptIncident[]> {
  const rows = await query.all<IncidentRow>(
    `SELECT * FROM incidents ${where} ORDER BY started_at_ms DESC, id DESC`,
    values,
  );
  const ids = rows.map(({ id }) => id);
  const updates =
    updatesBy === null
      ? []
      : await readLists(ids, 1, ({ marks, values: list }) => query.all<UpdateRow>(updatesBy(marks), list));
  const links = await readLists(ids, 1, ({ marks, values: list }) =>
    query.all<LinkRow>(
      `SELECT * FROM incident_links WHERE incident_id IN (${marks}) ORDER BY incident_id, kind, object_id`,
      list,
    ),
  );
  const updatesOf = Map.groupBy(updates, (row) => Number(row.incident_id));
  const linksOf = Map.groupBy(links, (row) => Number(row.incident_id));
  return rows.map((row) =>
    incidentOf(row, updatesOf.get(Number(row.id)) ?? [], linksOf.get(Number(row.id)) ?? []),
  );
}

/** Those that go on, the newest first, of whose updates the newest alone is read: there may be hundreds. */
export async function readOpen(query: Query): Promise<KeptIncident[]> {
  const where = 'WHERE resolved_at_ms IS NULL';
  return readIncidents(query, where, [], newestUpdates);
}

/** Those of these numbers that are there, in no order. */
export async function readSome(
  query: Query,
  ids: readonly number[],
  updatesBy: UpdatesBy = allUpdates,
): Promise<KeptIncident[]> {
  return readLists(ids, 1, ({ marks, values }) =>
    readIncidents(query, `WHERE id IN (${marks})`, values, updatesBy),
  );
}

/** Those that have to do with some things, the newest first, without what was said of them. */
export async function readTied(
  query: Query,
  { side, kind, ids }: IncidentTie,
  fromMs: number,
): Promise<KeptIncident[]> {
  const list = listOf(ids, 4);
  const where = `WHERE id IN (SELECT incident_id FROM incident_links
      WHERE kind = $1 AND side = $2 AND object_id IN (${list.marks}))
    AND (resolved_at_ms IS NULL OR resolved_at_ms >= $3 OR started_at_ms >= $3)`;
  return readIncidents(query, where, [kind, side, fromMs, ...list.values], null);
}

function allUpdates(marks: string): string {
  return `SELECT * FROM incident_updates WHERE incident_id IN (${marks}) ORDER BY incident_id, id DESC`;
}

/** For `readSome`, the newest of each. */
export function newestUpdates(marks: string): string {
  return `SELECT u.* FROM incidents i JOIN incident_updates u
      ON u.id = (SELECT MAX(id) FROM incident_updates WHERE incident_id = i.id)
    WHERE i.id IN (${marks})`;
}

function incidentOf(
  row: IncidentRow,
  updates: readonly UpdateRow[],
  links: readonly LinkRow[],
): KeptIncident {
  const ofSide = (side: string): IncidentLink[] => links.filter((each) => each.side === side).map(linkOf);
  return {
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    monitorId: numberOrNull(row.monitor_id),
    ruleId: numberOrNull(row.rule_id),
    title: row.title,
    ...(Number(row.is_titled) === 1 ? {} : { isNamedByProgram: true }),
    severity: row.severity as Incident['severity'],
    state: row.state as IncidentState,
    openedBy: row.opened_by,
    lead: row.lead,
    cause: row.cause,
    startedAtMs: Number(row.started_at_ms),
    acknowledgedAtMs: numberOrNull(row.acknowledged_at_ms),
    identifiedAtMs: numberOrNull(row.identified_at_ms),
    mendedAtMs: numberOrNull(row.mended_at_ms),
    resolvedAtMs: numberOrNull(row.resolved_at_ms),
    isTouched: Number(row.is_touched) === 1,
    version: Number(row.version),
    affects: ofSide('affects'),
    links: ofSide('cause'),
    updates: updates.map(updateOf),
    plannedEndAtMs: numberOrNull(row.planned_end_at_ms),
    helpers: [],
    told: [],
    usersAffected: null,
    postMortem: postMortemOf(row),
  };
}

function postMortemOf(row: IncidentRow): Incident['postMortem'] {
  if (row.post_mortem === null) return null;
  return {
    author: row.post_mortem_by ?? '',
    writtenAtMs: Number(row.post_mortem_at_ms),
    isPublic: Number(row.post_mortem_public) === 1,
    markdown: row.post_mortem,
    parts: [],
    actions: [],
  };
}

function updateOf(row: UpdateRow): IncidentUpdate {
  return {
    atMs: Number(row.at_ms),
    author: row.author,
    isPublic: Number(row.is_public) === 1,
    body: row.body,
    from: row.from_state as IncidentState | null,
    to: row.to_state as IncidentState | null,
  };
}

function linkOf(row: LinkRow): IncidentLink {
  return {
    kind: row.kind as IncidentLink['kind'],
    id: Number(row.object_id),
    projectId: numberOrNull(row.project_id),
    name: row.name,
    why: row.why,
    beforeMs: numberOrNull(row.before_ms),
    linkedBy: row.linked_by,
    isDismissed: Number(row.is_dismissed) === 1,
  };
}
