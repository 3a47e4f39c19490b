// /alert-channels/rules: who is told of what, each rule as a sentence.
import type { VNode } from 'preact';
import type { RulesModel } from '../../core/workspace/uptime/rules.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, empty, hiddenCaption, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { count } from '../words/numbers.ts';
import { channelMark } from './channels.ts';
import { nameOf, told } from './words.ts';

const path = '/alert-channels/rules';

/** The page. */
export function rulesPage({ rules }: RulesModel, frame: Frame): PageContent {
  const add = formLink(frame, `${path}/new`, 'Add a rule…', 'btn primary');
  return {
    title: 'Rules',
    crumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    main: [
      pageHead({ title: 'Rules', ...(frame.visitor?.canManage === true ? { acts: add } : {}) }),
      rules.length === 0
        ? empty(
            'No rule yet',
            'A rule says what is told to which channels: an issue is new, a monitor is down.',
          )
        : table(rules, frame),
    ],
  };
}

function table(rules: RulesModel['rules'], frame: Frame): VNode {
  const heads = [
    columnHead('Rule'),
    columnHead('Tells', 'd3 w13'),
    columnHead('Sent, 14 d', 'r d5 w6'),
    columnHead('Last', 'd2 w7 seen'),
  ];
  return el(
    'table',
    { class: 't list' },
    hiddenCaption('Rules, the oldest first'),
    headRow(...heads),
    el('tbody', null, ...rules.map((each) => row(each, frame))),
  );
}

function row(rule: RulesModel['rules'][number], frame: Frame): VNode {
  const channels = rule.channels.flatMap(({ channel_id: id, name, state }, at) => [
    at === 0 ? null : ', ',
    pageLink(frame, { path: `/alert-channels/${id}` }, null, told(name)),
    state === 'on' ? null : [' ', channelMark(state, state)],
  ]);
  const { opens_incident: opens } = rule;
  const names = rule.channels.map(({ name }) => name).join(', ');
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `${path}/${rule.rule_id}`,
      title: nameOf(rule.name),
      place: [told(rule.sentence), opens === null ? null : `, and opens a ${opens} incident`],
      folded: [
        el('span', { class: 'f4' }, names === '' ? 'tells nobody' : ['tells ', told(names)]),
        el('span', { class: 'f5' }, `${count(rule.sent)} in 14 d`),
      ],
    }),
    cell(names === '' ? el('span', { class: 'dim' }, 'nobody') : channels, 'd3'),
    cell(rule.sent === 0 ? dash() : count(rule.sent), 'r d5'),
    cell(rule.last_at === null ? 'never' : ago(rule.last_at, frame.nowMs), 'd2 seen soft'),
  );
}
