import type { VNode } from 'preact';
import { channelTypeOf } from '../../core/alerts/messages/channel-types.ts';
import type { ChannelModel } from '../../core/page-models/monitoring/channel.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { histogram } from '../charts/histogram.ts';
import { actionForm, menu, submitButton } from '../components/controls.ts';
import { dash, facts, hiddenCaption, nameValueList, pageHead } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { linkButton } from '../components/link-button.ts';
import { capitalize, statusMark } from '../components/mark.ts';
import { cell } from '../components/table.ts';
import { shortTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted, percent } from '../formatters/numbers.ts';
import { formatAge, formatShortTime, span } from '../formatters/times.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { browsersSection } from './browsers.ts';
import { channelMark } from './channels.ts';
import { deliveriesSection, deliveryDetails } from './deliveries.ts';
import { dateStartMs, shortUntrustedName, shortUntrustedText } from './labels.ts';

/** `wrong` says why a browser could not be added. */
export function channelPage(model: ChannelModel, context: PageContext, wrong?: string): PageContent {
  return {
    title: shortUntrustedName(model.name),
    crumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    main: [
      head(model, context),
      note(model, context),
      browsersSection(model, context, wrong),
      figures(model, context),
      html`<div class="sec">${days(model, context)}</div>`,
      deliveriesSection(model, context),
      model.delivery === null ? null : deliveryDetails(model.delivery, context),
      html`<div class="cols even">${rules(model, context)}${settings(model, context)}</div>`,
    ],
  };
}

function head(model: ChannelModel, frame: PageContext): VNode {
  const path = `/alert-channels/${model.alert_channel_id}`;
  const isPaused = model.state === 'paused';
  const acts = [
    model.waiting === 0
      ? null
      : actionForm(
          frame,
          `${path}/retry`,
          null,
          submitButton(['Retry now ', html`<span class="n">${count(model.waiting)}</span>`], {
            class: 'btn primary',
          }),
        ),
    actionForm(frame, `${path}/test`, null, submitButton('Send test notification')),
    isPaused
      ? actionForm(frame, `${path}/resume`, null, submitButton('Enable'))
      : actionForm(
          frame,
          `${path}/pause`,
          null,
          ...menu(
            { id: 'm-pause', word: 'Pause' },
            submitButton('For 1 hour', { class: null, name: 'for', value: '1h' }),
            submitButton('For 24 hours', { class: null, name: 'for', value: '24h' }),
            submitButton('Until I enable it', { class: null, name: 'for', value: 'ever' }),
          ),
        ),
  ];
  return pageHead({
    above: capitalize(channelTypeOf(model.type).name),
    title: shortUntrustedText(model.name, 400),
    below: html`<code>${shortUntrustedText(model.target)}</code>`,
    ...(frame.currentUser?.canManage === true ? { acts } : {}),
  });
}

function note(model: ChannelModel, frame: PageContext): VNode {
  const { state, state_since: since, last_error: fault, waiting, paused_until: until } = model;
  const at = formatShortTime(Date.parse(since), frame.nowMs);
  const words: Record<ChannelModel['state'], Content> = {
    on: ` since ${at}. ${waiting === 0 ? 'Nothing is pending.' : waitWords(waiting)}`,
    failing: [
      ` since ${at}. `,
      fault === '' ? null : ['It ', shortUntrustedText(fault), '. '],
      waiting === 0 ? 'Nothing is pending.' : waitWords(waiting),
    ],
    paused: [
      ` since ${at}`,
      until === null
        ? ', until it is enabled. '
        : ` until ${formatShortTime(Date.parse(until), frame.nowMs)}. `,
      'Nothing is sent meanwhile.',
    ],
  };
  return html`<p class="note">${channelMark(state)}${words[state]}</p>`;
}

function waitWords(waiting: number): string {
  return `${waiting === 1 ? 'One notification is pending' : `${count(waiting)} notifications are pending`}, retried for one day.`;
}

function share(part: number | null): string {
  return part === null ? '–' : percent(part, 1, part === 1 ? 0 : 1);
}

function figures(model: ChannelModel, frame: PageContext): VNode {
  const { sent, arrived, waiting, oldest_waiting_at: oldest, median_ms: median, p95_ms: p95 } = model;
  const arrivedText = sent === 0 ? '–' : share(arrived / sent);
  return facts([
    { label: 'Sent, 7 d', figure: sent === 0 ? 'none' : count(sent), small: 'grouped messages count once' },
    {
      label: 'Delivered',
      figure: sent > 0 && arrived / sent < 0.9 ? statusMark('down', arrivedText) : arrivedText,
      small: model.arrived_share_90d === null ? null : `${share(model.arrived_share_90d)} in 90 days`,
    },
    { label: 'Delivered at first attempt', figure: share(model.first_try_share), small: 'in 7 days' },
    {
      label: 'Duration',
      figure: median === null ? '–' : span(median),
      small: p95 === null ? 'nothing delivered in 7 days' : `median, p95 ${span(p95)}`,
    },
    {
      label: 'Pending',
      figure: waiting === 0 ? 'none' : count(waiting),
      small: oldest === null ? null : `oldest ${formatAge(frame.nowMs - Date.parse(oldest))}`,
    },
    {
      label: 'Quiet hours',
      figure: model.quiet_hours === '' ? 'none' : shortUntrustedText(model.quiet_hours),
      small: model.quiet_hours === '' ? 'none' : null,
    },
  ]);
}

function days({ days: all }: ChannelModel, frame: PageContext): VNode {
  const sum = all.reduce((of, day) => of + day.arrived + day.not_arrived, 0);
  return histogram(frame, {
    bars: all.map(({ date, arrived, not_arrived: not }) => ({
      fromMs: dateStartMs(date),
      toMs: dateStartMs(date) + dayMs,
      counts: { arrived, not },
    })),
    stacks: [
      { key: 'arrived', name: 'arrived', fill: 'plain' },
      { key: 'not', name: 'not yet, or failed', fill: 'fatal' },
    ],
    nowMs: frame.nowMs,
    noun: ['message', 'messages'],
    finding: [html`<b>${counted(sum, 'message')}</b>`, ' in 14 days'],
    height: 92,
  });
}

function rules({ rules: all }: ChannelModel, frame: PageContext): VNode {
  const rows = all.map(
    ({ rule_id: id, name, sentence, sent }) =>
      html`<tr>
        <th scope="row">
          ${pageLink(frame, { path: `/alert-channels/rules/${id}` }, { class: 'cell' }, shortUntrustedText(name))}
          <span class="cul two">${shortUntrustedText(sentence)}</span>
        </th>
        ${cell(sent === 0 ? dash() : `${count(sent)} in 7 d`, 'r k soft')}
      </tr>`,
  );
  return el(
    'section',
    { 'aria-labelledby': 'a-rules' },
    html`<div class="top">
      <h2 id="a-rules">Rules that notify this channel</h2>
      ${pageLink(frame, { path: '/alert-channels/rules' }, { class: 'small' }, 'All rules')}
    </div>`,
    rows.length === 0
      ? html`<p class="ruled soft">None. Only test notifications are sent here.</p>`
      : html`<table class="t mini">${hiddenCaption('Rules of this channel')}<tbody>${rows}</tbody></table>`,
  );
}

function settings(model: ChannelModel, frame: PageContext): VNode {
  const path = `/alert-channels/${model.alert_channel_id}`;
  const change = linkButton(frame, `${path}/settings`, 'Change…', 'btn small');
  const remove = linkButton(frame, `${path}/delete`, 'Delete this channel…', 'btn small danger');
  const mayManage = frame.currentUser?.canManage === true;
  const set = nameValueList([
    ['Target', html`<code>${shortUntrustedText(model.target)}</code>`],
    ['Retries', 'after 2, 10, 30 s, 2, 10, 30 min, then hourly for one day'],
    ['Duplicates', 'each message keeps its id, so the receiver can drop repeats'],
    [
      'Created',
      ['by ', shortUntrustedText(model.created_by), ', ', shortTime(model.created_at, frame.nowMs)],
    ],
  ]);
  return html`<section aria-labelledby="a-set">
    <div class="top"><h2 id="a-set">Settings</h2>${mayManage ? change : null}</div>
    ${set}${mayManage ? html`<div class="space">${remove}</div>` : null}
  </section>`;
}
