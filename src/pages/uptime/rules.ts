import type { RulesModel } from '../../core/workspace/uptime/rules.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, empty } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { count } from '../words/numbers.ts';
import { channelMark } from './channels.ts';
import { nameOf, told } from './words.ts';

const path = '/alert-channels/rules';
type Rule = RulesModel['rules'][number];

export function rulesPage({ rules }: RulesModel, frame: Frame): PageContent {
  const add = formLink(frame, `${path}/new`, 'New rule…', 'btn primary');
  return listPage(frame, {
    path,
    title: 'Rules',
    crumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    head: { acts: frame.visitor?.canManage === true ? add : null },
    nothing: empty(
      'No alert rules yet',
      'A rule says which events notify which channels, for example a new issue or a monitor that is down.',
    ),
    caption: 'Rules, oldest first',
    columns: columns(frame),
    rows: rules,
  });
}

function columns(frame: Frame): Array<Column<Rule>> {
  return [
    {
      name: 'Rule',
      row: (rule) =>
        titleCell(frame, {
          path: `${path}/${rule.rule_id}`,
          title: nameOf(rule.name),
          place: [
            told(rule.sentence),
            rule.opens_incident === null ? null : `, and opens a ${rule.opens_incident} incident`,
          ],
          folded: [
            ['f4', namesOf(rule) === '' ? 'notifies no one' : ['notifies ', told(namesOf(rule))]],
            ['f5', `${count(rule.sent)} in 14 d`],
          ],
        }),
    },
    { name: 'Notifies', head: 'd3 w13', class: 'd3', cell: (rule) => channelsOf(rule, frame) },
    {
      name: 'Sent, 14 d',
      head: 'r d5 w6',
      class: 'r d5',
      cell: ({ sent }) => (sent === 0 ? dash() : count(sent)),
    },
    {
      name: 'Last',
      head: 'd2 w7 seen',
      class: 'd2 seen soft',
      cell: ({ last_at: at }) => (at === null ? 'never' : ago(at, frame.nowMs)),
    },
  ];
}

function namesOf({ channels }: Rule): string {
  return channels.map(({ name }) => name).join(', ');
}

function channelsOf(rule: Rule, frame: Frame): Content {
  if (namesOf(rule) === '') return html`<span class="dim">nobody</span>`;
  return rule.channels.map(({ channel_id: id, name, state }, at) => [
    at === 0 ? null : ', ',
    pageLink(frame, { path: `/alert-channels/${id}` }, null, told(name)),
    state === 'on' ? null : [' ', channelMark(state, state)],
  ]);
}
