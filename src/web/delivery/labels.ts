import type { VNode } from 'preact';
import type { CaseOutcome, RunOutcome } from '../../core/page-models/delivery/kinds.ts';
import type { ListedRun, StreakView } from '../../core/page-models/delivery/test-runs.ts';
import { bidiIsolated, dash, visuallyHidden } from '../components/elements.ts';
import { type IconName, icon } from '../components/icons.ts';
import { iconMark, statusMark } from '../components/mark.ts';
import { fullTime } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';

const shortCommit = 7;

export function untrustedText(text: string): VNode {
  return bidiIsolated(replaceInvisible(text));
}

export function shortCommitCode(commit: string): VNode {
  const short = /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, shortCommit) : commit;
  return html`<code title=${short === commit ? null : commit}>${untrustedText(short)}</code>`;
}

export function untrustedCode(text: string, className?: string): VNode {
  return html`<code class=${className}>${untrustedText(text)}</code>`;
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

export function runMarkWithLabel(result: RunOutcome, word?: string): VNode {
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

export function customFieldRows(bag: unknown): Array<readonly [Content, Content]> {
  if (typeof bag !== 'object' || bag === null) return [];
  return Object.entries(bag).map(([name, value]) => [untrustedText(name), untrustedText(bagText(value))]);
}

function bagText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
