import type { CaseDetail, Difference, DifferenceLine } from '../../core/page-models/delivery/case-detail.ts';
import type { FailureView, RunMark } from '../../core/page-models/delivery/test-run.ts';
import { codeBlock } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, span, untrustedCode, untrustedText } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';
import { resultRow } from './result-glyphs.ts';

export function failureList(
  context: PageContext,
  failures: readonly FailureView[],
  runs: readonly RunMark[],
): VNode {
  return html`<ol class="failures">${failures.map((each, index) => failure(context, each, runs, index))}</ol>`;
}

function failure(context: PageContext, one: FailureView, runs: readonly RunMark[], index: number): VNode {
  const id = `failure-${index}`;
  const history = { path: `/test-runs/cases/${encodeURIComponent(one.case_id)}` };
  return el(
    'li',
    { class: 'failure' },
    el(
      'article',
      { 'aria-labelledby': id },
      html`<div class="top">
        <h3 id=${id}>${pageLink(context, history, { class: 'cell' }, statusMark('failed', untrustedText(one.name)))}</h3>
        <span class="small dim">${one.quarantined ? 'Quarantined. ' : ''}${durationAndTries(one)}</span>
      </div>`,
      caseLocation(one),
      failureDetails(one),
      html`<p class="under">
        ${resultRow(one.ends)}${' '}<span class="small dim">last ${counted(one.ends.length, 'run')}</span>
        ${' '}<span class="small">${failingSince(context, one, runs)}</span>
      </p>`,
    ),
  );
}

export function caseLocation({ file, line, suite, configuration }: CaseDetail): VNode | null {
  const fileText = file === null ? null : untrustedCode(line === null ? file : `${file}:${line}`);
  const suites = suite.length === 0 ? null : untrustedText(suite.join(' › '));
  const parts = [fileText, suites, configuration === null ? null : untrustedText(configuration)].filter(
    (part) => part !== null,
  );
  if (parts.length === 0) return null;
  return html`<p class="cul">${parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}</p>`;
}

/** `38 ms, 2 tries`. */
export function durationAndTries({ duration_ms: took, retries }: CaseDetail): string {
  const tries = retries === 0 ? null : counted(retries + 1, 'try', 'tries');
  return [took === null ? null : span(took), tries].filter((part) => part !== null).join(', ');
}

export function failureDetails(one: CaseDetail): Content[] {
  const { difference, trace, stdout, stderr } = one;
  const message = difference === null ? one.message : difference.message;
  return [
    message === null || message === '' ? null : messageOf(message),
    difference === null ? null : differenceBlock(difference),
    trace === null || trace === one.message ? null : folded(traceText(trace), trace, 'Stack of the failure'),
    stdout === null ? null : folded('Output', stdout, 'Standard output'),
    stderr === null ? null : folded('Error output', stderr, 'Standard error'),
  ];
}

/** Shows the type of a first line such as `TypeError: …` in bold. */
function messageOf(message: string): VNode {
  const [first = '', ...others] = message.split('\n');
  const [, type, text] = /^([A-Za-z_$][\w$.\\]{0,80}(?:Error|Exception|Failure)?): (.+)$/.exec(first) ?? [];
  const head =
    type === undefined || !/(?:Error|Exception|Failure)$/.test(type)
      ? untrustedText(first)
      : [html`<strong>${untrustedText(type)}</strong>`, ' ', untrustedText(text ?? '')];
  const line = html`<p class="msg2">${head}</p>`;
  const rest = others.join('\n').trim();
  if (rest === '') return line;
  return html`<div>${line}${codeBlock('Rest of the message', untrustedText(rest))}</div>`;
}

const signs: Readonly<Record<DifferenceLine['kind'], readonly [className: string, sign: string]>> = {
  same: ['l', ' '],
  expected: ['l del', '−'],
  received: ['l add', '+'],
};

function differenceBlock({ lines }: Difference): VNode {
  const rows = lines.map(({ kind, text }) => {
    const [className, sign] = signs[kind];
    return html`<span class=${className} data-n=${sign}>${`${text}\n`}</span>`;
  });
  return codeBlock('Expected (−) and received (+)', rows, 'src diffs');
}

function folded(word: string, text: string, label: string): VNode {
  return html`<details><summary>${word}</summary>${codeBlock(label, untrustedText(text))}</details>`;
}

function traceText(trace: string): string {
  const frames = trace.split('\n').filter((line) => /^\s*(?:at |#\d+ |File ")/.test(line)).length;
  return frames === 0 ? 'Trace' : counted(frames, 'frame');
}

function failingSince(
  context: PageContext,
  { ends, case_flaky: known }: FailureView,
  runs: readonly RunMark[],
): Content {
  const flaky = ends.filter((end) => end === 'flaky').length;
  if (flaky > 0) {
    const ran = ends.filter((end) => end !== null).length;
    return [statusMark('flaky'), ` in ${flaky} of ${counted(ran, 'run')}`];
  }
  const good = ends.lastIndexOf('passed');
  const first = ends.findIndex((end, index) => index > good && end === 'failed');
  const run = runs[first];
  if (first === ends.length - 1) {
    const isNew = ends.slice(0, -1).every((end) => end === null);
    return isNew && ends.length > 1
      ? 'First run of this test.'
      : known === null
        ? 'New in this run.'
        : 'Flaky before.';
  }
  if (run === undefined) return null;
  const link = pageLink(context, `/test-runs/${run.test_run_id}`, null, `run ${run.test_run_id}`);
  return ['Failing since ', link];
}
