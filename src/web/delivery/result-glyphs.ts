// Results of a test case run by run, as a row or a table: · passed, ~ flaky, × failed, – skipped.

import type { CaseResult } from '../../core/page-models/delivery/kinds.ts';
import type { CaseResultHistory, MatrixRow, RunMark } from '../../core/page-models/delivery/test-run.ts';
import { dash, hiddenCaption, visuallyHidden } from '../components/elements.ts';
import { scrollableTable, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { counted, percent, replaceInvisible, untrustedCode } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

const glyphs: Readonly<Record<CaseResult, readonly [className: string, sign: string]>> = {
  passed: ['h p', '·'],
  flaky: ['h y', '~'],
  failed: ['h f', '×'],
  skipped: ['h s', '–'],
};
const notRun = ['h n', '\u00a0'] as const;
const newestKept = 8;
const numberEvery = 5;

export function resultRow(ends: CaseResultHistory): VNode {
  return html`<span class="runs" role="img" aria-label=${saidOf(ends)}>
    ${ends.map((end) => {
      const [className, sign] = end === null ? notRun : glyphs[end];
      return html`<i class=${className}>${sign}</i>`;
    })}
  </span>`;
}

/** `Last 20 runs, oldest first: 3 failed, 1 flaky`. */
function saidOf(ends: CaseResultHistory): string {
  const failed = ends.filter((end) => end === 'failed').length;
  const flaky = ends.filter((end) => end === 'flaky').length;
  return `Last ${counted(ends.length, 'run')}, oldest first: ${failed} failed, ${flaky} flaky`;
}

export function resultLegend(): VNode {
  const one = (result: CaseResult): VNode => {
    const [className, sign] = glyphs[result];
    return html`<span><i class=${className} aria-hidden="true">${sign}</i> ${result}</span>`;
  };
  const all = (['passed', 'flaky', 'failed', 'skipped'] as const).map(one);
  return html`<p class="key small">${all}</p>`;
}

export function resultMatrix(
  context: PageContext,
  runs: readonly RunMark[],
  rows: readonly MatrixRow[],
): VNode {
  const optionalClass = (index: number): string => (index < runs.length - newestKept ? ' opt' : '');
  const heads = runs.map((run, index) => {
    const number = String(run.test_run_id);
    const isNumbered = (runs.length - 1 - index) % numberEvery === 0;
    const word = isNumbered ? number : html`<span aria-hidden="true">·</span>`;
    const to = { path: `/test-runs/${run.test_run_id}` };
    return html`<th scope="col" class="h${optionalClass(index)}">
      ${pageLink(context, to, { 'aria-label': `Run ${number}` }, word)}
    </th>`;
  });
  const table = html`<table class="t matrix">
    ${hiddenCaption('Tests by run, oldest run first')}
    <thead><tr><th scope="col">Test</th>${heads}<th scope="col" class="r opt">Flaky</th></tr></thead>
    <tbody>${rows.map((row) => matrixRow(context, row, optionalClass))}</tbody>
  </table>`;
  return scrollableTable('Tests by run', table);
}

function matrixRow(context: PageContext, row: MatrixRow, optionalClass: (index: number) => string): VNode {
  const { ends } = row;
  const ran = ends.filter((end) => end !== null).length;
  const flaky = ends.filter((end) => end === 'flaky').length;
  const title = titleCell(context, {
    path: `/test-runs/cases/${encodeURIComponent(row.case_id)}`,
    title: replaceInvisible(row.name),
    subtitle: row.file === null ? undefined : untrustedCode(row.file),
  });
  const cells = ends.map((end, index): Content => {
    const [className, sign] = end === null ? notRun : glyphs[end];
    return html`<td class=${`${className}${optionalClass(index)}`}>
      <span aria-hidden="true">${sign}</span>${visuallyHidden(end ?? 'not run')}
    </td>`;
  });
  const share = flaky === 0 ? dash() : percent(flaky, ran);
  return html`<tr>${title}${cells}<td class="r opt">${share}</td></tr>`;
}
