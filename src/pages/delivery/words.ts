// Words and marks that the pages of delivery share: how runs and cases ended, what they are called, codes.

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

/** Characters of a commit that tell it from others. */
const shortCommit = 7;

/** Text from outside, isolated, with signs in place of what cannot be seen. */
export function told(text: string): VNode {
  return outside(visible(text));
}

/** A commit as people say it: its first seven characters where it is a hash. */
export function commitCode(commit: string): VNode {
  const short = /^[0-9a-f]{12,64}$/i.test(commit) ? commit.slice(0, shortCommit) : commit;
  return html`<code title=${short === commit ? null : commit}>${told(short)}</code>`;
}

/** What a machine wrote, isolated. */
export function code(text: string, className?: string): VNode {
  return html`<code class=${className}>${told(text)}</code>`;
}

const shapeOfRun: Readonly<Record<RunEnd, Shape>> = {
  failed: 'failed',
  flaky: 'flaky',
  passed: 'passed',
  empty: 'skipped',
};

/** How a run ended, as its shape alone, in the first column of a list. */
export function runShape(result: RunEnd): VNode {
  if (result !== 'empty') return shapeMark(shapeOfRun[result]);
  return html`<span class="mk skipped" title="empty">${icon('skipped')}${hidden('empty')}</span>`;
}

/** The same with a word. */
export function runMarkOf(result: RunEnd, word?: string): VNode {
  return mark(shapeOfRun[result], word ?? (result === 'empty' ? 'Empty' : undefined));
}

/** How a case ended, with a word. */
export function caseMark(result: CaseEnd, word?: Content): VNode {
  return word === undefined ? mark(result) : html`<span class="mk ${result}">${icon(result)}${word}</span>`;
}

/** A count behind the mark of what it counts; a dash where there is none. */
export function markedCount(value: number, shape: 'failed' | 'flaky'): Content {
  if (value === 0) return dash();
  return html`<span class="mk ${shape}">${icon(shape)}${count(value)}</span>`;
}

/** What a run is called: its suite, else that it is tests. */
export function runName({ suite }: Pick<ListedRun, 'suite'>): string {
  return suite ?? 'Tests';
}

/** What is red: the project, and its suite where it has several names. */
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

/** Moments in full, one a row; none where nothing was said. */
export function momentRows(
  all: ReadonlyArray<readonly [name: string, at: string | null]>,
): Array<readonly [Content, Content]> {
  return all.map(([name, at]) => [name, at === null ? null : fullTime(at)]);
}

/** What a sender put along under names of its own: scalars, one a row. */
export function bagRows(bag: unknown): Array<readonly [Content, Content]> {
  if (typeof bag !== 'object' || bag === null) return [];
  return Object.entries(bag).map(([name, value]) => [told(name), told(bagText(value))]);
}

function bagText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
