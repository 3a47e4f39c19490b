import { actionVerb, auditActionGroups } from '../audit/actions.ts';
import { emptyChainHead, hashEntry } from '../audit/chain.ts';
import { roleIncludes } from '../members/permissions.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { ActorKind, AuditEntry, AuditFilter, ListedAuditEntry } from '../store/audit.ts';
import type { CurrentUser } from '../store/members.ts';
import { invalidPageInput, type RequestContext } from './request-context.ts';

export type AuditEntryView = ReturnType<typeof viewAuditEntry>;

export type AuditPage = Awaited<ReturnType<typeof buildAuditPage>>;

const entriesAPage = 40;
const actorsMax = 100;
const weekDays = 90;
const exportedEntriesMax = 50_000;
const exportSlice = 1_000;

export async function buildAuditPage(context: RequestContext) {
  const { store } = context.deps;
  const { filters, filter } = readAuditFilters(context);
  const beforeId = parseCursor(context.query.get('after'));
  const afterId = parseCursor(context.query.get('before'));
  const slice = { beforeId, afterId, limit: entriesAPage };
  const [head, oldest, entries, total, week, actors] = await Promise.all([
    store.auditHead(),
    store.walkAudit(0, 1),
    store.listAudit(filter, slice),
    store.countAudit(filter),
    store.auditWeek(filter, context.nowMs - weekDays * dayMs),
    store.auditActors(actorsMax),
  ]);
  const hours = Array.from({ length: 168 }, () => 0);
  for (const { hour, entries: count } of week) hours[hour] = count;
  return {
    chain: { entries: head.entries, newest_hash: head.hash, since: formatTime(oldest[0]?.atMs ?? null) },
    filters,
    total,
    entries: entries.map((entry) => viewAuditEntry(entry, context.currentUser)),
    ...(await findCursors(context, filter, entries)),
    /** Matching entries of the last 90 days by hour of the week: 168 numbers from Monday 00:00 UTC. */
    week: hours,
    actors: [...new Set(actors.map(({ name }) => name))],
    actions: auditActionGroups,
    objects: objectKinds,
  };
}

export async function* exportAuditEntries(context: RequestContext): AsyncGenerator<AuditEntryView> {
  const { filter } = readAuditFilters(context);
  let beforeId: number | null = null;
  for (let written = 0; written < exportedEntriesMax; written += exportSlice) {
    const slice: ListedAuditEntry[] = await context.deps.store.listAudit(filter, {
      beforeId,
      limit: exportSlice,
    });
    yield* slice.map((entry) => viewAuditEntry(entry, context.currentUser));
    beforeId = slice.at(-1)?.id ?? null;
    if (slice.length < exportSlice) return;
  }
}

async function findCursors({ deps }: RequestContext, filter: AuditFilter, entries: readonly AuditEntry[]) {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  if (newest === undefined || oldest === undefined) return { newer: null, older: null };
  const [newer, older] = await Promise.all([
    deps.store.listAudit(filter, { afterId: newest.id, limit: 1 }),
    deps.store.listAudit(filter, { beforeId: oldest.id, limit: 1 }),
  ]);
  return {
    newer: newer.length === 0 ? null : String(newest.id),
    older: older.length === 0 ? null : String(oldest.id),
  };
}

const actorKinds: readonly ActorKind[] = ['member', 'token', 'key', 'command', 'system', 'nobody'];
const objectKinds = [
  'issue',
  'feedback',
  'project',
  'key',
  'domain',
  'release',
  'artifact',
  'monitor',
  'incident',
  'maintenance_window',
  'report',
  'alert_channel',
  'alert_rule',
  'status_page',
  'member',
  'team',
  'token',
];

function readAuditFilters({ query, project }: RequestContext) {
  const text = (name: string): string | null => query.get(name)?.trim() || null;
  const filters = {
    actor: text('actor'),
    action: text('action'),
    object: text('object'),
    id: text('id'),
    request: text('request'),
    from: text('from'),
    to: text('to'),
  };
  const kind = actorKinds.find((each) => `kind:${each}` === filters.actor) ?? null;
  const toMs = parseDay('to', filters.to);
  return {
    filters,
    filter: {
      actorKind: kind,
      actorName: kind === null ? filters.actor : null,
      action: filters.action,
      objectKind: filters.object,
      objectId: filters.id,
      projectId: project?.id ?? null,
      requestId: filters.request,
      fromMs: parseDay('from', filters.from),
      // `to` includes the whole day.
      toMs: toMs === null ? null : toMs + dayMs,
    },
  };
}

function parseDay(name: string, text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw invalidPageInput(`“${name}” must be a date such as 2026-11-21.`);
  return ms;
}

function parseCursor(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Only admins see the tokens of others, here as on the page of members. */
export function viewAuditEntry(entry: ListedAuditEntry, { role }: CurrentUser) {
  const before = entry.id === 1 ? emptyChainHead.hash : entry.hashBefore;
  return {
    entry: entry.id,
    at: formatTime(entry.atMs),
    actor: {
      kind: entry.actor.kind,
      id: entry.actor.id,
      name: entry.actor.name,
      token: roleIncludes(role, 'admin') ? entry.tokenName : null,
    },
    action: entry.action,
    verb: actionVerb(entry.action),
    object: {
      kind: entry.objectKind,
      id: entry.objectId,
      name: entry.objectName,
      path: pathOf(entry.objectKind, entry.objectId),
    },
    project_id: entry.projectId,
    summary: entry.summary,
    network: entry.network,
    request_id: entry.requestId,
    hash: entry.hash,
    follows: entry.previousHash === before && hashEntry(entry) === entry.hash,
  };
}

const pathByObjectKind: Readonly<Record<string, string>> = {
  issue: '/issues',
  feedback: '/feedback',
  project: '/projects',
  domain: '/domains',
  release: '/releases',
  artifact: '/artifacts',
  member: '/members',
  monitor: '/monitors',
  incident: '/incidents',
  report: '/reports',
  alert_channel: '/alert-channels',
  status_page: '/status-pages',
};

/** The object may be deleted; its page then says so. */
function pathOf(kind: string, id: string | null): string | null {
  const folder = pathByObjectKind[kind];
  return folder === undefined || id === null ? null : `${folder}/${encodeURIComponent(id)}`;
}
