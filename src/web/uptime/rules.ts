import type { RulesModel } from '../../core/page-models/monitoring/rules.ts';
import { dash, emptyState } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { linkButton } from '../components/link-button.ts';
import { listPage } from '../components/list.ts';
import { type Column, titleCell } from '../components/table.ts';
import { timeAgo } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { count } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { channelMark } from './channels.ts';
import { shortUntrustedName, shortUntrustedText } from './labels.ts';

const path = '/alert-channels/rules';
type Rule = RulesModel['rules'][number];

export function rulesPage({ rules }: RulesModel, context: PageContext): PageContent {
  const add = linkButton(context, `${path}/new`, 'New rule…', 'btn primary');
  return listPage(context, {
    path,
    title: 'Rules',
    crumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    head: { acts: rules.length > 0 && context.currentUser?.canManage === true ? add : null },
    nothing: emptyState(
      'No alert rules yet',
      'A rule says which events notify which channels, for example a new issue or a monitor that is down.',
      context.currentUser?.canManage === true ? add : 'An admin can create one.',
    ),
    caption: 'Rules, oldest first',
    columns: columns(context),
    rows: rules,
  });
}

function columns(frame: PageContext): Array<Column<Rule>> {
  return [
    {
      name: 'Rule',
      row: (rule) =>
        titleCell(frame, {
          path: `${path}/${rule.rule_id}`,
          title: shortUntrustedName(rule.name),
          place: [
            shortUntrustedText(rule.sentence),
            rule.opens_incident === undefined ? null : `, and opens a ${rule.opens_incident} incident`,
          ],
          folded: [
            [
              'f4',
              namesOf(rule) === '' ? 'notifies no one' : ['notifies ', shortUntrustedText(namesOf(rule))],
            ],
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
      cell: ({ last_at: at }) => (at === null ? 'never' : timeAgo(at, frame.nowMs)),
    },
  ];
}

function namesOf({ channels }: Rule): string {
  return channels.map(({ name }) => name).join(', ');
}

function channelsOf(rule: Rule, frame: PageContext): Content {
  if (namesOf(rule) === '') return html`<span class="dim">nobody</span>`;
  return rule.channels.map(({ alert_channel_id: id, name, state }, at) => [
    at === 0 ? null : ', ',
    pageLink(frame, { path: `/alert-channels/${id}` }, null, shortUntrustedText(name)),
    state === 'on' ? null : [' ', channelMark(state, state)],
  ]);
}
