// The history of an issue tells each kind of act as a sentence of its own.
import { expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { IssueHeadModel } from '../../src/core/workspace/issue/head.ts';
import type { HistoryEntryView } from '../../src/core/workspace/issue/history.ts';
import type { Frame } from '../../src/pages/frame.ts';
import { actSentence } from '../../src/pages/issue/words.ts';

type Act = Extract<HistoryEntryView, { entry: 'act' }>;

const frame = { base: '', project: null } as unknown as Frame;
const model = { release_ids: {} } as unknown as IssueHeadModel;
const hash = 'a1b2c3d4e5f60718';

function said(kind: Act['kind'], actor: string, detail: object = {}): string {
  const act = { entry: 'act', kind, actor, detail, from: '', to: '', release: null } as unknown as Act;
  return renderToString(h('p', null, actSentence(act, model, frame))).replaceAll(/<[^>]+>/g, '');
}

it.each([
  ['first_seen', 'event', {}, 'First seen'],
  ['regressed', 'event', {}, 'An event brought it back'],
  ['ongoing', 'event', {}, 'It goes on: no longer new'],
  ['ignore_ended', 'event', {}, 'What it was ignored for has come'],
  ['resolved', 'member Mara', {}, 'Mara resolved it'],
  ['ignored', 'member Mara', { until: 'forever' }, 'Mara ignored it for ever'],
  ['unresolved', 'token', {}, 'Somebody with the workspace token opened it again'],
  ['merged', 'regroup 3', { into: 7 }, 'Regrouping merged it into #7'],
  ['unmerged', 'member Mara', { issue_ids: [7] }, 'Mara undid a merge of #7'],
  ['split', 'member Mara', { from: 7 }, 'Mara split it off from #7'],
  ['mapped', 'symbolication', {}, 'A source map arrived late, and events were mapped again'],
  ['assigned', 'member Mara', { name: 'Ida' }, 'Mara gave it to Ida'],
  [
    'hash_added',
    'event',
    { hash },
    'Since an event that fitted, one more key, a1b2c3d4e5f6, leads to this issue',
  ],
  [
    'hash_added',
    'regroup 3',
    { hash },
    'Regrouping told events apart anew: one more key, a1b2c3d4e5f6, leads to this issue',
  ],
  ['events_moved', 'maps', { into: 7, events: 1 }, 'A source map moved 1 event to #7'],
  ['events_moved', 'maps', { from: 7, events: 3 }, 'A source map moved 3 events here from #7'],
] as const)('%s by %s, %j', (kind, actor, detail, sentence) => {
  expect(said(kind, actor, detail)).toBe(sentence);
});
