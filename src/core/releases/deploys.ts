import { type DeployRequest, type DeployStatus, deployStatusAliases } from '../../../schemas/deploys.ts';
import type { Deps } from '../deps.ts';
import { createNotFoundError } from '../errors.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import { type FieldKinds, scrubRecord, scrubVersion } from '../scrub/record.ts';
import type { Page } from '../store/pagination.ts';
import type { Project } from '../store/projects.ts';
import type { Deploy, DeployChange, DeployFilter, RecordedDeploy } from '../store/releases.ts';
import {
  createFieldValidator,
  findFirstGiven,
  type RequestFields,
  removeCredentials,
} from './field-validation.ts';
import { createVersionSortKey } from './version.ts';

/** Updates the deploy with the same `key`, if any. Throws 400. docs/releases.md, "Deploys". */
export async function createDeploy(
  deps: Deps,
  project: Project,
  request: DeployRequest,
): Promise<RecordedDeploy> {
  const recorded = await deps.store.recordDeploy(readDeploy(request, project, deps.now()));
  const { deploy, created } = recorded;
  deps.log.info(
    { projectId: project.id, deployId: deploy.id, releaseId: deploy.releaseId, created },
    'deploy recorded',
  );
  return recorded;
}

export async function getDeploy(deps: Deps, project: Project, deployId: number): Promise<Deploy> {
  const deploy = await deps.store.findDeploy(project.id, deployId);
  if (deploy === null) throw createNotFoundError('deploy');
  return deploy;
}

/** Newest first by default. */
export function listDeploys(
  deps: Deps,
  project: Project,
  filter: Partial<DeployFilter> = {},
): Promise<Page<Deploy>> {
  const all: DeployFilter = { orderBy: 'date_created', descending: true, limit: 100, offset: 0 };
  return deps.store.listDeploys(project.id, { ...all, ...filter });
}

export const deployDatesReversedMessage = 'date_finished must not be before date_started.';

/** Honeybadger clients wrap the fields in `{"deploy": {…}}`; inner fields win. */
export function unwrapDeploy(request: RequestFields): RequestFields {
  const inner = Object.hasOwn(request, 'deploy') ? request['deploy'] : undefined;
  if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return request;
  const { deploy: _wrapper, ...outerFields } = request;
  return { ...outerFields, ...inner };
}

function readDeploy(request: DeployRequest, project: Project, nowMs: EpochMs): DeployChange {
  const members: RequestFields = request;
  const checks = createFieldValidator(members);
  const rawVersion = checks.requiredVersion(['version', 'release', 'appVersion', 'revision']);
  const version = scrubVersion(rawVersion, project);
  const environment = checks.requiredEnvironment(['environment', 'releaseStage']);
  // A revision used as the version may be too long for the revision column.
  const versionGiven = findFirstGiven(members, ['version', 'release', 'appVersion']) !== null;
  const revisionFits = versionGiven || rawVersion.length <= 64;
  const status = readStatus(request.status ?? null);
  const dateStartedMs = checks.date(['date_started', 'dateStarted']);
  const dateFinishedMs = checks.date(['date_finished', 'dateFinished']);
  if (dateStartedMs !== null && dateFinishedMs !== null && dateFinishedMs < dateStartedMs) {
    checks.problem('date_finished', deployDatesReversedMessage);
  }
  const repository = checks.text(['repository'], 512);
  const change: DeployChange = {
    projectId: project.id,
    version,
    versionSort: createVersionSortKey(version),
    environment,
    name: checks.text(['name'], 64),
    url: checks.url(['url']),
    status,
    dateStartedMs,
    dateFinishedMs,
    finishDefaultMs: Math.max(nowMs, dateStartedMs ?? 0),
    revision: revisionFits ? checks.text(['revision'], 64) : null,
    repository: repository === null ? null : removeCredentials(repository),
    deployedBy: checks.text(['deployed_by', 'local_username', 'builderName'], 128),
    comment: checks.text(['comment'], 4096),
    key: checks.text(['key'], 128),
    nowMs,
  };
  checks.finish();
  return scrubRecord(change, deployKinds, project);
}

/** The version is already scrubbed. */
const deployKinds: FieldKinds<DeployChange> = {
  projectId: 'kept',
  version: 'kept',
  versionSort: 'kept',
  environment: 'text',
  name: 'text',
  url: 'text',
  status: 'kept',
  dateStartedMs: 'kept',
  dateFinishedMs: 'kept',
  finishDefaultMs: 'kept',
  revision: 'text',
  repository: 'text',
  deployedBy: 'text',
  comment: 'text',
  key: 'identity',
  nowMs: 'kept',
};

function readStatus(status: NonNullable<DeployRequest['status']> | null): DeployStatus | null {
  if (status === null) return null;
  return isAlias(status) ? deployStatusAliases[status] : status;
}

function isAlias(status: string): status is keyof typeof deployStatusAliases {
  return Object.hasOwn(deployStatusAliases, status);
}
