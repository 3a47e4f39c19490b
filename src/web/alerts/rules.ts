import type { RuleModel, RulesModel } from '../../core/page-models/monitoring/rules.ts';
import { sparkline } from '../charts/sparkline.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { codeBlock, dash, emptyState, pageHead, plainSection } from '../components/elements.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { count, counted, shortTime, timeAgo, untrustedText } from '../formatters.ts';
import { shortDay, shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { channelMark } from './channels.ts';
import { type RuleFormState, ruleFields, ruleStateOf } from './rule-form.ts';

const path = '/alert-channels/rules';
type Rule = RulesModel['rules'][number];

export function rulesPage({ rules }: RulesModel, context: PageContext): PageContent {
  const add = pageLink(context, `${path}/new`, { class: 'btn primary' }, 'New rule…');
  return listPage(context, {
    path,
    title: 'Rules',
    breadcrumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    head: { actions: rules.length > 0 && context.currentUser?.canManage === true ? add : null },
    noRows: emptyState(
      'No alert rules yet',
      'A rule says which events notify which channels, for example a new issue or a monitor that is down.',
      context.currentUser?.canManage === true ? add : 'An admin can create one.',
    ),
    caption: 'Rules, oldest first',
    columns: columns(context),
    rows: rules,
  });
}

function columns(context: PageContext): Array<Column<Rule>> {
  return [
    {
      name: 'Rule',
      row: (rule) =>
        titleCell(context, {
          path: `${path}/${rule.rule_id}`,
          title: shortUntrustedName(rule.name),
          subtitle: [
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
    column('Notifies', 'd3 w13', 'd3', (rule) => channelsOf(rule, context)),
    column('Sent, 14 d', 'r d5 w6', 'r d5', ({ sent }) => (sent === 0 ? dash() : count(sent))),
    column('Last', 'd2 w7 seen', 'd2 seen soft', ({ last_at: at }) =>
      at === null ? 'never' : timeAgo(at, context.nowMs),
    ),
  ];
}

function namesOf({ channels }: Rule): string {
  return channels.map(({ name }) => name).join(', ');
}

function channelsOf(rule: Rule, context: PageContext): Content {
  if (namesOf(rule) === '') return html`<span class="dim">nobody</span>`;
  return rule.channels.map(({ alert_channel_id: id, name, state }, at) => [
    at === 0 ? null : ', ',
    pageLink(context, `/alert-channels/${id}`, null, shortUntrustedText(name)),
    state === 'on' ? null : [' ', channelMark(state, state)],
  ]);
}

export function rulePage(
  model: RuleModel,
  context: PageContext,
  state: RuleFormState = ruleStateOf(model),
): PageContent {
  const isLocked = context.currentUser?.canManage !== true;
  const fields = ruleFields(model, context, state, isLocked, true);
  const path = `/alert-channels/rules/${model.rule_id}`;
  const form = isLocked
    ? el('div', { class: 'form' }, ...fields, html`<p class="hint">Only an admin can change this.</p>`)
    : actionForm(context, path, { class: 'form', novalidate: true }, ...fields, actions());
  return {
    title: shortUntrustedName(model.name),
    breadcrumbs: [
      { name: 'Alert channels', path: '/alert-channels' },
      { name: 'Rules', path: '/alert-channels/rules' },
    ],
    main: [
      pageHead({ above: 'Rule', title: shortUntrustedText(model.name, 400) }),
      html`<div class="cols">${form}${side(model, context)}</div>`,
    ],
  };
}

function actions(): VNode {
  return html`<p class="acts saveline">
    ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
    ${submitButton('Send test notification', { name: 'do', value: 'test' })}
    ${submitButton('Delete…', { class: 'btn danger', name: 'do', value: 'delete' })}
  </p>`;
}

function side(model: RuleModel, context: PageContext): VNode {
  const { sentence, days, sent, messages, sample } = model;
  const busiestDay = days.toSorted((one, other) => other.sent - one.sent)[0];
  const lines = messages.map(
    ({ at, subject, alert_channel_id: channel, delivery_id: id }) =>
      html`<li>
        ${shortTime(at, context.nowMs)}
        <p>
          ${pageLink(
            context,
            { path: `/alert-channels/${channel}`, query: { delivery: id } },
            null,
            shortUntrustedText(subject),
          )}
        </p>
      </li>`,
  );
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'What this rule does' },
    plainSection(
      'r-reads',
      'Summary',
      html`<div class="why"><p>${shortUntrustedText(sentence, 1_000)}.</p></div>`,
    ),
    plainSection(
      'r-sent',
      'The last 14 days',
      html`<div class="why">
        <p>
          It sent <b>${sent === 0 ? 'nothing' : counted(sent, 'message')}</b>
          ${sent === 0 || busiestDay === undefined ? '.' : `, most on ${shortDay(busiestDay.date)}.`}
        </p>
        ${sparkline({
          values: days.map((day) => day.sent),
          name: `Notifications per day, last 14 days, ${counted(sent, 'message')} in all`,
          stepPx: 20,
          heightPx: 40,
        })}
      </div>`,
      lines.length === 0 ? null : html`<ol class="log">${lines}</ol>`,
    ),
    sample === null
      ? null
      : plainSection('r-message', 'Message', codeBlock('What it sent last', untrustedText(sample), 'snip')),
  );
}
