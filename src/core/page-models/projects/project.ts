// Never contains the text of a secret key.

import { createDsnsForApi } from '../../config/public-urls.ts';
import { viewDomain } from '../../domains/views.ts';
import { eventBytesMax } from '../../envelopes/sort-items.ts';
import { newestGrouping } from '../../grouping/group-event.ts';
import { newIssuesPerHourMax } from '../../issues/state-transitions.ts';
import { noTriageSettings } from '../../issues/triage-settings.ts';
import { commandName } from '../../parsing/command-name.ts';
import { dayMs } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { getKeyState, type KeyState } from '../../projects/change-keys.ts';
import { isKeyValid } from '../../projects/keys.ts';
import { viewDsns, viewKey, viewProject } from '../../projects/views.ts';
import { viewRelease } from '../../releases/views.ts';
import { findRetentionNote, isRetentionDisabled } from '../../retention/views.ts';
import { replacedArtifactKeptMs } from '../../source-maps/artifacts.ts';
import { attachmentsOfEventMax } from '../../store/events.ts';
import type { Project, ProjectKey } from '../../store/projects.ts';
import type { Release } from '../../store/releases.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { buildSnippets } from '../snippets.ts';
import { viewProjectFilters } from './inbound-filters.ts';
import { viewProjectOutcomes } from './outcomes.ts';

const sdksShown = 20;

export type KeyRowView = ReturnType<typeof viewKeyRow>;

export type ProjectModel = Awaited<ReturnType<typeof projectModelOf>>;

export function getProjectOfPath(context: RequestContext): Project {
  const id = pathId(context, 'project_id', 'A project with this number');
  const project = context.projects.find((each) => each.id === id);
  if (project === undefined) throw pageNotFound('A project with this number');
  return project;
}

export async function projectModel(context: RequestContext) {
  return projectModelOf(context, getProjectOfPath(context));
}

/** For a project that was just created, which the path does not name. */
export async function projectModelOf(context: RequestContext, project: Project) {
  const { deps, nowMs, apiUrl } = context;
  const { store } = deps;
  const [stats, keys, domains, proofs, releases, sent, retention, filters] = await Promise.all([
    store.projectStatistics(project.id, nowMs),
    store.listKeys(project.id),
    store.listDomains(project.id),
    store.listDomainVerifications(project.id),
    store.listReleases(project.id, { limit: 1, offset: 0, orderBy: 'date_created', descending: true }),
    viewProjectOutcomes(context, project),
    viewProjectRetention(context, project),
    viewProjectFilters(context, project),
  ]);
  const publicKey = findSnippetKey(keys, nowMs);
  const target =
    publicKey?.publicKey == null ? null : { apiUrl, publicKey: publicKey.publicKey, projectId: project.id };
  const [release] = releases.rows;
  return {
    project: { ...viewProject(project), ...viewDsns(target === null ? null : createDsnsForApi(target)) },
    open_issues: stats.issuesOpen,
    events_24h: stats.events24h,
    events_total: stats.eventsTotal,
    last_event_at: formatTime(stats.lastEventAtMs),
    release_count: releases.total,
    newest_release: release === undefined ? null : await newestOf(context, release),
    sent,
    filters,
    keys: keys.map((key) => viewKeyRow(key, nowMs)).sort(byState),
    domains: domains.map((domain) => viewDomain(domain, proofs)),
    snippets: target === null ? [] : buildSnippets(target),
    sdks: stats.sdks.slice(0, sdksShown).map((sdk) => ({
      name: sdk.name,
      version: sdk.version,
      events: sdk.events,
      first_seen: formatTime(sdk.firstSeenMs),
      last_seen: formatTime(sdk.lastSeenMs),
    })),
    /** Null if rate limits are off. */
    limits: limitsOf(context),
    caps: projectLimits,
    keeping: retention,
    regroup: viewRegroupCommands(project),
  };
}

/** The newest public key without expiry, otherwise the one that expires last. */
function findSnippetKey(keys: readonly ProjectKey[], nowMs: number): ProjectKey | undefined {
  const open = keys.filter((key) => key.kind === 'public' && isKeyValid(key, nowMs));
  const ending = open.toSorted((one, other) => (one.expiresAtMs ?? 0) - (other.expiresAtMs ?? 0));
  return open.findLast((key) => key.expiresAtMs === null) ?? ending.at(-1);
}

async function newestOf({ deps }: RequestContext, release: Release) {
  const { release_id, version, sessions } = await viewRelease(deps, release);
  return { release_id, version, sessions: { total: sessions.total, crashed: sessions.crashed } };
}

function limitsOf({ deps }: RequestContext) {
  const { rateLimits } = deps.config;
  if (!rateLimits.enabled) return null;
  return {
    events_per_minute: rateLimits.eventsPerMinute,
    events_per_address_per_minute: rateLimits.eventsPerAddressPerMinute,
    feedback_per_address_per_minute: rateLimits.feedbackPerAddressPerMinute,
  };
}

function viewKeyRow(key: ProjectKey, nowMs: number) {
  return { ...viewKey(key, nowMs), state: getKeyState(key, nowMs) };
}

const stateOrder: readonly KeyState[] = ['live', 'ending', 'expired', 'revoked'];

function byState(one: KeyRowView, other: KeyRowView): number {
  return stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state) || one.key_id - other.key_id;
}

export type KeyModel = Awaited<ReturnType<typeof keyModel>>;

export async function getKeyOfPath(context: RequestContext): Promise<ProjectKey> {
  const project = getProjectOfPath(context);
  const id = pathId(context, 'key_id', 'A key with this number');
  const key = (await context.deps.store.listKeys(project.id)).find((each) => each.id === id);
  if (key === undefined) throw pageNotFound('A key with this number');
  return key;
}

export async function keyModel(context: RequestContext) {
  const { id, name } = getProjectOfPath(context);
  return {
    project: { project_id: id, name },
    key: viewKeyRow(await getKeyOfPath(context), context.nowMs),
  };
}

export type ProjectTriageModel = Awaited<ReturnType<typeof projectTriageModel>>;

export async function projectTriageModel(context: RequestContext) {
  const { id, name } = getProjectOfPath(context);
  const settings = (await context.deps.store.findTriageSettings(id)) ?? noTriageSettings;
  return {
    project: { project_id: id, name },
    rules: settings.ownershipRules,
    assigns: settings.assignsOwners,
    repository: settings.repositoryUrl,
  };
}

// Limits and retention of a project, taken from the constants that are enforced.

export type ProjectRetentionView = Awaited<ReturnType<typeof viewProjectRetention>>;

export type RegroupView = NonNullable<ReturnType<typeof viewRegroupCommands>>;

async function viewProjectRetention({ deps }: RequestContext, { id }: Project) {
  const { days, events, bytes } = deps.config.retention;
  const isKept = await isRetentionDisabled(deps.store);
  const limitOf = (limit: number): number | null => (isKept || limit === 0 ? null : limit);
  return {
    events_stored: await deps.store.countStoredEvents(id),
    /** Null: events are kept whatever their age. */
    events_days: limitOf(days),
    /** Null without a quota. */
    events_max: limitOf(events),
    bytes_max: limitOf(bytes),
    retention: await findRetentionNote(deps, id),
    attachments_per_event: attachmentsOfEventMax,
    replaced_artifacts_days: replacedArtifactKeptMs / dayMs,
  };
}

const projectLimits = {
  /** Events of further new issues go into one overflow issue. */
  new_issues_per_hour: newIssuesPerHourMax,
  event_bytes: eventBytesMax,
};

export function viewRegroupCommands({ name, groupingVersion }: Project) {
  if (groupingVersion === newestGrouping) return null;
  const word = /^[\w.@-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const command = `${commandName} project regroup ${word}`;
  return { newest: newestGrouping, look: command, act: `${command} --yes` };
}
