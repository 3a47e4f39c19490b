// Status pages in SQL: what is asked of them, and what is done with them. Queries only.

import { invalidParam } from '../../src/core/errors.ts';
import { stateFedBy } from '../../src/core/status-pages/states.ts';
import type { MonitorState } from '../../src/core/store/monitors/monitors.ts';
import type {
  KeptStatusPage,
  NewStatusPage,
  StatusPageChange,
  StatusPageStore,
  WrittenComponent,
} from '../../src/core/store/status-pages/keeping.ts';
import type {
  Component,
  ComponentState,
  StatusPart,
} from '../../src/core/store/status-pages/status-pages.ts';
import { numberOrNull, ofOwner } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readLists } from '../value-lists.ts';

/** The queries of `StatusPageStore`. */
export function statusPageStore(db: Db): StatusPageStore {
  return {
    listStatusPages: () => readStatusPages(db, '', []),
    findStatusPage: async (slug) => (await readStatusPages(db, 'WHERE slug = $1', [slug]))[0] ?? null,
    listKeptStatusPages: (projectId) =>
      projectId === null
        ? readStatusPages(db, '', [])
        : readStatusPages(db, 'WHERE project_id = $1', [projectId]),
    findKeptStatusPage: (id) => findPage(db, id),
    async countStatusPages(projectId) {
      const owner = ofOwner(projectId);
      const row = await db.get<{ count: number }>(
        `SELECT COUNT(*) AS count FROM status_pages WHERE ${owner.sql}`,
        owner.values,
      );
      return Number(row?.count ?? 0);
    },
    addStatusPage: (page) => db.write((tx) => addPage(tx, page)),
    changeStatusPage: (page, change) => db.write((tx) => changePage(tx, page, change)),
    deleteStatusPage: (id) =>
      db.write(async (tx) => {
        const there = await findPage(tx, id);
        for (const table of ['status_page_hosts', 'status_components']) {
          await tx.run(`DELETE FROM ${table} WHERE page_id = $1`, [id]);
        }
        await tx.run('DELETE FROM status_pages WHERE id = $1', [id]);
        return there;
      }),
    async publishedPages() {
      const rows = await db.all<{ readonly slug: string; readonly host: string | null }>(
        `SELECT slug, host FROM status_pages LEFT JOIN status_page_hosts ON page_id = id
         WHERE is_public = 1 ORDER BY id, place`,
      );
      return [...Map.groupBy(rows, ({ slug }) => slug)].map(([slug, own]) => ({
        slug,
        hosts: own.flatMap(({ host }) => host ?? []),
      }));
    },
  };
}

async function findPage(query: Query, id: number): Promise<KeptStatusPage | null> {
  return (await readStatusPages(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function addPage(tx: Query, page: NewStatusPage): Promise<KeptStatusPage> {
  const id = await addRow(tx, page);
  await writeHosts(tx, id, page.hosts);
  await writeComponents(tx, id, page.components);
  const made = await findPage(tx, id);
  if (made === null) throw new Error('What was written just now is not there.');
  return made;
}

/** Ends before long: there are fewer pages than numbers. */
async function addRow(tx: Query, page: NewStatusPage): Promise<number> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? page.slug : `${page.slug}-${number}`;
    const row = await tx.get<{ id: number }>(
      `INSERT INTO status_pages (project_id, slug, name, line, is_public, shows, version, created_at_ms,
         created_by)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8) ON CONFLICT (slug) DO NOTHING RETURNING id`,
      [
        page.projectId,
        slug,
        page.name,
        page.line,
        page.isPublic ? 1 : 0,
        JSON.stringify(page.shows),
        page.createdAtMs,
        page.createdBy,
      ],
    );
    if (row !== undefined) return Number(row.id);
    if (!page.isSlugFree) throw slugTaken(slug);
  }
}

async function changePage(
  tx: Query,
  { id, version }: Pick<KeptStatusPage, 'id' | 'version'>,
  change: StatusPageChange,
): Promise<KeptStatusPage | null> {
  const row = await tx.get<{ id: number }>(
    `UPDATE status_pages SET name = $3, line = $4, is_public = $5, shows = $6, version = version + 1
     WHERE id = $1 AND version = $2 RETURNING id`,
    [id, version, change.name, change.line, change.isPublic ? 1 : 0, JSON.stringify(change.shows)],
  );
  if (row === undefined) return null;
  await moveTo(tx, id, change.slug);
  await writeHosts(tx, id, change.hosts);
  await writeComponents(tx, id, change.components);
  return findPage(tx, id);
}

/** Who takes the same slug at the same moment meets the constraint. */
async function moveTo(tx: Query, id: number, slug: string): Promise<void> {
  const { changes } = await tx.run(
    `UPDATE status_pages SET slug = $2
     WHERE id = $1
       AND NOT EXISTS (SELECT 1 FROM status_pages AS other WHERE other.slug = $2 AND other.id <> $1)`,
    [id, slug],
  );
  if (changes === 0) throw slugTaken(slug);
}

async function writeHosts(tx: Query, id: number, hosts: readonly string[]): Promise<void> {
  await tx.run('DELETE FROM status_page_hosts WHERE page_id = $1', [id]);
  for (const [place, host] of hosts.entries()) {
    const { changes } = await tx.run(
      `INSERT INTO status_page_hosts (host, page_id, place) VALUES ($1, $2, $3)
       ON CONFLICT (host) DO NOTHING`,
      [host, id, place],
    );
    if (changes === 0) {
      throw invalidParam({ hosts: `hosts must not name a host of another status page, which ${host} is.` });
    }
  }
}

/** Those with a number stay what they are; those that are not named are gone. */
async function writeComponents(
  tx: Query,
  pageId: number,
  components: readonly WrittenComponent[],
): Promise<void> {
  const rows = await tx.all<{ id: number }>('SELECT id FROM status_components WHERE page_id = $1', [pageId]);
  const kept = new Set(components.map(({ id }) => id));
  for (const { id } of rows) {
    if (!kept.has(Number(id))) await tx.run('DELETE FROM status_components WHERE id = $1', [id]);
  }
  for (const [place, { id, name, group, monitorIds, state }] of components.entries()) {
    const values = [pageId, place, name, group, JSON.stringify(monitorIds), state];
    if (id === null) {
      await tx.run(
        `INSERT INTO status_components (page_id, place, name, group_name, monitor_ids, state)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        values,
      );
    } else {
      await tx.run(
        `UPDATE status_components SET place = $2, name = $3, group_name = $4, monitor_ids = $5, state = $6
         WHERE page_id = $1 AND id = $7`,
        [...values, id],
      );
    }
  }
}

function slugTaken(slug: string): Error {
  return invalidParam({ slug: `slug must not be that of another status page, which ${slug} is.` });
}

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
async function readStatusPages(
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
