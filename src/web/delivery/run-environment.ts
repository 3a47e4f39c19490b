import type { VNode } from 'preact';
import type { UploadView } from '../../core/page-models/delivery/kinds.ts';
import type { TestRunModel } from '../../core/page-models/delivery/test-run.ts';
import { nameValueList } from '../components/elements.ts';
import { externalLink } from '../components/link.ts';
import { type Content, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import { span } from '../formatters/times.ts';
import { customFieldRows, timeRows, untrustedCode, untrustedText } from './labels.ts';

const rowsOfReports = 20;
const shardsNamed = 20;
const warningsShown = 5;

export function runEnvironment({ run, uploads }: TestRunModel): Content[] {
  const text = (value: string | null): Content => (value === null ? null : untrustedText(value));
  const formats = [...new Set(uploads.map(({ format }) => format))].join(', ');
  const named = nameValueList([
    ['CI', builtBy(run)],
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
function builtBy({ ci, build }: TestRunModel['run']): Content {
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
function reported(uploads: readonly UploadView[]): Content {
  const rows = uploads.flatMap((upload) => {
    const counts: Readonly<Record<string, unknown>> = { pending: 0, other: 0, ...upload };
    return Object.entries(upload.reported ?? {}).filter(([name, sum]) => sum !== counts[name]);
  });
  if (rows.length === 0) return null;
  return rows
    .slice(0, rowsOfReports)
    .map(([name, sum]) => html`<div>${untrustedText(`${name}: ${String(sum)}`)}</div>`);
}

function shards(uploads: readonly UploadView[]): Content {
  const named = uploads.filter(({ shard }) => shard !== null);
  if (named.length === 0) return null;
  const words = named.slice(0, shardsNamed).map((each) => shardLine(each));
  const more = named.length - words.length;
  return [...words, more > 0 ? html`<span class="dim">and ${count(more)} more</span>` : null];
}

function shardLine({ shard, tests, failed, duration_ms: took }: UploadView): VNode {
  const parts = [
    counted(tests, 'test'),
    failed === 0 ? null : `${count(failed)} failed`,
    took === null ? null : span(took),
  ].filter((part) => part !== null);
  return html`<div>${untrustedText(shard ?? '')}: ${parts.join(', ')}</div>`;
}

function warnings(uploads: readonly UploadView[]): Content {
  const all = uploads.flatMap(({ warnings: list }) => (Array.isArray(list) ? list : []));
  if (all.length === 0) return null;
  const lines = all.slice(0, warningsShown).map((each) => html`<li>${warningWords(each)}</li>`);
  const title =
    all.length > warningsShown
      ? `Warnings about the report, the first ${warningsShown} of ${count(all.length)}`
      : 'Warnings about the report';
  return [html`<p class="small dim">${title}</p>`, html`<ul class="small">${lines}</ul>`];
}

function warningWords(warning: unknown): Content[] {
  const { message, path } = warning as { readonly message?: unknown; readonly path?: unknown };
  return [untrustedText(String(message ?? '')), typeof path === 'string' ? [' ', untrustedCode(path)] : null];
}
