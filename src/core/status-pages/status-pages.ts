import {
  brandImages,
  type ComponentRequest,
  type StatusPageChangeRequest,
  type StatusPageRequest,
  statusParts,
} from '../../../schemas/status-pages.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createGetter,
  createInvalidParamError,
  createNotFoundError,
  createTooManyError,
  type OwnerProjectId,
} from '../errors.ts';
import { createSlug } from '../ids.ts';
import { requireLine, toOneLine } from '../parsing/display-text.ts';
import type {
  ComponentChange,
  ComponentState,
  StatusPageChange,
  StatusPageRecord,
} from '../store/status-pages.ts';
import { readAccent, readBrandImage } from './brand.ts';
import { readHosts, requireVerifiedHosts } from './hosts.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'config'>;

const pagesMax = 200;
const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;

interface StatusPageEditor extends AuditSource {
  /** The host of the request. It cannot become a custom domain. */
  readonly askedAt: string | undefined;
}

/** Not public until published. Throws 400 beyond 200 pages in a project. */
export function createStatusPage(
  deps: ServiceDeps,
  projectId: OwnerProjectId,
  input: StatusPageRequest,
  by: AuditSource,
  askedAt?: string,
): Promise<StatusPageRecord> {
  const requester = { ...by, askedAt };
  return runAudited(deps, by, async ({ store, config, now }) => {
    if ((await store.countStatusPages(projectId)) >= pagesMax) {
      throw createTooManyError('notifier_too_many_status_pages', `${pagesMax} status pages`);
    }
    const name = requireLine(input.name, 'name');
    const result = await store.addStatusPage({
      projectId,
      slug: input.slug == null ? createSlug(name, 'status') : requireSlug(input.slug),
      isSlugFree: input.slug == null,
      name,
      description: toOneLine(input.description ?? ''),
      isPublic: input.published ?? false,
      hosts: await readAllowedHosts(
        { store, config },
        { projectId, hosts: [] },
        input.hosts ?? [],
        requester,
      ),
      shows: [...new Set(input.shows ?? statusParts)],
      language: input.language ?? 'en',
      accent: readAccent(input.accent ?? ''),
      newImages: readNewImages(input),
      components: await readComponents({ store }, { projectId, components: [] }, input.components ?? []),
      createdAtMs: now(),
      createdBy: by.actor.name,
    });
    return { result, auditEvent: auditEntry(result, 'status_page.created') };
  });
}

function auditEntry(
  { slug, projectId, name, isPublic, hosts, components }: StatusPageRecord,
  action: `status_page.${'created' | 'changed' | 'component_changed' | 'deleted'}`,
): AuditEvent {
  const componentsText = `${components.length} ${components.length === 1 ? 'component' : 'components'}`;
  const facts = [isPublic ? 'public' : 'for members', componentsText, ...hosts].join(', ');
  const summary = action === 'status_page.deleted' ? '' : facts;
  return { action, object: { kind: 'status_page', id: slug, name }, projectId, summary };
}

export const getStatusPage = createGetter('status_page', (store: Deps['store'], id) =>
  store.findStatusPageRecord(id),
);

type StatusPageChangeInput = StatusPageChangeRequest | ((page: StatusPageRecord) => StatusPageChangeRequest);

export function updateStatusPage(
  deps: ServiceDeps,
  projectId: OwnerProjectId,
  id: number,
  changes: StatusPageChangeInput,
  by: AuditSource,
  askedAt?: string,
): Promise<StatusPageRecord> {
  return runAudited(deps, by, async (txDeps) => {
    for (;;) {
      const before = await getStatusPage(txDeps, projectId, id);
      const request = typeof changes === 'function' ? changes(before) : changes;
      const change = await readStatusPageChange(txDeps, before, request, { ...by, askedAt });
      // Changed by another request meanwhile: read it again.
      const result = await txDeps.store.changeStatusPage(before, change);
      if (result !== null) return { result, auditEvent: auditEntry(result, 'status_page.changed') };
    }
  });
}

/** Sets the state of a component without monitors. Throws 404 for an unknown component. */
export const setComponentState = audited(
  async (
    { store },
    projectId: OwnerProjectId,
    { id, componentId }: { readonly id: number; readonly componentId: number },
    state: ComponentState,
  ) => {
    for (;;) {
      const before = await getStatusPage({ store }, projectId, id);
      const component = before.components.find((each) => each.id === componentId);
      if (component === undefined) throw createNotFoundError('component');
      if (component.monitorIds.length > 0) throw stateSetByMonitors();
      const components = before.components.map((each) =>
        each.id === componentId ? { ...each, state } : each,
      );
      const result = await store.changeStatusPage(before, { ...before, components, newImages: {} });
      if (result !== null) return { result, auditEvent: auditEntry(result, 'status_page.component_changed') };
    }
  },
);

export const deleteStatusPage = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const existing = await getStatusPage({ store }, projectId, id);
  const result = (await store.deleteStatusPage(id)) ?? existing;
  return { result, auditEvent: auditEntry(result, 'status_page.deleted') };
});

async function readStatusPageChange(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  before: StatusPageRecord,
  changes: StatusPageChangeRequest,
  by: StatusPageEditor,
): Promise<StatusPageChange> {
  return {
    slug: changes.slug == null || changes.slug === before.slug ? before.slug : requireSlug(changes.slug),
    name: changes.name == null ? before.name : requireLine(changes.name, 'name'),
    description: changes.description == null ? before.description : toOneLine(changes.description),
    isPublic: changes.published ?? before.isPublic,
    hosts:
      changes.hosts == null
        ? before.hosts
        : await readAllowedHosts({ store, config }, before, changes.hosts, by),
    shows: changes.shows == null ? before.shows : [...new Set(changes.shows)],
    language: changes.language ?? before.language,
    accent: changes.accent == null ? before.accent : readAccent(changes.accent),
    newImages: readNewImages(changes),
    components:
      changes.components == null
        ? before.components
        : await readComponents({ store }, before, changes.components),
  };
}

function readNewImages(changes: StatusPageChangeRequest): StatusPageChange['newImages'] {
  const images = brandImages.flatMap((kind) => {
    const text = changes[kind];
    return text == null ? [] : [[kind, readBrandImage(kind, text)] as const];
  });
  return Object.fromEntries(images);
}

/** Project keys can only add verified hosts; hosts that the page already has stay. */
async function readAllowedHosts(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  { projectId, hosts: before }: Pick<StatusPageRecord, 'projectId' | 'hosts'>,
  requested: readonly string[],
  { actor, askedAt }: StatusPageEditor,
): Promise<string[]> {
  const hosts = readHosts(requested, config, askedAt);
  const added = hosts.filter((host) => !before.includes(host));
  if (actor.kind !== 'key' || added.length === 0) return hosts;
  requireVerifiedHosts(added, projectId === null ? [] : await store.listDomainVerifications(projectId));
  return hosts;
}

async function readComponents(
  { store }: Pick<Deps, 'store'>,
  { projectId, components: before }: Pick<StatusPageRecord, 'projectId' | 'components'>,
  input: readonly ComponentRequest[],
): Promise<ComponentChange[]> {
  const monitors = new Map((await store.listMonitors(projectId)).map((each) => [each.id, each]));
  const named = new Set<number>();
  return input.map(({ component_id: id = null, name, group, monitors: ids, state }) => {
    const known = before.find((each) => each.id === id);
    if (id !== null && (known === undefined || named.has(id))) {
      throw createInvalidParamError({
        components: `components: ${id} is not a component of this page, or is listed twice.`,
      });
    }
    if (id !== null) named.add(id);
    const monitorIds = [...new Set(ids ?? known?.monitorIds ?? [])];
    const missing = monitorIds.find((each) => !monitors.has(each));
    if (missing !== undefined) {
      throw createInvalidParamError({ components: `components: there is no monitor ${missing}.` });
    }
    if (monitorIds.length > 0 && state != null) throw stateSetByMonitors();
    return {
      id,
      name: requireComponentName(name),
      group: group == null ? (known?.group ?? '') : toOneLine(group),
      monitorIds,
      state: monitorIds.length > 0 ? 'working' : (state ?? known?.state ?? 'working'),
    };
  });
}

function requireComponentName(text: string): string {
  const name = toOneLine(text);
  if (name !== '') return name;
  throw createInvalidParamError({ components: 'components must have names of at least one character.' });
}

function stateSetByMonitors(): Error {
  return createInvalidParamError({ state: 'state cannot be set for a component with monitors.' });
}

function requireSlug(slug: string): string {
  if (slugPattern.test(slug) && slug !== 'new') return slug;
  throw createInvalidParamError({
    slug: 'slug must be lowercase letters, digits and hyphens, for example shop-status, and not "new".',
  });
}

interface Part {
  readonly id: number | null;
  readonly group: string;
}

export type MovedPart =
  | { readonly what: 'group'; readonly at: number }
  | { readonly what: 'component'; readonly id: number };

/** `by` is -1 (up) or 1 (down). At the end of its group, a component moves into the next one. */
export function movePart<Each extends Part>(parts: readonly Each[], moved: MovedPart, by: -1 | 1): Each[] {
  const groups = [...Map.groupBy(parts, ({ group }) => group)].map(([name, members]) => ({ name, members }));
  if (moved.what === 'group') return swap(groups, moved.at, moved.at + by).flatMap(({ members }) => members);
  const from = groups.findIndex(({ members }) => members.some(({ id }) => id === moved.id));
  const group = groups[from];
  if (group === undefined) return [...parts];
  const at = group.members.findIndex(({ id }) => id === moved.id);
  const part = group.members[at];
  const next = groups[from + by];
  if (part === undefined || group.members[at + by] !== undefined || next === undefined) {
    const members = swap(group.members, at, at + by);
    return groups.flatMap((each) => (each === group ? members : each.members));
  }
  const entered = { ...part, group: next.name };
  return groups.flatMap((each) => {
    if (each === group) return each.members.filter((one) => one !== part);
    if (each !== next) return each.members;
    return by === 1 ? [entered, ...each.members] : [...each.members, entered];
  });
}

function swap<Each>(all: readonly Each[], at: number, other: number): Each[] {
  const [one, two] = [all[at], all[other]];
  if (one === undefined || two === undefined) return [...all];
  return all.map((each, index) => (index === at ? two : index === other ? one : each));
}
