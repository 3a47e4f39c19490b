// Maps what each format says about a run to the names of POST /test-runs, unchecked.
import type { Json } from '../../../../../schemas/event.ts';
import { createBadRequestError, RestError } from '../../../errors.ts';
import type { RunFields } from '../../../ports/test-report-reader.ts';

export const contextNames = {
  release: ['release', 'version', 'appVersion'],
  environment: ['environment'],
  commit: ['commit', 'commit_sha', 'sha'],
  branch: ['branch', 'branchName'],
  repository: ['repository', 'repositoryUrl'],
  suite: ['suite'],
  tool: ['tool'],
  run_key: ['run_key', 'runId', 'run_id', 'key'],
  shard: ['shard', 'shardId'],
  ci: ['ci', 'CI'],
  started_at: ['started_at'],
  finished_at: ['finished_at'],
  duration_ms: ['duration_ms'],
  exit_code: ['exit_code', 'exitCode', 'exitcode'],
  build: ['build'],
  tags: ['tags'],
  metadata: ['metadata'],
} as const;

/** JUnit properties; case and separators are ignored. */
const junitNames: ReadonlyMap<string, string> = new Map([
  ...['release', 'version', 'appversion'].map((name) => [name, 'release'] as const),
  ...['environment', 'testenvironment', 'deploymentenvironment'].map(
    (name) => [name, 'environment'] as const,
  ),
  ...['commit', 'commitsha', 'gitcommit', 'gitcommitsha', 'revision'].map(
    (name) => [name, 'commit'] as const,
  ),
  ...['branch', 'branchname', 'gitbranch'].map((name) => [name, 'branch'] as const),
  ...['repository', 'repositoryurl', 'gitrepositoryurl'].map((name) => [name, 'repository'] as const),
  ...['runkey', 'runid'].map((name) => [name, 'run_key'] as const),
  ...['shard', 'shardid'].map((name) => [name, 'shard'] as const),
]);

export function junitContext(properties: Readonly<Record<string, string>>): RunFields {
  const context: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(properties)) {
    const known = junitNames.get(name.toLowerCase().replaceAll(/[._-]/g, ''));
    if (known !== undefined && value.trim() !== '') {
      context[known] ??= value;
    }
  }
  return context;
}

export function ctrfContext(
  report: Readonly<Record<string, Json>>,
  results: Readonly<Record<string, Json>>,
): RunFields {
  const environment = asObject(results['environment']);
  const build = {
    id: environment['buildId'] ?? null,
    number: environment['buildNumber'] ?? null,
    url: environment['buildUrl'] ?? null,
    name: environment['buildName'] ?? null,
  };
  return {
    release: environment['appVersion'] ?? null,
    environment: environment['testEnvironment'] ?? null,
    commit: environment['commit'] ?? null,
    branch: environment['branchName'] ?? null,
    repository: environment['repositoryUrl'] ?? environment['repositoryName'] ?? null,
    suite: environment['reportName'] ?? null,
    run_key: report['runId'] ?? null,
    shard: environment['shardId'] ?? null,
    build: Object.values(build).some((value) => value !== null) ? build : null,
  };
}

export function asObject(value: Json | undefined): Readonly<Record<string, Json>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : Object.create(null);
}

/** Numbers become text, since identifiers are often numbers. */
export function asText(value: Json | undefined): string | null {
  if (typeof value === 'number') {
    return String(value);
  }
  return typeof value === 'string' ? value : null;
}

export function unreadableReportError(sentence: string, extra: Record<string, number> = {}): RestError {
  return createBadRequestError('notifier_test_run_unreadable', sentence, extra);
}

/** For XML that is not a test report: among other files it is ignored. */
export class OtherDocumentError extends RestError {
  readonly isFailed: boolean;

  constructor(sentence: string, extra: Record<string, number>, isFailed: boolean) {
    super('notifier_test_run_unreadable', sentence, 400, extra);
    this.isFailed = isFailed;
  }
}
