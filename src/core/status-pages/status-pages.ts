import {
  type ComponentRequest,
  type StatusPageChangeRequest,
  type StatusPageRequest,
  statusParts,
} from '../../../schemas/status-pages.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidId, invalidParam, type Owner, ofOwner } from '../errors.ts';
import { slugOf } from '../ids.ts';
import { oneLine } from '../reading/one-line.ts';
import type { KeptStatusPage, StatusPageChange, WrittenComponent } from '../store/status-pages/keeping.ts';
import type { ComponentState } from '../store/status-pages/status-pages.ts';
import { hostsOf, requireVerified } from './hosts.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'config'>;

const pagesMax = 200;
const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;

interface Asker extends AuditBy {
  /** The host of the request. It cannot become a custom domain. */
  readonly askedAt: string | undefined;
}

/** Not public until published. Throws 400 beyond 200 pages in a project. */
export function createStatusPage(
  deps: Parts,
  projectId: Owner,
  asked: StatusPageRequest,
  by: AuditBy,
  askedAt?: string,
): Promise<KeptStatusPage> {
  const asker = { ...by, askedAt };
  return actAudited(deps, by, async ({ store, config, now }) => {
    if ((await store.countStatusPages(projectId)) >= pagesMax) {
      throw badRequest(
        'notifier_too_many_status_pages',
        `A project may have at most ${pagesMax} status pages.`,
      );
    }
    const name = lineOf(asked.name, 'name');
    const result = await store.addStatusPage({
      projectId,
      slug: asked.slug == null ? slugOf(name, 'status') : givenSlug(asked.slug),
      isSlugFree: asked.slug == null,
      name,
      line: oneLine(asked.description ?? ''),
      isPublic: asked.published ?? false,
      hosts: await newHosts({ store, config }, { projectId, hosts: [] }, asked.hosts ?? [], asker),
      shows: [...new Set(asked.shows ?? statusParts)],
      components: await componentsOf({ store }, { projectId, components: [] }, asked.components ?? []),
      createdAtMs: now(),
      createdBy: by.actor.name,
    });
    return { result, told: auditEntry(result, 'status_page.created') };
  });
}

function auditEntry(
  { slug, projectId, name, isPublic, hosts, components }: KeptStatusPage,
  action: `status_page.${'created' | 'changed' | 'said' | 'deleted'}`,
): AuditedAct {
  const parts = `${components.length} ${components.length === 1 ? 'component' : 'components'}`;
  const facts = [isPublic ? 'public' : 'for members', parts, ...hosts].join(', ');
  const summary = action === 'status_page.deleted' ? '' : facts;
  return { action, object: { kind: 'status_page', id: slug, name }, projectId, summary };
}

export async function getStatusPage(
  { store }: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<KeptStatusPage> {
  return ofOwner(await store.findKeptStatusPage(id), projectId, 'status_page');
}

type AskedOfPage = StatusPageChangeRequest | ((page: KeptStatusPage) => StatusPageChangeRequest);

export function updateStatusPage(
  deps: Parts,
  projectId: Owner,
  id: number,
  asked: AskedOfPage,
  by: AuditBy,
  askedAt?: string,
): Promise<KeptStatusPage> {
  return actAudited(deps, by, async (parts) => {
    for (;;) {
      const before = await getStatusPage(parts, projectId, id);
      const request = typeof asked === 'function' ? asked(before) : asked;
      const change = await changeOf(parts, before, request, { ...by, askedAt });
      // Changed by another request meanwhile: read it again.
      const result = await parts.store.changeStatusPage(before, change);
      if (result !== null) return { result, told: auditEntry(result, 'status_page.changed') };
    }
  });
}

/** Sets the state of a component without monitors. Throws 404 for an unknown component. */
export function sayComponent(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  { id, componentId }: { readonly id: number; readonly componentId: number },
  state: ComponentState,
  by: AuditBy,
): Promise<KeptStatusPage> {
  return actAudited(deps, by, async ({ store }) => {
    for (;;) {
      const before = await getStatusPage({ store }, projectId, id);
      const component = before.components.find((each) => each.id === componentId);
      if (component === undefined) throw invalidId('component');
      if (component.monitorIds.length > 0) throw fedByMonitors();
      const components = before.components.map((each) =>
        each.id === componentId ? { ...each, state } : each,
      );
      const result = await store.changeStatusPage(before, { ...before, components });
      if (result !== null) return { result, told: auditEntry(result, 'status_page.said') };
    }
  });
}

export function deleteStatusPage(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<KeptStatusPage> {
  return actAudited(deps, by, async ({ store }) => {
    const there = await getStatusPage({ store }, projectId, id);
    const result = (await store.deleteStatusPage(id)) ?? there;
    return { result, told: auditEntry(result, 'status_page.deleted') };
  });
}

async function changeOf(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  before: KeptStatusPage,
  asked: StatusPageChangeRequest,
  by: Asker,
): Promise<StatusPageChange> {
  return {
    slug: asked.slug == null || asked.slug === before.slug ? before.slug : givenSlug(asked.slug),
    name: asked.name == null ? before.name : lineOf(asked.name, 'name'),
    line: asked.description == null ? before.line : oneLine(asked.description),
    isPublic: asked.published ?? before.isPublic,
    hosts: asked.hosts == null ? before.hosts : await newHosts({ store, config }, before, asked.hosts, by),
    shows: asked.shows == null ? before.shows : [...new Set(asked.shows)],
    components:
      asked.components == null ? before.components : await componentsOf({ store }, before, asked.components),
  };
}

/** Project keys can only add verified hosts; hosts that the page already has stay. */
async function newHosts(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  { projectId, hosts: before }: Pick<KeptStatusPage, 'projectId' | 'hosts'>,
  asked: readonly string[],
  { actor, askedAt }: Asker,
): Promise<string[]> {
  const hosts = hostsOf(asked, config, askedAt);
  const added = hosts.filter((host) => !before.includes(host));
  if (actor.kind !== 'key' || added.length === 0) return hosts;
  requireVerified(added, projectId === null ? [] : await store.listProofs(projectId));
  return hosts;
}

async function componentsOf(
  { store }: Pick<Deps, 'store'>,
  { projectId, components: before }: Pick<KeptStatusPage, 'projectId' | 'components'>,
  asked: readonly ComponentRequest[],
): Promise<WrittenComponent[]> {
  const monitors = new Map((await store.listKeptMonitors(projectId)).map((each) => [each.id, each]));
  const named = new Set<number>();
  return asked.map(({ component_id: id = null, name, group, monitors: ids, state }) => {
    const known = before.find((each) => each.id === id);
    if (id !== null && (known === undefined || named.has(id))) {
      throw invalidParam({
        components: `components: ${id} is not a component of this page, or is listed twice.`,
      });
    }
    if (id !== null) named.add(id);
    const monitorIds = [...new Set(ids ?? known?.monitorIds ?? [])];
    const missing = monitorIds.find((each) => !monitors.has(each));
    if (missing !== undefined) {
      throw invalidParam({ components: `components: there is no monitor ${missing}.` });
    }
    if (monitorIds.length > 0 && state != null) throw fedByMonitors();
    return {
      id,
      name: lineOf(name, 'components'),
      group: group == null ? (known?.group ?? '') : oneLine(group),
      monitorIds,
      state: monitorIds.length > 0 ? 'working' : (state ?? known?.state ?? 'working'),
    };
  });
}

function fedByMonitors(): Error {
  return invalidParam({ state: 'state cannot be set for a component with monitors.' });
}

function lineOf(said: string, field: string): string {
  const line = oneLine(said);
  if (line !== '') return line;
  throw invalidParam({
    [field]:
      field === 'name' ? 'name must not be empty.' : `${field} must have names of at least one character.`,
  });
}

function givenSlug(slug: string): string {
  if (slugPattern.test(slug) && slug !== 'new') return slug;
  throw invalidParam({
    slug: 'slug must be lowercase letters, digits and hyphens, for example shop-status, and not "new".',
  });
}
