import type { VNode } from 'preact';
import type { CaseEnd, RunEnd } from '../../core/workspace/delivery/kinds.ts';
import type { ListedRun, StreakView } from '../../core/workspace/delivery/test-runs.ts';
import { type Content, html } from '../el.ts';
import { icon, type Shape } from '../parts/icons.ts';
import { dash, hidden, outside } from '../parts/layout.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { fullTime } from '../parts/time.ts';
import { count } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';

const shortCommit = 7;

/** Text from outside: bidi-isolated, with invisible characters replaced. */
export function told(text: string): VNode {
  return outside(visible(text));
}

export function commitCode(commit: string): VNode {
  const short = /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, shortCommit) : commit;
  return html`<code title=${short === commit ? null : commit}>${told(short)}</code>`;
}

export function code(text: string, className?: string): VNode {
  return html`<code class=${className}>${told(text)}</code>`;
}

const shapeOfRun: Readonly<Record<RunEnd, Shape>> = {
  failed: 'failed',
  flaky: 'flaky',
  passed: 'passed',
  empty: 'skipped',
};

export function runShape(result: RunEnd): VNode {
  if (result !== 'empty') return shapeMark(shapeOfRun[result]);
  return html`<span class="mk skipped" title="empty">${icon('skipped')}${hidden('empty')}</span>`;
}

export function runMarkOf(result: RunEnd, word?: string): VNode {
  return mark(shapeOfRun[result], word ?? (result === 'empty' ? 'Empty' : undefined));
}

export function caseMark(result: CaseEnd, word?: Content): VNode {
  return word === undefined ? mark(result) : html`<span class="mk ${result}">${icon(result)}${word}</span>`;
}

export function markedCount(value: number, shape: 'failed' | 'flaky'): Content {
  if (value === 0) return dash();
  return html`<span class="mk ${shape}">${icon(shape)}${count(value)}</span>`;
}

export function runName({ suite }: Pick<ListedRun, 'suite'>): string {
  return suite ?? 'Tests';
}

/** The project; with the suite and branch if needed. */
export function lineName({
  project,
  suite,
  branch,
}: Pick<StreakView, 'project' | 'suite' | 'branch'>): Content {
  return [
    told(project.name),
    suite === null ? null : [', ', told(suite)],
    branch === null || branch === 'main' ? null : [' on ', code(branch)],
  ];
}

export function momentRows(
  all: ReadonlyArray<readonly [name: string, at: string | null]>,
): Array<readonly [Content, Content]> {
  return all.map(([name, at]) => [name, at === null ? null : fullTime(at)]);
}

/** Custom fields, with names chosen by the sender. */
export function bagRows(bag: unknown): Array<readonly [Content, Content]> {
  if (typeof bag !== 'object' || bag === null) return [];
  return Object.entries(bag).map(([name, value]) => [told(name), told(bagText(value))]);
}

function bagText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
