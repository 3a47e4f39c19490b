import type {
  Incident,
  IncidentLink,
  IncidentRecord,
  IncidentState,
} from '../../src/core/store/incidents.ts';
import type { Query, SqlValue } from '../db.ts';
import { defaulted, flag, integer, named, nullable, oneOf, type RowOf, tableOf, text } from '../table.ts';
import { readInLists } from '../value-lists.ts';

export const incidents = tableOf('incidents', {
  id: defaulted(integer),
  projectId: nullable(integer),
  monitorId: nullable(integer),
  title: text,
  severity: oneOf<Incident['severity']>(),
  state: oneOf<IncidentState>(),
  openedBy: text,
  lead: nullable(text),
  cause: text,
  startedAtMs: integer,
  acknowledgedAtMs: nullable(integer),
  identifiedAtMs: defaulted(nullable(integer)),
  mitigatedAtMs: defaulted(nullable(integer)),
  resolvedAtMs: defaulted(nullable(integer)),
  isHandled: flag,
  version: integer,
  postMortem: defaulted(nullable(text)),
  postMortemBy: defaulted(nullable(text)),
  postMortemAtMs: defaulted(nullable(integer)),
  postMortemPublic: defaulted(nullable(flag)),
  plannedEndAtMs: nullable(integer),
  ruleId: nullable(integer),
  ruleObject: nullable(text),
  hasCustomTitle: flag,
}).without('ruleObject');

export const updates = tableOf('incident_updates', {
  id: defaulted(integer),
  incidentId: integer,
  atMs: integer,
  author: text,
  isPublic: flag,
  body: text,
  from: named('from_state', nullable(oneOf<IncidentState>())),
  to: named('to_state', nullable(oneOf<IncidentState>())),
}).without('id');

export const links = tableOf('incident_links', {
  incidentId: integer,
  side: oneOf<'affects' | 'cause'>(),
  kind: oneOf<IncidentLink['kind']>(),
  id: named('object_id', integer),
  projectId: nullable(integer),
  name: text,
  why: text,
  beforeMs: nullable(integer),
  linkedBy: nullable(text),
  isDismissed: flag,
});

/** SELECT of the updates of some incidents; null for none. */
type UpdatesBy = ((placeholders: string) => string) | null;

/** Newest first. */
export async function readIncidents(
  query: Query,
  where: string,
  values: readonly SqlValue[],
  updatesBy: UpdatesBy = allUpdates,
): Promise<IncidentRecord[]> {
  const rows = await incidents.list(query, `${where} ORDER BY started_at_ms DESC, id DESC`, values);
  const ids = rows.map(({ id }) => id);
  const updateRows =
    updatesBy === null
      ? []
      : await readInLists(ids, 1, ({ placeholders, values: list }) =>
          query.all(updatesBy(placeholders), list),
        );
  const linkRows = await readInLists(ids, 1, ({ placeholders, values: list }) =>
    links.list(query, `WHERE incident_id IN (${placeholders}) ORDER BY incident_id, kind, object_id`, list),
  );
  const updatesOf = Map.groupBy(updateRows.map(updates.rowOf), ({ incidentId }) => incidentId);
  const linksOf = Map.groupBy(linkRows, ({ incidentId }) => incidentId);
  return rows.map((row) => incidentOf(row, updatesOf.get(row.id) ?? [], linksOf.get(row.id) ?? []));
}

export async function readByIds(
  query: Query,
  ids: readonly number[],
  updatesBy: UpdatesBy = allUpdates,
): Promise<IncidentRecord[]> {
  return readInLists(ids, 1, ({ placeholders, values }) =>
    readIncidents(query, `WHERE id IN (${placeholders})`, values, updatesBy),
  );
}

function allUpdates(placeholders: string): string {
  return `SELECT ${updates.columns()} FROM incident_updates WHERE incident_id IN (${placeholders}) ORDER BY incident_id, id DESC`;
}

export function newestUpdates(placeholders: string): string {
  return `SELECT ${updates.columns('u')} FROM incidents i JOIN incident_updates u
      ON u.id = (SELECT MAX(id) FROM incident_updates WHERE incident_id = i.id)
    WHERE i.id IN (${placeholders})`;
}

function incidentOf(
  {
    hasCustomTitle,
    postMortem,
    postMortemBy,
    postMortemAtMs,
    postMortemPublic,
    ...row
  }: RowOf<typeof incidents>,
  allUpdates: ReadonlyArray<RowOf<typeof updates>>,
  linkRows: ReadonlyArray<RowOf<typeof links>>,
): IncidentRecord {
  const ofSide = (side: 'affects' | 'cause'): IncidentLink[] =>
    linkRows.filter((link) => link.side === side).map(({ incidentId: _id, side: _side, ...link }) => link);
  return {
    ...row,
    ...(hasCustomTitle ? {} : { isNamedByProgram: true }),
    affects: ofSide('affects'),
    links: ofSide('cause'),
    updates: allUpdates.map(({ incidentId: _id, ...update }) => update),
    helpers: [],
    told: [],
    usersAffected: null,
    postMortem:
      postMortem === null
        ? null
        : {
            author: postMortemBy ?? '',
            writtenAtMs: postMortemAtMs ?? 0,
            isPublic: postMortemPublic === true,
            markdown: postMortem,
            parts: [],
            actions: [],
          },
  };
}
