// Where a run ran: what the build server, the tool and the report said of it.

import type { VNode } from 'preact';
import type { UploadView } from '../../core/workspace/delivery/kinds.ts';
import type { TestRunModel } from '../../core/workspace/delivery/test-run.ts';
import { type Content, el } from '../el.ts';
import { pairs } from '../parts/layout.ts';
import { count, counted } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { code, told } from './words.ts';

const rowsOfBuild = 12;
const shardsNamed = 20;
const warningsShown = 5;

/** Pairs of what is known, shards with their counts, and what was odd about the report. */
export function whereItRan({ run, uploads }: TestRunModel): Content[] {
  const text = (value: string | null): Content => (value === null ? null : told(value));
  const formats = [...new Set(uploads.map(({ format }) => format))].join(', ');
  const named = pairs([
    ['CI', text(run.ci)],
    ...membersOf(run.build),
    ['Environment', text(run.environment)],
    ['Repository', text(run.repository)],
    ['Tool', text(run.tool)],
    ['Report', formats === '' ? null : `${formats}, ${counted(uploads.length, 'upload')}`],
    ['Key', run.run_key === null ? null : code(run.run_key)],
    ['Exit code', run.exit_code === null ? null : count(run.exit_code)],
    ...membersOf(run.tags),
    ['Shards', shards(uploads)],
  ]);
  return [named, warnings(uploads)];
}

function membersOf(bag: unknown): Array<readonly [Content, Content]> {
  if (typeof bag !== 'object' || bag === null) return [];
  return Object.entries(bag)
    .filter(([name]) => name !== 'url')
    .slice(0, rowsOfBuild)
    .map(([name, value]) => [told(name), told(String(value))]);
}

function shards(uploads: readonly UploadView[]): Content {
  const named = uploads.filter(({ shard }) => shard !== null);
  if (named.length === 0) return null;
  const words = named.slice(0, shardsNamed).map((each) => shardLine(each));
  const more = named.length - words.length;
  return [...words, more > 0 ? el('span', { class: 'dim' }, `and ${count(more)} more`) : null];
}

function shardLine({ shard, tests, failed, duration_ms: took }: UploadView): VNode {
  const said = [
    counted(tests, 'test'),
    failed === 0 ? null : `${count(failed)} failed`,
    took === null ? null : span(took),
  ].filter((part) => part !== null);
  return el('div', null, told(shard ?? ''), `: ${said.join(', ')}`);
}

function warnings(uploads: readonly UploadView[]): Content {
  const all = uploads.flatMap(({ warnings: said }) => (Array.isArray(said) ? said : []));
  if (all.length === 0) return null;
  const lines = all
    .slice(0, warningsShown)
    .map((each) => el('li', null, told(String((each as { message?: unknown }).message ?? ''))));
  const title =
    all.length > warningsShown
      ? `Odd about the report, the first ${warningsShown} of ${count(all.length)}`
      : 'Odd about the report';
  return [el('p', { class: 'small dim' }, title), el('ul', { class: 'small' }, ...lines)];
}
