import { z } from 'zod';
import { type ReleaseModel, releaseModel } from '../core/page-models/delivery/release.ts';
import { type ListedRelease, releasesModel } from '../core/page-models/delivery/releases.ts';
import { type FailureView, testRunModel } from '../core/page-models/delivery/test-run.ts';
import { type ListedRun, testRunsModel } from '../core/page-models/delivery/test-runs.ts';
import type { ListedIssueView } from '../core/page-models/issues/list.ts';
import { pageNotFound } from '../core/page-models/request-context.ts';
import { issueLines } from './issue-tools.ts';
import {
  cursorField,
  dataNotice,
  fenced,
  fitTokens,
  projectField,
  type Tool,
  tokensField,
  tool,
} from './tool.ts';
import { contextOf, type McpUser } from './user.ts';

const listReleases = tool({
  name: 'list_releases',
  title: 'List releases',
  description:
    'Lists releases, newest first, with their new and regressed issues, events, deploys and test run.',
  input: {
    project: projectField,
    query: z.string().max(200).optional().describe('Part of the version.'),
    environment: z.string().max(64).optional().describe('Deployed to this environment.'),
    cursor: cursorField,
    max_tokens: tokensField,
  },
  async answer(user, { project, query, environment, cursor, max_tokens: tokens }) {
    const params = { q: query, environment, after: undefined, before: cursor };
    const { releases, total, older } = await releasesModel(contextOf(user, { query: params, project }));
    if (releases.length === 0) return 'No releases match.';
    const more = older === null ? '' : ` More: call again with cursor ${older}`;
    const text = `${releases.length} of ${total} releases.${more}\n\n${dataNotice}\n\n${fenced(releases.flatMap(releaseLines))}`;
    return fitTokens(text, tokens, 'Raise max_tokens for the rest.');
  },
});

function releaseLines(release: ListedRelease): string[] {
  const { issues, events, commit_count: commits, arrivals, test_run: run } = release;
  const deployed = arrivals.map(({ environment, at }) => `${environment} ${at}`).join(', ');
  return [
    `${release.version} (release ${release.release_id}, project ${release.project.name}), created ${release.date_created}`,
    `    ${issues.new} new and ${issues.regressed} regressed issues, ${events} events, ${commits} commits`,
    ...(deployed === '' ? [] : [`    deployed: ${deployed}`]),
    ...(run === null
      ? []
      : [`    test run ${run.test_run_id}: ${run.result}, ${run.failed} failed, ${run.flaky} flaky`]),
  ];
}

const getRelease = tool({
  name: 'get_release',
  title: 'Show what changed in a release',
  description:
    'Shows one release: its commits with changed files, the issues that are new, regressed or resolved in it, deploys, and the release before.',
  input: {
    release: z.string().min(1).max(200).describe('Version, or number of the release.'),
    project: projectField,
    max_tokens: tokensField,
  },
  async answer(user, { release, project, max_tokens: tokens }) {
    const id = await findReleaseId(user, release, project);
    const model = await releaseModel(contextOf(user, { path: { release_id: id }, project }));
    return fitTokens(
      releaseText(model),
      tokens,
      'Raise max_tokens for the rest, or show its issues one by one.',
    );
  },
});

/** A version is sought first: one may look like a number. */
async function findReleaseId(user: McpUser, word: string, project: string | undefined): Promise<string> {
  const { releases } = await releasesModel(contextOf(user, { query: { q: word.trim() }, project }));
  const matching = releases.filter(({ version }) => version === word.trim());
  const [first] = matching;
  if (matching.length > 1) {
    const names = matching.map((each) => each.project.name).join(', ');
    throw pageNotFound(`A single release of this version (projects ${names} have one; name the project)`);
  }
  if (first !== undefined) return String(first.release_id);
  if (/^[1-9]\d{0,14}$/.test(word.trim())) return word.trim();
  throw pageNotFound('A release with this version');
}

function releaseText(model: ReleaseModel): string {
  const { release, project, before, commits, deploys, test_run: run } = model;
  const facts = [
    `version: ${release.version}`,
    `release: ${release.release_id}`,
    `project: ${project.name}`,
    `created: ${release.date_created}`,
    `events: ${model.events}`,
    `release before: ${before === null ? 'none' : `${before.version} (${before.events} events)`}`,
    ...(run === null
      ? []
      : [`test run: ${run.test_run_id}, ${run.result}, ${run.failed} of ${run.tests} failed`]),
  ];
  const issues = (title: string, rows: readonly ListedIssueView[]): string[] =>
    rows.length === 0 ? [`## ${title}: none`] : [`## ${title}`, fenced(rows.flatMap(issueLines))];
  const commitLines = commits.flatMap(({ id, message, author, at, paths, path_count: count }) => [
    `${id.slice(0, 12)} ${(message ?? '').split('\n', 1)[0]} (${author ?? 'unknown'}${at === null ? '' : `, ${at}`})`,
    ...paths.slice(0, 10).map(({ path, type }) => `    ${type} ${path}`),
    ...(count > 10 ? [`    and ${count - 10} more files`] : []),
  ]);
  const deployLines = deploys.map(
    ({ environment, outcome, date_finished: at }) => `${environment}: ${outcome}, ${at}`,
  );
  return [
    dataNotice,
    fenced(facts),
    ...issues('New issues', model.new_issues),
    ...issues('Regressed issues', model.regressed_issues),
    ...(commits.length === 0 ? ['## Commits: none were sent'] : ['## Commits', fenced(commitLines)]),
    ...issues('Resolved issues', model.resolved_issues),
    ...(deploys.length === 0 ? [] : ['## Deploys', fenced(deployLines)]),
  ].join('\n\n');
}

const listFailedTests = tool({
  name: 'list_failed_tests',
  title: 'List failed tests',
  description:
    'Lists the failed tests of a test run with message and trace: of the newest failed run, or of a given one.',
  input: {
    project: projectField,
    branch: z.string().max(200).optional(),
    test_run_id: z.int().min(1).optional(),
    max_tokens: tokensField,
  },
  async answer(user, { project, branch, test_run_id: requestedId, max_tokens: tokens }) {
    const query = { result: 'failed', branch };
    const { runs } = await testRunsModel(contextOf(user, { query, project }));
    const id = requestedId ?? runs[0]?.test_run_id;
    if (id === undefined) return 'No test run has failed.';
    const { run, failures, before } = await testRunModel(
      contextOf(user, { path: { test_run_id: String(id) }, project }),
    );
    const others = runs.filter(({ test_run_id: other }) => other !== id).slice(0, 10);
    const shown = failures.length < run.failed ? `; the first ${failures.length} are shown` : '';
    const text = [
      `${run.failed} of ${run.tests} tests failed in test run ${id}${shown}.`,
      dataNotice,
      fenced([
        ...runLines(run),
        `run before: ${before === null ? 'none' : `${before.test_run_id}, ${before.result}`}`,
      ]),
      ...failures.flatMap((failure, index) => [`## Failure ${index + 1}`, fenced(failureLines(failure))]),
      ...(others.length === 0 ? [] : ['## Other failed runs', fenced(others.flatMap(runLines))]),
    ].join('\n\n');
    return fitTokens(text, tokens, 'Raise max_tokens for the rest.');
  },
});

function runLines(run: ListedRun): string[] {
  const { release, branch, suite } = run;
  const facts = { suite, branch, release };
  const rows = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return [
    `test run ${run.test_run_id}, project ${run.project.name}, ${run.created_at}: ${run.failed} of ${run.tests} failed, ${run.flaky} flaky`,
    ...(rows.length === 0 ? [] : [`    ${rows.map(([name, value]) => `${name} ${value}`).join(', ')}`]),
  ];
}

function failureLines({ name, file, line, message, trace, ends }: FailureView): string[] {
  return [
    name,
    ...(file === null ? [] : [`at ${file}${line === null ? '' : `:${line}`}`]),
    `last runs, oldest first: ${ends.map((each) => each ?? 'not run').join(', ')}`,
    ...(message === null ? [] : [message]),
    ...(trace === null || trace === message ? [] : [trace]),
  ];
}

export const deliveryTools: readonly Tool[] = [listReleases, getRelease, listFailedTests];
