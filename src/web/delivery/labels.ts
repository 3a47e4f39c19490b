import type { DeployOutcome, ListedDeploy } from '../../core/page-models/delivery/deploys.ts';
import type { CaseOutcome, FileType, RunOutcome } from '../../core/page-models/delivery/kinds.ts';
import type { ListedRelease } from '../../core/page-models/delivery/releases.ts';
import type { ListedRun, StreakView } from '../../core/page-models/delivery/test-runs.ts';
import { dash, visuallyHidden } from '../components/elements.ts';
import { type IconName, icon, iconMark, statusMark } from '../components/icons.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, fullTime, percent, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

const shortCommit = 7;

export function shortCommitCode(commit: string): VNode {
  const short = /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, shortCommit) : commit;
  return html`<code title=${short === commit ? null : commit}>${untrustedText(short)}</code>`;
}

const shapeOfRun: Readonly<Record<RunOutcome, IconName>> = {
  failed: 'failed',
  flaky: 'flaky',
  passed: 'passed',
  empty: 'skipped',
};

export function runIcon(result: RunOutcome): VNode {
  if (result !== 'empty') return iconMark(shapeOfRun[result]);
  return html`<span class="mk skipped" title="empty">${icon('skipped')}${visuallyHidden('empty')}</span>`;
}

function runMarkWithLabel(result: RunOutcome, word?: string): VNode {
  return statusMark(shapeOfRun[result], word ?? (result === 'empty' ? 'Empty' : undefined));
}

export function caseMark(result: CaseOutcome, word?: Content): VNode {
  return word === undefined
    ? statusMark(result)
    : html`<span class="mk ${result}">${icon(result)}${word}</span>`;
}

export function markedCount(value: number, shape: 'failed' | 'flaky'): Content {
  if (value === 0) return dash();
  return html`<span class="mk ${shape}">${icon(shape)}${count(value)}</span>`;
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

export const artifactTypeNames: Readonly<Record<FileType, string>> = {
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
  return isLow ? html`<span class="mk down">${icon('down')}${share}</span>` : share;
}

export function testRunLink(context: PageContext, run: ListedRelease['test_run']): Content {
  if (run === null) return dash();
  const word =
    run.failed > 0 ? `${run.failed} failed` : run.result === 'flaky' ? `${run.flaky} flaky` : undefined;
  return pageLink(context, `/test-runs/${run.test_run_id}`, null, runMarkWithLabel(run.result, word));
}

const outcomes: Readonly<Record<DeployOutcome, readonly [shape: IconName, className: string, word: string]>> =
  {
    done: ['passed', 'passed', 'done'],
    failed: ['failed', 'failed', 'failed'],
    running: ['pending', 'pending', 'running'],
    stopped: ['skipped', 'skipped', 'stopped'],
    back: ['back', 'back', 'rolled back to'],
    taken_back: ['failed', 'failed', 'rolled back'],
  };

export function deployIcon(outcome: DeployOutcome): IconName {
  return outcomes[outcome][0];
}

export function deployLabel(outcome: DeployOutcome): string {
  return outcomes[outcome][2];
}

export function deployMark({ outcome }: Pick<ListedDeploy, 'outcome'>): VNode {
  const [shape, className, word] = outcomes[outcome];
  return html`<span class="mk ${className}" title=${word}>${icon(shape)}${visuallyHidden(word)}</span>`;
}

export function deployMarkWithLabel(outcome: DeployOutcome, word = outcomes[outcome][2]): VNode {
  const [shape, className] = outcomes[outcome];
  return html`<span class="mk ${className}">${icon(shape)}${word}</span>`;
}
