import { expect, it } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { IssueHeadModel } from '../../src/core/page-models/issue/head.ts';
import type { HistoryEntryView } from '../../src/core/page-models/issue/history.ts';
import { activitySentence } from '../../src/web/issue/sentences.ts';
import type { PageContext } from '../../src/web/page-context.ts';

type Act = Extract<HistoryEntryView, { entry: 'act' }>;

const frame = { base: '', project: null } as unknown as PageContext;
const model = { release_ids: {} } as unknown as IssueHeadModel;
const hash = 'a1b2c3d4e5f60718';

function said(kind: Act['kind'], actor: string, detail: object = {}): string {
  const act = { entry: 'act', kind, actor, detail, from: '', to: '', release: null } as unknown as Act;
  return renderToString(h('p', null, activitySentence(act, model, frame))).replaceAll(/<[^>]+>/g, '');
}

it.each([
  ['first_seen', 'event', {}, 'First seen'],
  ['regressed', 'event', {}, 'An event reopened it as regressed'],
  ['ongoing', 'event', {}, 'Ongoing: no longer new'],
  ['ignore_ended', 'event', {}, 'Its ignore condition was met'],
  ['resolved', 'member Mara', {}, 'Mara resolved it'],
  ['ignored', 'member Mara', { until: 'forever' }, 'Mara ignored it forever'],
  ['unresolved', 'token', {}, 'Someone with the workspace token reopened it'],
  ['merged', 'regroup 3', { into: 7 }, 'Regrouping merged it into #7'],
  ['unmerged', 'member Mara', { issue_ids: [7] }, 'Mara undid a merge of #7'],
  ['split', 'member Mara', { from: 7 }, 'Mara split it off from #7'],
  ['mapped', 'symbolication', {}, 'A source map was uploaded later, and events were symbolicated again'],
  ['assigned', 'member Mara', { name: 'Ida' }, 'Mara assigned it to Ida'],
  ['assigned', 'member Mara', { name: 'Mara' }, 'Mara assigned it to themselves'],
  ['linked', 'member Mara', { url: 'https://t.example/1' }, 'Mara linked it to https://t.example/1'],
  ['unlinked', 'member Mara', { url: 'https://t.example/1' }, 'Mara removed the link to https://t.example/1'],
  [
    'hash_added',
    'event',
    { hash },
    'After a matching event, one more fingerprint, a1b2c3d4e5f6, belongs to this issue',
  ],
  [
    'hash_added',
    'regroup 3',
    { hash },
    'Regrouping changed the grouping: one more fingerprint, a1b2c3d4e5f6, belongs to this issue',
  ],
  ['events_moved', 'maps', { into: 7, events: 1 }, 'A source map moved 1 event to #7'],
  ['events_moved', 'maps', { from: 7, events: 3 }, 'A source map moved 3 events here from #7'],
] as const)('%s by %s, %j', (kind, actor, detail, sentence) => {
  expect(said(kind, actor, detail)).toBe(sentence);
});
