// Sentry's API for sentry-cli and bundler plugins (docs/releases.md, "Sentry's tools"): one organisation.
import { type Request, type RequestHandler, Router } from 'express';
import { deployRequest } from '../schemas/deploys.ts';
import { releaseRequest } from '../schemas/releases.ts';
import {
  assembleRequest,
  type SentryCommit,
  type SentryDeploy,
  type SentryRelease,
} from '../schemas/sentry-api.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { RestError } from '../src/core/errors.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import { createDeploy, listDeploys } from '../src/core/releases/deploys.ts';
import { parseReleaseRequest, type StoredCommit } from '../src/core/releases/parse-release.ts';
import {
  deleteRelease,
  findPreviousWithCommits,
  findReleaseByVersion,
  recordRelease,
} from '../src/core/releases/releases.ts';
import { createBundleAssembler } from '../src/core/source-maps/assemble-bundles.ts';
import type { Project } from '../src/core/store/projects.ts';
import type { Deploy, Release, ReleaseListFigures } from '../src/core/store/releases.ts';
import { bearerReadsUncached } from '../src/http/api/caching.ts';
import { parseValue } from '../src/http/api/parse-parameters.ts';
import type { MountContext } from '../src/http/api/rest-route.ts';
import { chunkOptions, createBundleStorer, storeChunks } from '../src/http/sentry-cli/chunks.ts';
import {
  handleSentryErrors,
  LargeJson,
  readSentryJson,
  readSmallBody,
  requireSentryKey,
  type SentryCaller,
  type SentryHandler,
  sentryAnswer,
} from '../src/http/sentry-cli/middleware.ts';
import { getSentryEvents, getSentryIssues, putSentryIssues } from './sentry-issues.ts';
import {
  getSentryMonitors,
  getSentryOrganizations,
  getSentryProjects,
  refuseSentryTool,
} from './sentry-organization.ts';

/** Commits with their files are large. */
const jsonBytesMax = 5 * 1024 * 1024;
const releasesListed = 100;

/** Mount it at `/api/0`. `baseUrl` is the public origin, for the chunk upload URL. */
export function sentryApi(deps: Deps, context: MountContext, baseUrl: string): Router {
  const router = Router();
  const json = readSentryJson(jsonBytesMax);
  // Build tools read what they change, so all of releases and artifacts but deletion needs the scope ci.
  const builds = { method: 'POST', path: '/releases', scope: 'ci' } as const;
  const known = requireSentryKey(context, { as: builds });
  const deletes = requireSentryKey(context, {
    as: { method: 'DELETE', path: '/releases/{id}', scope: 'admin' },
  });
  const chunks = requireSentryKey(context, { as: builds, limit: 'chunks' });
  const assembly = createBundleAssembler(deps);
  const on = (handler: SentryHandler): RequestHandler[] => [known, json, sentryAnswer(deps, handler)];
  const reading = (path: string, handler: SentryHandler, ofAllProjects = true): RequestHandler[] => {
    const as = { method: 'GET', path, scope: 'read' } as const;
    return [requireSentryKey(context, { as, ofAllProjects }), sentryAnswer(deps, handler)];
  };
  const changesIssues = requireSentryKey(context, {
    as: { method: 'POST', path: '/issues/bulk', scope: 'admin' },
  });
  const organisation = '/organizations/:organisation';
  const project = '/projects/:organisation/:project';
  // Older clients use paths with a project.
  const releases = [`${organisation}/releases`, `${project}/releases`];
  const release = releases.map((path) => `${path}/:version`);
  const below = (part: string): string[] => release.map((path) => `${path}/${part}`);

  router.use(bearerReadsUncached);
  const anyKey = { method: 'GET', path: '/', scope: 'read', alsoScope: 'ci' } as const;
  router.get(
    '/',
    requireSentryKey(context, { as: anyKey, ofAllProjects: true }),
    sentryAnswer(deps, getRoot),
  );
  router.get(releases, on(getReleases));
  router.post(releases, on(postRelease));
  router.get(release, on(getRelease));
  router.put(release, on(putRelease));
  router.delete(release, deletes, json, sentryAnswer(deps, deleteOneRelease));
  router.get(below('previous-with-commits'), on(getPreviousWithCommits));
  router.get(below('commits'), on(getCommits));
  router.get(below('deploys'), on(getDeploys));
  router.post(below('deploys'), on(postDeploy));
  router.get(
    `${organisation}/repos`,
    on(async () => []),
  );
  router.get(`${organisation}/chunk-upload`, on(getChunkOptions(baseUrl)));
  router.post(`${organisation}/chunk-upload`, chunks, sentryAnswer(deps, postChunks));
  router.post([`${organisation}/artifactbundle/assemble`, ...below('assemble')], on(postAssemble));
  router.get('/organizations', reading('/projects', getSentryOrganizations));
  router.get(`${organisation}/projects`, reading('/projects', getSentryProjects));
  router.get(`${organisation}/monitors`, reading('/monitors', getSentryMonitors));
  router.get(`${project}/issues`, reading('/issues', getSentryIssues, false));
  router.put(`${project}/issues`, changesIssues, json, sentryAnswer(deps, putSentryIssues));
  router.get(`${project}/events`, reading('/events', getSentryEvents, false));
  for (const [method, path, feature] of notStored)
    router[method](path, known, sentryAnswer(deps, refuseSentryTool(feature)));
  router.use((_request, response) => {
    response.status(404).json({ detail: 'The requested resource does not exist.' });
  });
  router.use(handleSentryErrors(deps));
  return router;

  async function postAssemble(_deps: Deps, request: Request, { project }: SentryCaller): Promise<unknown> {
    const input = parseValue(assembleRequest, await readSmallBody(deps, request, assembleRequest));
    // The older route has the version in the path.
    const version = versionOf(request) || input.version;
    return assembly.assemble(project, { ...input, version }, createBundleStorer(deps, project));
  }
}

/** What else sentry-cli asks for, and is refused. */
const debugFiles = 'debug files (dSYM, ELF, PDB, ProGuard, Dart)';
const notStored = [
  ['post', '/projects/:organisation/:project/files/difs/assemble', debugFiles],
  ['get', '/projects/:organisation/:project/files/dsyms/unknown', debugFiles],
  ['post', '/projects/:organisation/:project/files/dsyms', debugFiles],
  ['post', '/projects/:organisation/:project/files/preprodartifacts/assemble', 'builds of mobile apps'],
  ['post', '/organizations/:organisation/code-mappings/bulk', 'code mappings'],
  ['get', '/organizations/:organisation/events', 'logs and traces'],
] as const;

const scopesOf = {
  ci: ['project:releases'],
  read: ['org:read', 'project:read', 'event:read'],
  issues: ['event:write'],
  admin: ['event:write', 'project:write', 'project:admin'],
  ingest: [],
} as const;

async function getRoot(_deps: Deps, _request: Request, { key, member }: SentryCaller): Promise<unknown> {
  const scopes = new Set(key.scopes.flatMap((scope): readonly string[] => scopesOf[scope]));
  const user =
    member === null || member.email === null ? null : { id: String(member.id), email: member.email };
  return { version: '0', user, auth: { scopes: [...scopes] } };
}

const getReleases: SentryHandler = async (deps, _request, { project }) => {
  const filter = { orderBy: 'date_created', descending: true, limit: releasesListed, offset: 0 } as const;
  const { rows } = await deps.store.listReleases(project.id, filter);
  return viewSentryReleases(deps, project, rows);
};

/** 201 for a new release, 208 for an existing one, as in Sentry. */
const postRelease: SentryHandler = async (deps, request, { project }, response) => {
  const { release, created } = await recordRelease(deps, await readChange(deps, project, request, null));
  response.status(created ? 201 : 208);
  return viewSentryRelease(deps, project, release);
};

const getRelease: SentryHandler = async (deps, request, { project }) =>
  viewSentryRelease(deps, project, await getNamedRelease(deps, project, request));

const putRelease: SentryHandler = async (deps, request, { project }) => {
  const change = await readChange(deps, project, request, versionOf(request));
  const { release } = await recordRelease(deps, change);
  return viewSentryRelease(deps, project, release);
};

/** The version in the path takes precedence. */
async function readChange(deps: Deps, project: Project, request: Request, version: string | null) {
  const of = { project, nowMs: deps.now() };
  const body: unknown = request.body;
  if (body instanceof LargeJson) {
    return deps.largeBodyReader.readReleaseJson(body.bytes, version, of);
  }
  const input = parseValue(releaseRequest, body);
  return parseReleaseRequest(version === null ? input : { ...input, version }, of);
}

const deleteOneRelease: SentryHandler = async (deps, request, caller, response) => {
  const release = await getNamedRelease(deps, caller.project, request);
  await deleteRelease(deps, caller.project, release.id, keySource(caller));
  response.status(204);
};

/** From its last commit on sentry-cli takes the commits of the local clone. */
const getPreviousWithCommits: SentryHandler = async (deps, request, { project }) => {
  const previous = await findPreviousWithCommits(deps, project, versionOf(request));
  return previous === null ? {} : viewSentryRelease(deps, project, previous);
};

const getCommits: SentryHandler = async (deps, request, { project }) =>
  viewSentryCommits(await getNamedRelease(deps, project, request));

const getDeploys: SentryHandler = async (deps, request, { project }) => {
  const release = await getNamedRelease(deps, project, request);
  const { rows } = await listDeploys(deps, project, { releaseId: release.id });
  return rows.map(viewSentryDeploy);
};

const postDeploy: SentryHandler = async (deps, request, { project }, response) => {
  const input = parseValue(deployRequest, await readSmallBody(deps, request, deployRequest));
  const { deploy } = await createDeploy(deps, project, { ...input, version: versionOf(request) });
  response.status(201);
  return viewSentryDeploy(deploy);
};

function getChunkOptions(baseUrl: string): SentryHandler {
  return async (_deps, request) =>
    chunkOptions(
      `${baseUrl}/api/0/organizations/${encodeURIComponent(String(request.params['organisation']))}/chunk-upload/`,
    );
}

const postChunks: SentryHandler = async (deps, request, { project }) => {
  await storeChunks(deps, project, request);
  return [];
};

async function getNamedRelease(deps: Deps, project: Project, request: Request): Promise<Release> {
  const release = await findReleaseByVersion(deps, project, versionOf(request));
  if (release === null) throw new RestError('not_found', 'The requested resource does not exist.', 404);
  return release;
}

function versionOf(request: Request): string {
  return String(request.params['version'] ?? '');
}

async function viewSentryReleases(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  project: Project,
  releases: readonly Release[],
): Promise<SentryRelease[]> {
  const stats = await store.releaseSums(releases, now());
  return releases.map((release) => viewRelease(project, release, stats.get(release.id)));
}

async function viewSentryRelease(deps: Pick<Deps, 'store' | 'now'>, project: Project, release: Release) {
  const stats = await deps.store.releaseSums([release], deps.now());
  return viewRelease(project, release, stats.get(release.id));
}

function viewRelease(
  project: Project,
  release: Release,
  figures: ReleaseListFigures | undefined,
): SentryRelease {
  return {
    version: release.version,
    shortVersion: release.version.split('@').at(-1) ?? release.version,
    status: release.status,
    ref: release.ref,
    url: release.url,
    dateCreated: formatTime(release.createdAtMs),
    dateStarted: formatTime(release.dateStartedMs),
    dateReleased: formatTime(release.dateReleasedMs),
    commitCount: release.commitCount,
    lastCommit: release.lastCommit === null ? null : { id: release.lastCommit },
    newGroups: figures?.newIssues ?? 0,
    lastEvent: formatTime(figures?.lastEventAtMs ?? null),
    projects: [{ slug: project.name, name: project.name }],
  };
}

/** Newest first. */
function viewSentryCommits({ commits }: Pick<Release, 'commits'>): SentryCommit[] {
  const stored = commits === null ? [] : (JSON.parse(commits) as StoredCommit[]);
  return stored.map(({ id, message, timestamp, author_name: name, author_email: email, repository }) => ({
    id,
    message,
    dateCreated: timestamp,
    author: name === null && email === null ? null : { name, email },
    repository: repository === null ? null : { name: repository },
    pullRequest: null,
    releases: [],
  }));
}

function viewSentryDeploy(deploy: Deploy): SentryDeploy {
  return {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: formatTime(deploy.dateStartedMs),
    dateFinished: formatTime(deploy.dateFinishedMs),
  };
}
