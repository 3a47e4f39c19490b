import { brandImages, type StatusPageLanguage } from '../../schemas/status-pages.ts';
import { createInvalidParamError } from '../../src/core/errors.ts';
import { stateFromMonitors } from '../../src/core/status-pages/states.ts';
import type { MonitorState } from '../../src/core/store/monitors.ts';
import type {
  BrandImageInfo,
  BrandImageKind,
  Component,
  ComponentChange,
  ComponentState,
  NewStatusPage,
  StatusPageChange,
  StatusPageRecord,
  StatusPageStore,
  StatusPart,
} from '../../src/core/store/status-pages.ts';
import type { Db, Query, SqlValue, StoreMethod } from '../db.ts';
import { monitors } from '../monitors/rows.ts';
import { countRows } from '../paging.ts';
import {
  bytes,
  defaulted,
  flag,
  integer,
  json,
  named,
  nullable,
  oneOf,
  ownerCondition,
  type RowOf,
  tableOf,
  text,
} from '../table.ts';
import { readInLists } from '../value-lists.ts';

const partTables = [
  'status_page_hosts',
  'status_components',
  'status_page_images',
  'status_deliveries',
  'status_messages',
  'status_subscribers',
];

export function statusPageStore(db: Db): StatusPageStore {
  return {
    findStatusPage: async (slug) => (await readStatusPages(db, 'WHERE slug = $1', [slug]))[0] ?? null,
    listStatusPages: (projectId) =>
      projectId === null
        ? readStatusPages(db, '', [])
        : readStatusPages(db, 'WHERE project_id = $1', [projectId]),
    findStatusPageRecord: (id) => findPage(db, id),
    countStatusPages(projectId) {
      const owner = ownerCondition(projectId);
      return countRows(db, `FROM status_pages WHERE ${owner.sql}`, owner.values);
    },
    addStatusPage: (page) => db.write((tx) => addPage(tx, page)),
    changeStatusPage: (page, change) => db.write((tx) => changePage(tx, page, change)),
    deleteStatusPage: (id) =>
      db.write(async (tx) => {
        const deleted = await findPage(tx, id);
        for (const table of partTables) {
          await tx.run(`DELETE FROM ${table} WHERE page_id = $1`, [id]);
        }
        await tx.run('DELETE FROM status_pages WHERE id = $1', [id]);
        return deleted;
      }),
    findBrandImage: (pageId, kind) => pageImages.find(db, 'WHERE page_id = $1 AND kind = $2', [pageId, kind]),
    async publishedPages() {
      const rows = await db.all<{ readonly slug: string; readonly host: string | null }>(
        `SELECT slug, host FROM status_pages LEFT JOIN status_page_hosts ON page_id = id
         WHERE is_public = 1 ORDER BY id, position`,
      );
      return [...Map.groupBy(rows, ({ slug }) => slug)].map(([slug, hostRows]) => ({
        slug,
        hosts: hostRows.flatMap(({ host }) => host ?? []),
      }));
    },
  };
}

async function findPage(query: Query, id: number): Promise<StatusPageRecord | null> {
  return (await readStatusPages(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function addPage(tx: Query, page: NewStatusPage): Promise<StatusPageRecord> {
  const id = await addRow(tx, page);
  await writeHosts(tx, id, page.hosts);
  await writeComponents(tx, id, page.components);
  await writeImages(tx, id, page.newImages);
  const created = await findPage(tx, id);
  if (created === null) throw new Error('The row was not found after it was written.');
  return created;
}

/** The loop ends, since there are fewer pages than numbers. */
async function addRow(tx: Query, page: NewStatusPage): Promise<number> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? page.slug : `${page.slug}-${number}`;
    const row = await pages.insertReturning(
      tx,
      { ...page, slug, version: 1 },
      { onConflict: '(slug) DO NOTHING' },
    );
    if (row !== null) return row.id;
    if (!page.isSlugFree) throw slugTaken(slug);
  }
}

const changePage: StoreMethod<'changeStatusPage'> = async (tx, { id, version }, change) => {
  const { name, description, isPublic, shows, language, accent } = change;
  const changes = await pages.update(
    tx,
    { name, description, isPublic, shows, language, accent },
    { where: 'id = $1 AND version = $2', values: [id, version], extraAssignment: 'version = version + 1' },
  );
  if (changes === 0) return null;
  await moveTo(tx, id, change.slug);
  await writeHosts(tx, id, change.hosts);
  await writeComponents(tx, id, change.components);
  await writeImages(tx, id, change.newImages);
  return findPage(tx, id);
};

/** The constraint decides when two pages take one slug at the same time. */
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
  for (const [position, host] of hosts.entries()) {
    const row = { host, pageId: id, position };
    const changes = await pageHosts.insert(tx, row, { onConflict: '(host) DO NOTHING' });
    if (changes === 0) {
      throw createInvalidParamError({
        hosts: `hosts must not name a host of another status page, which ${host} is.`,
      });
    }
  }
}

async function writeImages(tx: Query, pageId: number, images: StatusPageChange['newImages']): Promise<void> {
  for (const kind of brandImages) {
    const image = images[kind];
    if (image === undefined) continue;
    await tx.run('DELETE FROM status_page_images WHERE page_id = $1 AND kind = $2', [pageId, kind]);
    if (image !== null) await pageImages.insert(tx, { ...image, pageId, kind });
  }
}

/** Components with an id are changed, those not named are removed. */
async function writeComponents(tx: Query, pageId: number, components: readonly ComponentChange[]) {
  const existing = await componentTable.list(tx, 'WHERE page_id = $1', [pageId]);
  const keptIds = new Set(components.map(({ id }) => id));
  for (const { id } of existing) {
    if (!keptIds.has(id)) await tx.run('DELETE FROM status_components WHERE id = $1', [id]);
  }
  for (const [position, { id, ...component }] of components.entries()) {
    const { name, group, monitorIds, state } = component;
    const row = { position, name, group, monitorIds, state };
    if (id === null) await componentTable.insert(tx, { ...row, pageId });
    else await componentTable.update(tx, row, { where: 'page_id = $1 AND id = $2', values: [pageId, id] });
  }
}

function slugTaken(slug: string): Error {
  return createInvalidParamError({ slug: `slug must not be that of another status page, which ${slug} is.` });
}

const pages = tableOf('status_pages', {
  id: defaulted(integer),
  projectId: nullable(integer),
  slug: text,
  name: text,
  description: text,
  isPublic: flag,
  shows: json<readonly StatusPart[]>(),
  language: oneOf<StatusPageLanguage>(),
  accent: nullable(text),
  version: integer,
  createdAtMs: integer,
  createdBy: text,
});

const pageHosts = tableOf('status_page_hosts', { host: text, pageId: integer, position: integer });

const pageImages = tableOf('status_page_images', {
  pageId: integer,
  kind: oneOf<BrandImageKind>(),
  contentType: text,
  width: integer,
  height: integer,
  size: integer,
  bytes,
});

const componentTable = tableOf('status_components', {
  id: defaulted(integer),
  pageId: integer,
  position: integer,
  name: text,
  group: named('group_name', text),
  monitorIds: json<readonly number[]>(),
  state: oneOf<ComponentState>(),
});

async function readStatusPages(
  query: Query,
  where: string,
  values: readonly SqlValue[],
): Promise<StatusPageRecord[]> {
  const rows = await pages.list(query, `${where} ORDER BY id`, values);
  const ids = rows.map(({ id }) => id);
  const hosts = await readInLists(ids, 1, ({ placeholders, values: list }) =>
    pageHosts.list(query, `WHERE page_id IN (${placeholders}) ORDER BY page_id, position`, list),
  );
  const components = await readInLists(ids, 1, ({ placeholders, values: list }) =>
    componentTable.list(query, `WHERE page_id IN (${placeholders}) ORDER BY page_id, position, id`, list),
  );
  const images = await readInLists(ids, 1, ({ placeholders, values: list }) =>
    pageImages.without('bytes').list(query, `WHERE page_id IN (${placeholders})`, list),
  );
  const imageOf = (id: number, kind: BrandImageKind): BrandImageInfo | null =>
    images.find((each) => each.pageId === id && each.kind === kind) ?? null;
  const states = await statesOf(query, [...new Set(components.flatMap(({ monitorIds }) => monitorIds))]);
  const hostsOf = Map.groupBy(hosts, ({ pageId }) => pageId);
  const componentsOf = Map.groupBy(components, ({ pageId }) => pageId);
  return rows.map((row) => ({
    ...row,
    images: { logo: imageOf(row.id, 'logo'), favicon: imageOf(row.id, 'favicon') },
    hosts: (hostsOf.get(row.id) ?? []).map(({ host }) => host),
    components: (componentsOf.get(row.id) ?? []).map((component) => componentOf(component, states)),
    followers: null,
  }));
}

function componentOf(
  { id, name, group, monitorIds, state }: RowOf<typeof componentTable>,
  states: ReadonlyMap<number, MonitorState>,
): Component {
  const existingIds = monitorIds.filter((monitorId) => states.has(monitorId));
  const monitorStates = existingIds.flatMap((monitorId) => states.get(monitorId) ?? []);
  return {
    id,
    name,
    group,
    monitorIds: existingIds,
    state: existingIds.length === 0 ? state : stateFromMonitors(monitorStates),
  };
}

async function statesOf(query: Query, ids: readonly number[]): Promise<Map<number, MonitorState>> {
  const rows = await readInLists(ids, 1, (list) =>
    monitors.only('id', 'state').list(query, `WHERE id IN (${list.placeholders})`, list.values),
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}
