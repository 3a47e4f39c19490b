import type { TestUploadView } from '../../../schemas/test-runs.ts';
import type { CaseLine, TestRunModel } from '../../core/page-models/delivery/test-run.ts';
import { meter } from '../charts/meter.ts';
import { toPercent } from '../charts/scale.ts';
import { facts, nameValueList, pageHead, section } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import {
  type Content,
  disabledLink,
  externalLink,
  externalLinkButton,
  html,
  pageLink,
  type VNode,
} from '../el.ts';
import { count, counted, percent, span, timeAgo, untrustedCode, untrustedText } from '../formatters.ts';
import { linkedIncidents } from '../incidents/linked-incidents.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { failureList } from './failures.ts';
import { customFieldRows, markedCount, runName, shortCommitCode, timeRows } from './labels.ts';
import { resultLegend, resultMatrix } from './result-glyphs.ts';

export function testRunPage(model: TestRunModel, context: PageContext): PageContent {
  const { run } = model;
  return {
    title: `Run ${run.test_run_id}`,
    breadcrumbs: [
      { name: 'Test runs', path: '/test-runs' },
      { name: run.project.name, path: null },
    ],
    main: [
      head(model, context),
      linkedIncidents(model.incidents, context),
      run.tests === 0 ? null : bar(model),
      testRunFacts(model, context),
      failures(model, context),
      unstableTestsSection(model, context),
      html`<div class="cols even">
        ${slowest(model, context)}${section({ id: 'where', title: 'Environment' }, runEnvironment(model))}
      </div>`,
    ],
  };
}

function head(model: TestRunModel, context: PageContext): VNode {
  const { run, before, newer_test_run_id: newer } = model;
  const neighborLink = (id: number | null, rel: string, name: string): VNode =>
    id === null
      ? disabledLink({ class: 'btn' }, name)
      : pageLink(context, `/test-runs/${id}`, { class: 'btn', rel }, name);
  return pageHead({
    above: [untrustedText(run.project.name), ', ', untrustedText(runName(run)), `, run ${run.test_run_id}`],
    title: titleOf(model),
    below: [
      run.branch === null ? null : untrustedCode(run.branch),
      run.commit === null ? null : [run.branch === null ? 'at ' : ' at ', shortCommitCode(run.commit)],
      run.release === null ? null : [', for ', releaseLink(context, run.project.project_id, run.release)],
    ],
    actions: [
      ciLink(run.build),
      ' ',
      html`<span class="joined">
        ${neighborLink(before?.test_run_id ?? null, 'prev', 'Older')}${neighborLink(newer, 'next', 'Newer')}
      </span>`,
    ],
  });
}

function releaseLink(context: PageContext, projectId: number, release: string): VNode {
  const query = { project: projectId, q: release };
  return pageLink(context, { path: '/releases', query }, null, untrustedText(release));
}

function ciLink(build: unknown): Content {
  const url = (build as { readonly url?: unknown } | null)?.url;
  if (typeof url !== 'string') return null;
  return externalLinkButton(url, 'Run in CI ', icon('out'));
}

function titleOf({ run }: TestRunModel): string {
  const { failed, tests, flaky, status } = run;
  if (status === 'empty') return 'A run without tests';
  if (failed > 0) return `${count(failed)} of ${counted(tests, 'test')} failed`;
  if (status !== 'passed') return 'The run ended with an error';
  if (flaky > 0) return `${counted(tests, 'test')} passed, ${count(flaky)} flaky`;
  return tests === 0 ? 'The run passed' : `${counted(tests, 'test')} passed`;
}

function bar({ run }: TestRunModel): VNode {
  const { tests, failed, passed, skipped } = run;
  const name = `${counted(tests, 'test')}: ${failed} failed, ${passed} passed, ${skipped} skipped`;
  const part = (className: string, from: number, length: number): VNode | null =>
    length === 0
      ? null
      : html`<rect
        class=${className} x=${toPercent((from * 100) / tests)} width=${toPercent((length * 100) / tests)}
        height="10"
      >
      </rect>`;
  const svgAttributes = { class: 'meter', width: '100%', height: 10, role: 'img', 'aria-label': name };
  const track = html`<rect class="track" width="100%" height="10"></rect>`;
  const line = html`<svg ...${svgAttributes}>
    ${track}${part('f-fatal', 0, failed)}${part('f-up', failed, passed)}
  </svg>`;
  return html`<figure class="share">${line}</figure>`;
}

function testRunFacts({ run, before, uploads }: TestRunModel, context: PageContext): VNode {
  const ran = run.passed + run.failed;
  const took = run.duration_ms;
  const shards =
    uploads.length > 1 ? `${counted(uploads.length, 'upload')}` : (run.tool ?? uploads[0]?.format);
  return facts([
    ['Failed', markedCount(run.failed, 'failed'), differenceText(run.failed, before?.failed)],
    ['Passed', count(run.passed), ran === 0 ? null : percent(run.passed, ran, 1)],
    ['Flaky', markedCount(run.flaky, 'flaky'), differenceText(run.flaky, before?.flaky)],
    ['Skipped', count(run.skipped), differenceText(run.skipped, before?.skipped)],
    ['Duration', took === null ? '–' : span(took), longer(took, before?.duration_ms ?? null)],
    [
      'Received',
      run.created_at === null ? '–' : timeAgo(run.created_at, context.nowMs),
      shards === undefined ? null : untrustedText(shards),
    ],
  ]);
}

function differenceText(now: number, before: number | undefined): string | null {
  if (before === undefined) return null;
  if (now === before) return 'same as the previous run';
  return `${count(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than the previous run`;
}

function longer(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const change = now - before;
  if (Math.abs(change) < 100) return 'same as before';
  return `${span(Math.abs(change))} ${change > 0 ? 'longer' : 'less'}`;
}

function failures({ run, failures: shown, last_runs: runs }: TestRunModel, context: PageContext): Content {
  if (shown.length === 0) return null;
  const all = casesLink(context, run.test_run_id, `All ${count(run.failed)} failures`, 'failed');
  return section(
    { id: 'failures', title: 'Failures', aside: run.failed > shown.length ? all : null },
    failureList(context, shown, runs),
    run.failed > shown.length
      ? html`<p class="small">The first ${shown.length} of ${count(run.failed)}. ${all}</p>`
      : null,
  );
}

function unstableTestsSection({ troubled: rows, last_runs: runs }: TestRunModel, context: PageContext) {
  if (rows.length === 0) return null;
  const title = `Flaky and failing, last ${counted(runs.length, 'run')}`;
  return section({ id: 'matrix', title, aside: resultLegend() }, resultMatrix(context, runs, rows));
}

function slowest({ run, slowest: cases }: TestRunModel, context: PageContext): VNode {
  const word = run.tests === 1 ? 'The only test' : `All ${counted(run.tests, 'test')}`;
  const all = run.tests === 0 ? null : casesLink(context, run.test_run_id, word, null);
  const max = Math.max(0, ...cases.map(({ duration_ms: ms }) => ms ?? 0));
  const took = ({ duration_ms: ms }: CaseLine): string => span(ms ?? 0);
  const table =
    cases.length === 0
      ? html`<p class="dim">The report has no test durations.</p>`
      : miniTable(
          'Slowest tests',
          cases,
          {
            row: ({ case_id: id, name, file }) => {
              const title = html`<span class="ttl">${untrustedText(name)}</span>`;
              const path = `/test-runs/cases/${encodeURIComponent(id)}`;
              return rowHeader(
                pageLink(context, path, { class: 'cell' }, title),
                file === null ? undefined : untrustedCode(file),
              );
            },
          },
          { class: 'sp d3', cell: (one) => meter({ part: one.duration_ms ?? 0, all: max, name: took(one) }) },
          { class: 'r nowrap', cell: took },
        );
  return section({ id: 'slowest', title: 'Slowest', aside: all }, table);
}

function casesLink(context: PageContext, id: number, word: string, result: string | null): VNode {
  return pageLink(context, { path: `/test-runs/${id}/cases`, query: { result } }, { class: 'small' }, word);
}

const rowsOfReports = 20;
const shardsNamed = 20;
const warningsShown = 5;

function runEnvironment({ run, uploads }: TestRunModel): Content[] {
  const text = (value: string | null): Content => (value === null ? null : untrustedText(value));
  const formats = [...new Set(uploads.map(({ format }) => format))].join(', ');
  const named = nameValueList([
    ['CI', buildText(run)],
    ...customFieldRows(buildRest(run.build)),
    ['Environment', text(run.environment)],
    ['Repository', text(run.repository)],
    ['Tool', text(run.tool)],
    ['Report', formats === '' ? null : `${formats}, ${counted(uploads.length, 'upload')}`],
    ['Key', run.run_key === null ? null : untrustedCode(run.run_key)],
    ['Exit code', run.exit_code === null ? null : count(run.exit_code)],
    ['Errors', run.errors === 0 ? null : `${counted(run.errors, 'test')} ended with an error`],
    ...customFieldRows(run.tags),
    ...customFieldRows(run.metadata),
    ...timeRows([
      ['Started', run.started_at],
      ['Finished', run.finished_at],
      ['Received', run.created_at],
      ['Last shard', run.updated_at === run.created_at ? null : run.updated_at],
    ]),
    ['Shards', shards(uploads)],
    ['Properties', reported(uploads)],
  ]);
  return [named, warnings(uploads)];
}

/** `GitHub Actions, build 20417`, linked to the build's page. */
function buildText({ ci, build }: TestRunModel['run']): Content {
  const { url, number, id } = (build ?? {}) as Readonly<Record<string, unknown>>;
  const name = number ?? id;
  const page = typeof url === 'string' ? url : null;
  const word = name === undefined || name === null ? page : `build ${String(name)}`;
  if (word === null) return ci === null ? null : untrustedText(ci);
  const shown = page === null ? untrustedText(word) : externalLink(page, untrustedText(word));
  return ci === null ? shown : [untrustedText(ci), ', ', shown];
}

function buildRest(build: unknown): unknown {
  if (typeof build !== 'object' || build === null) return null;
  const named = 'number' in build ? 'number' : 'id';
  return Object.fromEntries(Object.entries(build).filter(([name]) => name !== 'url' && name !== named));
}

/** Totals in a report that differ from the number of its cases. */
function reported(uploads: readonly TestUploadView[]): Content {
  const rows = uploads.flatMap((upload) => {
    const counts: Readonly<Record<string, unknown>> = { pending: 0, other: 0, ...upload };
    return Object.entries(upload.reported ?? {}).filter(([name, sum]) => sum !== counts[name]);
  });
  if (rows.length === 0) return null;
  return rows
    .slice(0, rowsOfReports)
    .map(([name, sum]) => html`<div>${untrustedText(`${name}: ${String(sum)}`)}</div>`);
}

function shards(uploads: readonly TestUploadView[]): Content {
  const named = uploads.filter(({ shard }) => shard !== null);
  if (named.length === 0) return null;
  const words = named.slice(0, shardsNamed).map((each) => shardLine(each));
  const more = named.length - words.length;
  return [...words, more > 0 ? html`<span class="dim">and ${count(more)} more</span>` : null];
}

function shardLine({ shard, tests, failed, duration_ms: took }: TestUploadView): VNode {
  const texts = [
    counted(tests, 'test'),
    failed === 0 ? null : `${count(failed)} failed`,
    took === null ? null : span(took),
  ].filter((part) => part !== null);
  return html`<div>${untrustedText(shard ?? '')}: ${texts.join(', ')}</div>`;
}

function warnings(uploads: readonly TestUploadView[]): Content {
  const all = uploads.flatMap(({ warnings: list }) => (Array.isArray(list) ? list : []));
  if (all.length === 0) return null;
  const lines = all.slice(0, warningsShown).map((each) => html`<li>${warningText(each)}</li>`);
  const title =
    all.length > warningsShown
      ? `Warnings about the report, the first ${warningsShown} of ${count(all.length)}`
      : 'Warnings about the report';
  return [html`<p class="small dim">${title}</p>`, html`<ul class="small">${lines}</ul>`];
}

function warningText(warning: unknown): Content[] {
  const { message, path } = warning as { readonly message?: unknown; readonly path?: unknown };
  return [untrustedText(String(message ?? '')), typeof path === 'string' ? [' ', untrustedCode(path)] : null];
}
