import type { IncidentChangeRequest, IncidentRequest } from '../../../schemas/incidents.ts';
import type { AuditAction } from '../audit/actions.ts';
import { type AuditEvent, audited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createGetter,
  createInvalidParamError,
  createTooManyError,
  type OwnerProjectId,
  type RestError,
} from '../errors.ts';
import { requireLine, toOneLine } from '../parsing/display-text.ts';
import { parseTime } from '../parsing/timestamps.ts';
import type {
  IncidentChange,
  IncidentLink,
  IncidentRecord,
  IncidentState,
  IncidentUpdate,
  PostMortem,
} from '../store/incidents.ts';
import { unchangedIncident, withAcknowledgement, withState } from './states.ts';

interface UpdateAuthor {
  readonly author: string;
  readonly nowMs: number;
}

/** Incidents opened by people; each monitor has at most one of its own. */
const openIncidentsMax = 500;
const updatesMax = 500;

/** Throws 400 for an unknown monitor and beyond 500 open incidents. */
export const createIncident = audited(
  async ({ store, now, by }, projectId: OwnerProjectId, input: IncidentRequest) => {
    const { name: author } = by.actor;
    if ((await store.countOpenIncidents(projectId)) >= openIncidentsMax) {
      throw createTooManyError('notifier_too_many_incidents', `${openIncidentsMax} open incidents`);
    }
    const nowMs = now();
    const title = requireLine(input.title, 'title');
    const affects = await readAffected({ store }, projectId, input, author);
    const result = await store.openIncident({
      projectId,
      monitorId: null,
      title,
      severity: input.severity ?? 'critical',
      openedBy: author,
      lead: toOneLine(input.lead ?? '') || null,
      cause: toOneLine(input.cause ?? ''),
      startedAtMs: readStart(input.started_at, nowMs),
      // Whoever opens an incident has acknowledged it.
      acknowledgedAtMs: nowMs,
      isHandled: true,
      affects,
      update: {
        atMs: nowMs,
        author,
        isPublic: input.public ?? false,
        body: (input.message ?? '').trim(),
        from: null,
        to: 'investigating',
      },
    });
    return { result, auditEvent: auditEntry(result, 'incident.opened') };
  },
);

function auditEntry(
  { id, projectId, title, severity, state }: IncidentRecord,
  action: Extract<AuditAction, `incident.${string}`>,
): AuditEvent {
  const summary = action === 'incident.deleted' ? '' : `${severity}, ${state}`;
  return { action, object: { kind: 'incident', id, name: title }, projectId, summary };
}

async function readAffected(
  { store }: Pick<Deps, 'store'>,
  projectId: OwnerProjectId,
  { monitors, components }: IncidentRequest,
  by: string,
): Promise<IncidentLink[]> {
  const link = { why: '', beforeMs: null, linkedBy: by, isDismissed: false } as const;
  const affects: IncidentLink[] = [];
  const named = new Set(monitors ?? []);
  const available = named.size === 0 ? [] : await store.listMonitors(projectId);
  for (const id of named) {
    const monitor = available.find((each) => each.id === id);
    if (monitor === undefined) {
      throw createInvalidParamError({ monitors: `monitors: there is no monitor ${id}.` });
    }
    affects.push({ ...link, kind: 'monitor', id, name: monitor.name, projectId: monitor.projectId });
  }
  if (components == null || components.length === 0) return affects;
  const pages = await store.listStatusPages(projectId);
  for (const id of new Set(components)) {
    const page = pages.find((each) => each.components.some((part) => part.id === id));
    const name = page?.components.find((part) => part.id === id)?.name;
    if (page === undefined || name === undefined) {
      throw createInvalidParamError({ components: `components: there is no component ${id}.` });
    }
    affects.push({ ...link, kind: 'component', id, name, projectId: page.projectId });
  }
  return affects;
}

export const getIncident = createGetter('incident', (store: Deps['store'], id) => store.findIncident(id));

export const updateIncident = audited(
  async ({ store, now, by }, projectId: OwnerProjectId, id: number, changes: IncidentChangeRequest) => {
    const { name: author } = by.actor;
    for (;;) {
      const before = await getIncident({ store }, projectId, id);
      if (before.severity === 'planned') refuseChangeOfMaintenance(changes);
      const writer = { author, nowMs: now() };
      const change = {
        ...readIncidentChange(before, changes, writer.nowMs),
        postMortem: readPostMortem(before, changes, writer),
      };
      const update = readUpdate(before, change, changes, writer);
      const link = await readLink({ store }, projectId, before, changes, author);
      const isIdle = update === null && link === null && isUnchanged(before, change);
      // A monitor changed it meanwhile: read it again.
      const result = isIdle ? before : await store.changeIncident(before, change, { update, link });
      if (result !== null) return { result, auditEvent: auditEntry(result, auditActionOf(changes)) };
    }
  },
);

function auditActionOf(changes: IncidentChangeRequest): Extract<AuditAction, `incident.${string}`> {
  if (changes.state === 'resolved') return 'incident.resolved';
  if (changes.acknowledged === true) return 'incident.acknowledged';
  if (changes.post_mortem != null) return 'incident.post_mortem';
  return changes.message == null ? 'incident.changed' : 'incident.updated';
}

export const deleteIncident = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const existing = await getIncident({ store }, projectId, id);
  if (existing.severity === 'planned' && existing.resolvedAtMs === null) throw maintenanceError();
  const result = (await store.deleteIncident(id)) ?? existing;
  return { result, auditEvent: auditEntry(result, 'incident.deleted') };
});

/** Maintenance takes messages only; everything else follows from its window. */
function refuseChangeOfMaintenance(changes: IncidentChangeRequest): void {
  const { state, acknowledged, severity, title, link, dismiss, post_mortem: postMortem } = changes;
  const ofIncidents = [state, acknowledged, severity, title, link, dismiss, postMortem];
  if (ofIncidents.some((each) => each != null)) throw maintenanceError();
}

function maintenanceError(): RestError {
  return createBadRequestError(
    'notifier_incident_planned',
    'This incident is maintenance. Change or cancel its maintenance window instead.',
  );
}

function readIncidentChange(
  before: IncidentRecord,
  changes: IncidentChangeRequest,
  nowMs: number,
): IncidentChange {
  const unchanged = unchangedIncident(before);
  const state: IncidentState = changes.state ?? before.state;
  const isMoved = state !== before.state;
  const isSeenTo = isMoved || changes.acknowledged === true;
  const moved = isMoved ? withState(unchanged, state, nowMs) : unchanged;
  const isHandled =
    before.isHandled ||
    isSeenTo ||
    changes.message != null ||
    changes.link != null ||
    changes.post_mortem != null;
  return {
    ...(isSeenTo ? withAcknowledgement(moved, nowMs) : moved),
    isHandled,
    title: changes.title == null ? before.title : requireLine(changes.title, 'title'),
    severity: changes.severity ?? before.severity,
    cause: changes.cause == null ? before.cause : toOneLine(changes.cause),
    lead: changes.lead == null ? before.lead : toOneLine(changes.lead) || null,
  };
}

function readPostMortem(
  { postMortem }: IncidentRecord,
  { post_mortem: written, post_mortem_public: isPublic }: IncidentChangeRequest,
  { author, nowMs }: UpdateAuthor,
): PostMortem | null {
  if (written == null) {
    return postMortem === null ? null : { ...postMortem, isPublic: isPublic ?? postMortem.isPublic };
  }
  if (written.trim() === '') return null;
  return {
    author,
    writtenAtMs: nowMs,
    isPublic: isPublic ?? postMortem?.isPublic ?? false,
    markdown: written,
    parts: [],
    actions: [],
  };
}

function readUpdate(
  before: IncidentRecord,
  { state }: IncidentChange,
  { message, public: isPublic }: IncidentChangeRequest,
  { author, nowMs }: UpdateAuthor,
): IncidentUpdate | null {
  const body = (message ?? '').trim();
  const isMoved = state !== before.state;
  if (body === '' && !isMoved) {
    if (message == null) return null;
    throw createInvalidParamError({ message: 'message must not be empty.' });
  }
  if (before.updates.length >= updatesMax) {
    throw createBadRequestError(
      'notifier_too_many_updates',
      `An incident may have at most ${updatesMax} updates.`,
    );
  }
  return {
    atMs: nowMs,
    author,
    isPublic: isPublic ?? false,
    body,
    from: isMoved ? before.state : null,
    to: isMoved ? state : null,
  };
}

async function readLink(
  { store }: Pick<Deps, 'store'>,
  projectId: OwnerProjectId,
  before: IncidentRecord,
  { link, dismiss }: IncidentChangeRequest,
  by: string,
): Promise<IncidentLink | null> {
  if (link != null && dismiss != null) {
    throw createInvalidParamError({ dismiss: 'link and dismiss cannot be used together.' });
  }
  const named = link ?? dismiss;
  if (named == null) return null;
  const { kind, id } = named;
  const known = before.links.find((each) => each.kind === kind && each.id === id);
  const cause = known === undefined ? await store.findCause(projectId, kind, id) : null;
  if (known === undefined && cause === null) {
    const field = link == null ? 'dismiss' : 'link';
    throw createInvalidParamError({ [field]: `${field}: there is no ${kind.replace('_', ' ')} ${id}.` });
  }
  const beforeMs = cause === null || cause.atMs > before.startedAtMs ? null : before.startedAtMs - cause.atMs;
  const facts = known ?? {
    kind,
    id,
    projectId: cause?.projectId ?? null,
    name: cause?.name ?? '',
    why: '',
    beforeMs,
  };
  return { ...facts, linkedBy: by, isDismissed: link == null };
}

function isUnchanged(before: IncidentRecord, change: IncidentChange): boolean {
  return (
    JSON.stringify(unchangedIncident({ ...before, ...change })) === JSON.stringify(unchangedIncident(before))
  );
}

function readStart(text: string | null | undefined, nowMs: number): number {
  if (text == null || text === '') return nowMs;
  const startMs = parseTime(text);
  if (startMs !== null && startMs <= nowMs) return startMs;
  throw createInvalidParamError({
    started_at: 'started_at must be a date in the past, for example 2026-12-01T08:00:00Z.',
  });
}
