import type { VNode } from 'preact';
import type { CaseDetail } from '../../core/workspace/delivery/case-detail.ts';
import type { Difference, DifferenceLine } from '../../core/workspace/delivery/difference.ts';
import type { FailureView, RunMark } from '../../core/workspace/delivery/test-run.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { pageLink } from '../parts/link.ts';
import { counted } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { endsRow } from './glyphs.ts';
import { caseMark, code, told } from './words.ts';

export function failureList(frame: Frame, failures: readonly FailureView[], runs: readonly RunMark[]): VNode {
  return html`<ol class="failures">${failures.map((each, index) => failure(frame, each, runs, index))}</ol>`;
}

function failure(frame: Frame, one: FailureView, runs: readonly RunMark[], index: number): VNode {
  const id = `failure-${index}`;
  const history = { path: `/test-runs/cases/${encodeURIComponent(one.case_id)}` };
  return el(
    'li',
    { class: 'failure' },
    el(
      'article',
      { 'aria-labelledby': id },
      html`<div class="top">
        <h3 id=${id}>${pageLink(frame, history, { class: 'cell' }, caseMark('failed', told(one.name)))}</h3>
        <span class="small dim">${tookOf(one)}</span>
      </div>`,
      whereOf(one),
      whatHappened(one),
      el(
        'p',
        { class: 'under' },
        endsRow(one.ends),
        ' ',
        html`<span class="small dim">last ${counted(one.ends.length, 'run')}</span>`,
        ' ',
        html`<span class="small">${sinceOf(frame, one, runs)}</span>`,
      ),
    ),
  );
}

export function whereOf({ file, line, suite, configuration }: CaseDetail): VNode | null {
  const place = file === null ? null : code(line === null ? file : `${file}:${line}`);
  const suites = suite.length === 0 ? null : told(suite.join(' › '));
  const parts = [place, suites, configuration === null ? null : told(configuration)].filter(
    (part) => part !== null,
  );
  if (parts.length === 0) return null;
  return html`<p class="cul">${parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))}</p>`;
}

/** `38 ms, 2 tries`. */
export function tookOf({ duration_ms: took, retries }: CaseDetail): string {
  const tries = retries === 0 ? null : counted(retries + 1, 'try', 'tries');
  return [took === null ? null : span(took), tries].filter((part) => part !== null).join(', ');
}

export function whatHappened(one: CaseDetail): Content[] {
  const { difference, trace, stdout, stderr } = one;
  const message = difference === null ? one.message : difference.message;
  return [
    message === null || message === '' ? null : messageOf(message),
    difference === null ? null : differenceBlock(difference),
    trace === null || trace === one.message ? null : folded(traceWord(trace), trace, 'Stack of the failure'),
    stdout === null ? null : folded('Output', stdout, 'Standard output'),
    stderr === null ? null : folded('Error output', stderr, 'Standard error'),
  ];
}

/** Shows the type of a first line such as `TypeError: …` in bold. */
function messageOf(message: string): VNode {
  const [first = '', ...others] = message.split('\n');
  const [, type, said] = /^([A-Za-z_$][\w$.\\]{0,80}(?:Error|Exception|Failure)?): (.+)$/.exec(first) ?? [];
  const head =
    type === undefined || !/(?:Error|Exception|Failure)$/.test(type)
      ? told(first)
      : [html`<strong>${told(type)}</strong>`, ' ', told(said ?? '')];
  const line = html`<p class="msg2">${head}</p>`;
  const rest = others.join('\n').trim();
  if (rest === '') return line;
  const place = { class: 'src', tabindex: 0, role: 'group', 'aria-label': 'Rest of the message' };
  return html`<div>${line}<pre ...${place}><code>${told(rest)}</code></pre></div>`;
}

const signs: Readonly<Record<DifferenceLine['kind'], readonly [className: string, sign: string]>> = {
  same: ['l', ' '],
  expected: ['l del', '−'],
  received: ['l add', '+'],
};

function differenceBlock({ lines }: Difference): VNode {
  const place = {
    class: 'src diffs',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Expected (−) and received (+)',
  };
  const rows = lines.map(({ kind, text }) => {
    const [className, sign] = signs[kind];
    return html`<span class=${className} data-n=${sign}>${`${text}\n`}</span>`;
  });
  return html`<pre ...${place}><code>${rows}</code></pre>`;
}

function folded(word: string, text: string, label: string): VNode {
  const place = { class: 'src', tabindex: 0, role: 'group', 'aria-label': label };
  return html`<details><summary>${word}</summary><pre ...${place}><code>${told(text)}</code></pre></details>`;
}

function traceWord(trace: string): string {
  const frames = trace.split('\n').filter((line) => /^\s*(?:at |#\d+ |File ")/.test(line)).length;
  return frames === 0 ? 'Trace' : counted(frames, 'frame');
}

function sinceOf(frame: Frame, { ends, case_flaky: known }: FailureView, runs: readonly RunMark[]): Content {
  const flaky = ends.filter((end) => end === 'flaky').length;
  if (flaky > 0) {
    const ran = ends.filter((end) => end !== null).length;
    return [caseMark('flaky'), ` in ${flaky} of ${counted(ran, 'run')}`];
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
  const link = pageLink(frame, { path: `/test-runs/${run.test_run_id}` }, null, `run ${run.test_run_id}`);
  return ['Failing since ', link];
}
