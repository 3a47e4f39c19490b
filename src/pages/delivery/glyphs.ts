// Results of a test case run by run, as a row or a table: · passed, ~ flaky, × failed, – skipped.

import type { VNode } from 'preact';
import type { CaseEnd } from '../../core/workspace/delivery/kinds.ts';
import type { CaseEnds, MatrixRow, RunMark } from '../../core/workspace/delivery/test-run.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { dash, hidden, hiddenCaption } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { titleCell, wide } from '../parts/table.ts';
import { counted, percent } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { code } from './words.ts';

const glyphs: Readonly<Record<CaseEnd, readonly [className: string, sign: string]>> = {
  passed: ['h p', '·'],
  flaky: ['h y', '~'],
  failed: ['h f', '×'],
  skipped: ['h s', '–'],
};
const notRun = ['h n', '\u00a0'] as const;
/** Runs that stay visible on a narrow page. */
const newestKept = 8;
const numberEvery = 5;

export function endsRow(ends: CaseEnds): VNode {
  return el(
    'span',
    { class: 'runs', role: 'img', 'aria-label': saidOf(ends) },
    ...ends.map((end) => {
      const [className, sign] = end === null ? notRun : glyphs[end];
      return html`<i class=${className}>${sign}</i>`;
    }),
  );
}

/** `Last 20 runs, oldest first: 3 failed, 1 flaky`. */
function saidOf(ends: CaseEnds): string {
  const failed = ends.filter((end) => end === 'failed').length;
  const flaky = ends.filter((end) => end === 'flaky').length;
  return `Last ${counted(ends.length, 'run')}, oldest first: ${failed} failed, ${flaky} flaky`;
}

export function glyphKey(): VNode {
  const one = (result: CaseEnd): VNode => {
    const [className, sign] = glyphs[result];
    return html`<span><i class=${className} aria-hidden="true">${sign}</i> ${result}</span>`;
  };
  const all = (['passed', 'flaky', 'failed', 'skipped'] as const).map(one);
  return html`<p class="key small">${all}</p>`;
}

export function matrix(frame: Frame, runs: readonly RunMark[], rows: readonly MatrixRow[]): VNode {
  const kept = (index: number): string => (index < runs.length - newestKept ? ' opt' : '');
  const heads = runs.map((run, index) => {
    const number = String(run.test_run_id);
    const isNumbered = (runs.length - 1 - index) % numberEvery === 0;
    const word = isNumbered ? number : html`<span aria-hidden="true">·</span>`;
    const to = { path: `/test-runs/${run.test_run_id}` };
    return html`<th scope="col" class="h${kept(index)}">
      ${pageLink(frame, to, { 'aria-label': `Run ${number}` }, word)}
    </th>`;
  });
  const table = html`<table class="t matrix">
    ${hiddenCaption('Tests by run, oldest run first')}
    <thead><tr><th scope="col">Test</th>${heads}<th scope="col" class="r opt">Flaky</th></tr></thead>
    <tbody>${rows.map((row) => matrixRow(frame, row, kept))}</tbody>
  </table>`;
  return wide('Tests by run', table);
}

function matrixRow(frame: Frame, row: MatrixRow, kept: (index: number) => string): VNode {
  const { ends } = row;
  const ran = ends.filter((end) => end !== null).length;
  const flaky = ends.filter((end) => end === 'flaky').length;
  const title = titleCell(frame, {
    path: `/test-runs/cases/${encodeURIComponent(row.case_id)}`,
    title: visible(row.name),
    place: row.file === null ? undefined : code(row.file),
  });
  const cells = ends.map((end, index): Content => {
    const [className, sign] = end === null ? notRun : glyphs[end];
    return html`<td class=${`${className}${kept(index)}`}>
      <span aria-hidden="true">${sign}</span>${hidden(end ?? 'not run')}
    </td>`;
  });
  const share = flaky === 0 ? dash() : percent(flaky, ran);
  return html`<tr>${title}${cells}<td class="r opt">${share}</td></tr>`;
}
