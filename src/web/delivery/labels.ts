import type { DeployOutcome } from '../../core/page-models/delivery/deploys.ts';
import type { ArtifactType, RunResult } from '../../core/page-models/delivery/kinds.ts';
import type { ListedRelease } from '../../core/page-models/delivery/releases.ts';
import type { ListedRun, StreakView } from '../../core/page-models/delivery/test-runs.ts';
import { dash } from '../components/elements.ts';
import { capitalize, type IconName, iconMark, statusMark } from '../components/icons.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, fullTime, percent, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

const shortCommit = 7;

export function shortCommitCode(commit: string): VNode {
  const short = /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, shortCommit) : commit;
  return html`<code title=${short === commit ? null : commit}>${untrustedText(short)}</code>`;
}

const shapeOfRun: Readonly<Record<RunResult, IconName>> = {
  failed: 'failed',
  flaky: 'flaky',
  passed: 'passed',
  empty: 'skipped',
};

export function runIcon(result: RunResult): VNode {
  return iconMark(shapeOfRun[result], result);
}

export function markedCount(value: number, shape: 'failed' | 'flaky'): VNode {
  return value === 0 ? dash() : statusMark(shape, count(value));
}

export function runName({ suite }: Pick<ListedRun, 'suite'>): string {
  return suite ?? 'Tests';
}

export function suiteLabel({
  project,
  suite,
  branch,
}: Pick<StreakView, 'project' | 'suite' | 'branch'>): Content {
  return [
    untrustedText(project.name),
    suite === null ? null : [', ', untrustedText(suite)],
    branch === null || branch === 'main' ? null : [' on ', untrustedCode(branch)],
  ];
}

export function timeRows(
  all: ReadonlyArray<readonly [name: string, at: string | null]>,
): Array<readonly [Content, Content]> {
  return all.map(([name, at]) => [name, at === null ? null : fullTime(at)]);
}

export function customFieldRows(fields: unknown): Array<readonly [Content, Content]> {
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.entries(fields).map(([name, value]) => [untrustedText(name), untrustedText(bagText(value))]);
}

function bagText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export const artifactTypeNames: Readonly<Record<ArtifactType, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
};

const healthyShare = 0.98;

export function crashFree(sessions: { readonly total: number; readonly crashed: number }): Content {
  const { total, crashed } = sessions;
  if (total === 0) return dash();
  const share = percent(total - crashed, total, 2);
  const isLow = (total - crashed) / total < healthyShare;
  return isLow ? statusMark('down', share) : share;
}

export function testRunLink(context: PageContext, run: ListedRelease['test_run']): Content {
  if (run === null) return dash();
  const word =
    run.failed > 0
      ? `${run.failed} failed`
      : run.result === 'flaky'
        ? `${run.flaky} flaky`
        : capitalize(run.result);
  const mark = statusMark(shapeOfRun[run.result], word);
  return pageLink(context, `/test-runs/${run.test_run_id}`, null, mark);
}

export const deployOutcomes: Readonly<Record<DeployOutcome, readonly [shape: IconName, word: string]>> = {
  done: ['passed', 'done'],
  failed: ['failed', 'failed'],
  running: ['pending', 'running'],
  stopped: ['skipped', 'stopped'],
  back: ['back', 'rolled back to'],
  taken_back: ['failed', 'rolled back'],
};
