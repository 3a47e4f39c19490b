// Never contains the text of a secret key.

import { dsnsAt } from '../../config/addresses.ts';
import { viewDomain } from '../../domains/views.ts';
import { type KeyState, keyState } from '../../projects/key-life.ts';
import { isLive } from '../../projects/keys.ts';
import { viewDsns, viewKey, viewProject } from '../../projects/views.ts';
import { momentText } from '../../reading/moments.ts';
import { viewRelease } from '../../releases/views.ts';
import type { Project, ProjectKey } from '../../store/projects.ts';
import type { Release } from '../../store/releases.ts';
import { type Snippet, snippetsFor } from '../snippets.ts';
import { notHere, pathNumber, type Visit } from '../visit.ts';
import {
  type CapsView,
  capsView,
  type KeepingView,
  keepingView,
  type RegroupView,
  regroupView,
} from './keeping.ts';
import { type SentView, sentView } from './sent.ts';

const sdksShown = 20;

export interface KeyRowView extends ReturnType<typeof viewKey> {
  readonly state: KeyState;
}

interface SdkView {
  readonly name: string;
  readonly version: string;
  readonly events: number;
  readonly first_seen: string;
  readonly last_seen: string;
}

export interface ProjectModel {
  readonly project: ReturnType<typeof viewProject> & ReturnType<typeof viewDsns>;
  readonly open_issues: number;
  readonly events_24h: number;
  readonly events_total: number;
  readonly last_event_at: string | null;
  readonly release_count: number;
  readonly newest_release: {
    readonly release_id: number;
    readonly version: string;
    readonly sessions: { readonly total: number; readonly crashed: number };
  } | null;
  readonly sent: SentView;
  readonly keys: readonly KeyRowView[];
  readonly domains: ReadonlyArray<ReturnType<typeof viewDomain>>;
  readonly snippets: readonly Snippet[];
  readonly sdks: readonly SdkView[];
  /** Null if rate limits are off. */
  readonly limits: {
    readonly events_per_minute: number;
    readonly events_per_address_per_minute: number;
    readonly feedback_per_address_per_minute: number;
  } | null;
  readonly caps: CapsView;
  readonly keeping: KeepingView;
  readonly regroup: RegroupView | null;
}

export function projectOfPath(visit: Visit): Project {
  const id = pathNumber(visit, 'project_id', 'A project with this number');
  const project = visit.projects.find((each) => each.id === id);
  if (project === undefined) throw notHere('A project with this number');
  return project;
}

export async function projectModel(visit: Visit): Promise<ProjectModel> {
  return projectModelOf(visit, projectOfPath(visit));
}

/** For a project that was just created, which the path does not name. */
export async function projectModelOf(visit: Visit, project: Project): Promise<ProjectModel> {
  const { deps, nowMs, apiUrl } = visit;
  const { store } = deps;
  const [figures, keys, domains, proofs, releases, sent, keeping] = await Promise.all([
    store.projectStatistics(project.id, nowMs),
    store.listKeys(project.id),
    store.listDomains(project.id),
    store.listProofs(project.id),
    store.listReleases(project.id, { limit: 1, offset: 0, orderBy: 'date_created', descending: true }),
    sentView(visit, project),
    keepingView(visit, project),
  ]);
  const publicKey = keyToSendWith(keys, nowMs);
  const target =
    publicKey?.publicKey == null ? null : { apiUrl, publicKey: publicKey.publicKey, projectId: project.id };
  const [release] = releases.rows;
  return {
    project: { ...viewProject(project), ...viewDsns(target === null ? null : dsnsAt(target)) },
    open_issues: figures.issuesOpen,
    events_24h: figures.events24h,
    events_total: figures.eventsTotal,
    last_event_at: momentText(figures.lastEventAtMs),
    release_count: releases.total,
    newest_release: release === undefined ? null : await newestOf(visit, release),
    sent,
    keys: keys.map((key) => viewKeyRow(key, nowMs)).sort(byState),
    domains: domains.map((domain) => viewDomain(domain, proofs)),
    snippets: target === null ? [] : snippetsFor(target),
    sdks: figures.sdks.slice(0, sdksShown).map((sdk) => ({
      name: sdk.name,
      version: sdk.version,
      events: sdk.events,
      first_seen: momentText(sdk.firstSeenMs),
      last_seen: momentText(sdk.lastSeenMs),
    })),
    limits: limitsOf(visit),
    caps: capsView,
    keeping,
    regroup: regroupView(project),
  };
}

/** The newest public key without expiry, otherwise the one that expires last. */
function keyToSendWith(keys: readonly ProjectKey[], nowMs: number): ProjectKey | undefined {
  const open = keys.filter((key) => key.kind === 'public' && isLive(key, nowMs));
  const ending = open.toSorted((one, other) => (one.expiresAtMs ?? 0) - (other.expiresAtMs ?? 0));
  return open.findLast((key) => key.expiresAtMs === null) ?? ending.at(-1);
}

async function newestOf({ deps }: Visit, release: Release): Promise<ProjectModel['newest_release']> {
  const { release_id, version, sessions } = await viewRelease(deps, release);
  return { release_id, version, sessions: { total: sessions.total, crashed: sessions.crashed } };
}

function limitsOf({ deps }: Visit): ProjectModel['limits'] {
  const { rateLimits } = deps.config;
  if (!rateLimits.enabled) return null;
  return {
    events_per_minute: rateLimits.eventsPerMinute,
    events_per_address_per_minute: rateLimits.eventsPerAddressPerMinute,
    feedback_per_address_per_minute: rateLimits.feedbackPerAddressPerMinute,
  };
}

function viewKeyRow(key: ProjectKey, nowMs: number): KeyRowView {
  return { ...viewKey(key, nowMs), state: keyState(key, nowMs) };
}

const stateOrder: readonly KeyState[] = ['live', 'ending', 'expired', 'revoked'];

function byState(one: KeyRowView, other: KeyRowView): number {
  return stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state) || one.key_id - other.key_id;
}

export interface KeyModel {
  readonly project: { readonly project_id: number; readonly name: string };
  readonly key: KeyRowView;
}

export async function keyOfPath(visit: Visit): Promise<ProjectKey> {
  const project = projectOfPath(visit);
  const id = pathNumber(visit, 'key_id', 'A key with this number');
  const key = (await visit.deps.store.listKeys(project.id)).find((each) => each.id === id);
  if (key === undefined) throw notHere('A key with this number');
  return key;
}

export async function keyModel(visit: Visit): Promise<KeyModel> {
  const { id, name } = projectOfPath(visit);
  return {
    project: { project_id: id, name },
    key: viewKeyRow(await keyOfPath(visit), visit.nowMs),
  };
}
