// Status pages as rows, with their hosts and parts, and how the monitors that feed those stand.
import { stateFedBy } from '../../src/core/status-pages/states.ts';
import type { MonitorState } from '../../src/core/store/monitors/monitors.ts';
import type { KeptStatusPage } from '../../src/core/store/status-pages/keeping.ts';
import type {
  Component,
  ComponentState,
  StatusPart,
} from '../../src/core/store/status-pages/status-pages.ts';
import { numberOrNull } from '../columns.ts';
import type { Query, SqlValue } from '../db.ts';
import { readLists } from '../value-lists.ts';

interface PageRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly slug: string;
  readonly name: string;
  readonly line: string;
  readonly is_public: number;
  readonly shows: string;
  readonly version: number;
  readonly created_at_ms: number;
  readonly created_by: string;
}

interface ComponentRow {
  readonly id: number;
  readonly page_id: number;
  readonly name: string;
  readonly group_name: string;
  readonly monitor_ids: string;
  readonly state: string;
}

interface Fed {
  readonly row: ComponentRow;
  readonly monitorIds: readonly number[];
}

/** Whole pages, as they were made. */
export async function readStatusPages(
  query: Query,
  where: string,
  values: readonly SqlValue[],
): Promise<KeptStatusPage[]> {
  const rows = await query.all<PageRow>(`SELECT * FROM status_pages ${where} ORDER BY id`, values);
  const ids = rows.map(({ id }) => Number(id));
  const hosts = await readLists(ids, 1, (list) =>
    query.all<{ readonly page_id: number; readonly host: string }>(
      `SELECT page_id, host FROM status_page_hosts WHERE page_id IN (${list.marks}) ORDER BY page_id, place`,
      list.values,
    ),
  );
  const components = await readLists(ids, 1, (list) =>
    query.all<ComponentRow>(
      `SELECT * FROM status_components WHERE page_id IN (${list.marks}) ORDER BY page_id, place, id`,
      list.values,
    ),
  );
  const fed = components.map((row) => ({ row, monitorIds: JSON.parse(row.monitor_ids) as number[] }));
  const states = await statesOf(query, [...new Set(fed.flatMap(({ monitorIds }) => monitorIds))]);
  const hostsOf = Map.groupBy(hosts, (row) => Number(row.page_id));
  const componentsOf = Map.groupBy(fed, ({ row }) => Number(row.page_id));
  return rows.map((row) => ({
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    slug: row.slug,
    name: row.name,
    line: row.line,
    isPublic: Number(row.is_public) === 1,
    shows: JSON.parse(row.shows) as StatusPart[],
    hosts: (hostsOf.get(Number(row.id)) ?? []).map(({ host }) => host),
    components: (componentsOf.get(Number(row.id)) ?? []).map((each) => componentOf(each, states)),
    followers: null,
    version: Number(row.version),
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
  }));
}

/** A monitor that was deleted feeds nothing any more. */
function componentOf({ row, monitorIds }: Fed, states: ReadonlyMap<number, MonitorState>): Component {
  const there = monitorIds.filter((id) => states.has(id));
  const fedBy = there.flatMap((id) => states.get(id) ?? []);
  return {
    id: Number(row.id),
    name: row.name,
    group: row.group_name,
    monitorIds: there,
    state: there.length === 0 ? (row.state as ComponentState) : stateFedBy(fedBy),
  };
}

async function statesOf(query: Query, ids: readonly number[]): Promise<Map<number, MonitorState>> {
  const rows = await readLists(ids, 1, (list) =>
    query.all<{ readonly id: number; readonly state: string }>(
      `SELECT id, state FROM monitors WHERE id IN (${list.marks})`,
      list.values,
    ),
  );
  return new Map(rows.map(({ id, state }) => [Number(id), state as MonitorState]));
}
