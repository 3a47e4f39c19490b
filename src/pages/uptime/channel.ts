import type { VNode } from 'preact';
import { channelTypeNames } from '../../../schemas/alert-channels.ts';
import type { ChannelModel } from '../../core/workspace/uptime/channel.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, menu, submit } from '../parts/controls.ts';
import { formLink } from '../parts/form-link.ts';
import { dash, facts, hiddenCaption, pageHead, pairs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized, mark } from '../parts/mark.ts';
import { cell } from '../parts/table.ts';
import { shortTime } from '../parts/time.ts';
import { histogram } from '../plots/histogram.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { distance, shortMoment, span } from '../words/times.ts';
import { channelMark } from './channels.ts';
import { deliveries, delivery } from './deliveries.ts';
import { dateMs, nameOf, told } from './words.ts';

const dayMs = 86_400_000;

export function channelPage(model: ChannelModel, frame: Frame): PageContent {
  return {
    title: nameOf(model.name),
    crumbs: [{ name: 'Alert channels', path: '/alert-channels' }],
    main: [
      head(model, frame),
      note(model, frame),
      figures(model, frame),
      html`<div class="sec">${days(model, frame)}</div>`,
      deliveries(model, frame),
      model.delivery === null ? null : delivery(model.delivery, frame),
      html`<div class="cols even">${rules(model, frame)}${settings(model, frame)}</div>`,
    ],
  };
}

function head(model: ChannelModel, frame: Frame): VNode {
  const path = `/alert-channels/${model.channel_id}`;
  const isPaused = model.state === 'paused';
  const acts = [
    model.waiting === 0
      ? null
      : actForm(
          frame,
          `${path}/retry`,
          null,
          submit(['Retry now ', html`<span class="n">${count(model.waiting)}</span>`], {
            class: 'btn primary',
          }),
        ),
    actForm(frame, `${path}/test`, null, submit('Send test notification')),
    isPaused
      ? actForm(frame, `${path}/resume`, null, submit('Enable'))
      : actForm(
          frame,
          `${path}/pause`,
          null,
          ...menu(
            { id: 'm-pause', word: 'Pause' },
            submit('For 1 hour', { class: null, name: 'for', value: '1h' }),
            submit('For 24 hours', { class: null, name: 'for', value: '24h' }),
            submit('Until I enable it', { class: null, name: 'for', value: 'ever' }),
          ),
        ),
  ];
  return pageHead({
    above: capitalized(channelTypeNames[model.type]),
    title: told(model.name, 400),
    below: html`<code>${told(model.target)}</code>`,
    ...(frame.visitor?.canManage === true ? { acts } : {}),
  });
}

function note(model: ChannelModel, frame: Frame): VNode {
  const { state, state_since: since, last_fault: fault, waiting, paused_until: until } = model;
  const at = shortMoment(Date.parse(since), frame.nowMs);
  const words: Record<ChannelModel['state'], Content> = {
    on: ` since ${at}. ${waiting === 0 ? 'Nothing is pending.' : waitWords(waiting)}`,
    failing: [
      ` since ${at}. `,
      fault === '' ? null : ['It ', told(fault), '. '],
      waiting === 0 ? 'Nothing is pending.' : waitWords(waiting),
    ],
    paused: [
      ` since ${at}`,
      until === null ? ', until it is enabled. ' : ` until ${shortMoment(Date.parse(until), frame.nowMs)}. `,
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

function figures(model: ChannelModel, frame: Frame): VNode {
  const { sent, arrived, waiting, oldest_waiting_at: oldest, median_ms: median, p95_ms: p95 } = model;
  const arrivedText = sent === 0 ? '–' : share(arrived / sent);
  return facts([
    { label: 'Sent, 7 d', figure: sent === 0 ? 'none' : count(sent), small: 'grouped messages count once' },
    {
      label: 'Delivered',
      figure: sent > 0 && arrived / sent < 0.9 ? mark('down', arrivedText) : arrivedText,
      small: model.arrived_share_90d === null ? null : `${share(model.arrived_share_90d)} in 90 days`,
    },
    { label: 'On first attempt', figure: share(model.first_try_share), small: 'in 7 days' },
    {
      label: 'Duration',
      figure: median === null ? '–' : span(median),
      small: p95 === null ? 'nothing delivered in 7 days' : `median, p95 ${span(p95)}`,
    },
    {
      label: 'Pending',
      figure: waiting === 0 ? 'none' : count(waiting),
      small: oldest === null ? null : `oldest ${distance(frame.nowMs - Date.parse(oldest))}`,
    },
    {
      label: 'Quiet hours',
      figure: model.quiet_hours === '' ? 'none' : told(model.quiet_hours),
      small: model.quiet_hours === '' ? 'none' : null,
    },
  ]);
}

function days({ days: all }: ChannelModel, frame: Frame): VNode {
  const sum = all.reduce((of, day) => of + day.arrived + day.not_arrived, 0);
  return histogram(frame, {
    bars: all.map(({ date, arrived, not_arrived: not }) => ({
      fromMs: dateMs(date),
      toMs: dateMs(date) + dayMs,
      counts: { arrived, not },
    })),
    stacks: [
      { key: 'arrived', name: 'arrived', fill: 'error' },
      { key: 'not', name: 'not yet, or failed', fill: 'fatal' },
    ],
    nowMs: frame.nowMs,
    noun: ['message', 'messages'],
    finding: [html`<b>${counted(sum, 'message')}</b>`, ' in 14 days'],
    height: 92,
  });
}

function rules({ rules: all }: ChannelModel, frame: Frame): VNode {
  const rows = all.map(
    ({ rule_id: id, name, sentence, sent }) =>
      html`<tr>
        <th scope="row">
          ${pageLink(frame, { path: `/alert-channels/rules/${id}` }, { class: 'cell' }, told(name))}
          <span class="cul two">${told(sentence)}</span>
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

function settings(model: ChannelModel, frame: Frame): VNode {
  const path = `/alert-channels/${model.channel_id}`;
  const change = formLink(frame, `${path}/settings`, 'Change…', 'btn small');
  const remove = formLink(frame, `${path}/delete`, 'Delete this channel…', 'btn small danger');
  const mayManage = frame.visitor?.canManage === true;
  const set = pairs([
    ['Target', html`<code>${told(model.target)}</code>`],
    ['Retries', 'after 2, 10, 30 s, 2, 10, 30 min, then hourly for one day'],
    ['Duplicates', 'each message keeps its id, so the receiver can drop repeats'],
    ['Created', ['by ', told(model.created_by), ', ', shortTime(model.created_at, frame.nowMs)]],
  ]);
  return html`<section aria-labelledby="a-set">
    <div class="top"><h2 id="a-set">Settings</h2>${mayManage ? change : null}</div>
    ${set}${mayManage ? html`<div class="space">${remove}</div>` : null}
  </section>`;
}
