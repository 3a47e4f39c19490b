// /alert-channels: what left in the last days, what did not arrive, and each channel.
import type { VNode } from 'preact';
import {
  type ChannelRow,
  type ChannelState,
  type ChannelsModel,
  channelStates,
} from '../../core/workspace/uptime/channels.ts';
import type { ChannelType } from '../../core/workspace/uptime/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, searchField, select, submit } from '../parts/controls.ts';
import { formLink } from '../parts/form-link.ts';
import type { Shape } from '../parts/icons.ts';
import { dash, empty, hiddenCaption, nothingFits, pageHead, tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { spark } from '../plots/spark.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { distance, shortMoment } from '../words/times.ts';
import { nameOf, shapeOnly, told } from './words.ts';

const path = '/alert-channels';

export const typeNames: Readonly<Record<ChannelType, string>> = {
  email: 'e-mail',
  webhook: 'webhook',
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  teams: 'Teams',
  ntfy: 'ntfy',
};

const states: Readonly<Record<ChannelState, readonly [Shape, string]>> = {
  on: ['up', 'On'],
  failing: ['down', 'Failing'],
  paused: ['paused', 'Paused'],
};

/** How a channel is, as a mark. */
export function channelMark(state: ChannelState, word?: string): VNode {
  const [shape, usual] = states[state];
  return mark(shape, word ?? usual);
}

/** The page. */
export function channelsPage(model: ChannelsModel, frame: Frame): PageContent {
  const { counts, channels, rules } = model;
  const all = pageLink(
    frame,
    { path: `${path}/rules` },
    { class: 'btn' },
    'Rules',
    el('span', { class: 'dim' }, count(rules)),
  );
  const add = formLink(frame, `${path}/new`, 'Add a channel…', 'btn primary');
  return {
    title: 'Alert channels',
    main: [
      pageHead({ title: 'Alert channels', acts: [all, frame.visitor?.canManage === true ? add : null] }),
      counts.all === 0
        ? empty(
            'Nobody is told yet',
            'A channel tells people by mail, chat or a webhook when a rule says so: an issue is new, a monitor is down.',
          )
        : [
            el('p', { class: 'bulletin' }, ...bulletin(model, frame)),
            stateTabs(model, frame),
            filters(model, frame),
            channels.length === 0
              ? nothingFits(
                  frame,
                  'No channel fits',
                  'None is in this state, of this kind, or called so.',
                  pageLink(frame, { path }, null, 'Show all channels'),
                )
              : table(channels, frame),
          ],
    ],
  };
}

function bulletin({ sent, arrived, waiting, channels }: ChannelsModel, frame: Frame): Content[] {
  if (sent === 0) return ['Nothing had to be said in the last 7 days.'];
  const lost = sent - arrived;
  const left = `${counted(sent, 'message')} left in the last 7 days`;
  if (lost === 0) return [`${left}, and every one arrived.`];
  const failing = channels.find(({ state }) => state === 'failing');
  const why: Content =
    failing === undefined
      ? '.'
      : [
          ': ',
          pageLink(frame, { path: `${path}/${failing.channel_id}` }, null, told(failing.name)),
          failing.last_fault === '' ? ' fails' : [' ', told(failing.last_fault)],
          ` since ${shortMoment(Date.parse(failing.state_since), frame.nowMs)}.`,
        ];
  const later =
    waiting === 0
      ? null
      : ` ${waiting === 1 ? 'One waits and is' : `${count(waiting)} wait and are`} tried again for a day.`;
  return [`${left}, ${count(lost)} did not arrive`, why, later];
}

function stateTabs({ asked, counts }: ChannelsModel, frame: Frame): VNode {
  const query = (state: ChannelState | null): QueryMembers => ({ ...asked, state });
  return tabs(frame, 'State', [
    { name: 'All', path, query: query(null), count: count(counts.all), isCurrent: asked.state === null },
    ...channelStates.map((state) => ({
      name: states[state][1],
      path,
      query: query(state),
      count: count(counts[state]),
      isCurrent: asked.state === state,
    })),
  ]);
}

function filters({ asked, types }: ChannelsModel, frame: Frame): VNode {
  return askForm(
    frame,
    { path, label: 'Filter', kept: { state: asked.state } },
    searchField('q', 'Search channels', 'Name or target', asked.q),
    ...select(
      { id: 'type', name: 'type', label: 'Kind' },
      [{ value: '', name: 'Any kind' }, ...types.map((type) => ({ value: type, name: typeNames[type] }))],
      asked.type,
    ),
    submit('Apply'),
  );
}

function table(channels: readonly ChannelRow[], frame: Frame): VNode {
  const heads = [
    el('td', { class: 'lv' }),
    columnHead('Channel'),
    columnHead('Rules', 'd1 w5'),
    columnHead('14 days', 'd3'),
    columnHead('Arrived, 7 d', 'r d5 w6'),
    columnHead('Last', 'd2 w7 seen'),
    columnHead('State', 'd1 w9'),
  ];
  return el(
    'table',
    { class: 't list' },
    hiddenCaption('Alert channels, those that need a look first'),
    headRow(...heads),
    el('tbody', null, ...channels.map((each) => row(each, frame))),
  );
}

function row(channel: ChannelRow, frame: Frame): VNode {
  const { state, type, target, days, sent, arrived, last_at: last, rules } = channel;
  const [shape, word] = states[state];
  const share = sent === 0 ? null : percent(arrived, sent, arrived === sent || arrived === 0 ? 0 : 1);
  const when = last === null ? 'never' : ago(last, frame.nowMs);
  const values = days.map((day) => day.arrived + day.not_arrived);
  const all = values.reduce((sum, value) => sum + value, 0);
  const more = stateWords(channel, frame.nowMs);
  return el(
    'tr',
    null,
    cell(shapeOnly(shape, word), 'lv'),
    titleCell(frame, {
      path: `${path}/${channel.channel_id}`,
      title: nameOf(channel.name),
      place: [`${typeNames[type]} `, el('code', null, told(target))],
      folded: [
        el('span', { class: 'f1' }, channelMark(state)),
        share === null ? null : el('span', { class: 'f5' }, el('b', null, share), ' arrived'),
        el('span', { class: 'f2' }, when),
        more === null ? null : el('span', { class: 'f1' }, more),
      ],
    }),
    cell(counted(rules, 'rule'), 'd1 soft'),
    cell(spark({ values, name: `${counted(all, 'message')} in 14 days`, stepPx: 6 }), 'd3'),
    cell([share ?? dash(), el('small', null, sent === 0 ? 'none sent' : `${count(sent)} sent`)], 'r d5'),
    cell(when, 'd2 seen'),
    cell([channelMark(state), more === null ? null : el('small', null, more)], 'd1'),
  );
}

function stateWords(channel: ChannelRow, nowMs: number): Content {
  const { state, waiting, oldest_waiting_at: oldest, paused_until: until, quiet_hours: quiet } = channel;
  if (waiting > 0 && oldest !== null) {
    return `${waiting === 1 ? '1 waits' : `${count(waiting)} wait`}, oldest ${distance(nowMs - Date.parse(oldest))}`;
  }
  if (state === 'paused') {
    return until === null ? 'until switched on' : `until ${shortMoment(Date.parse(until), nowMs)}`;
  }
  return quiet === '' ? null : ['quiet ', told(quiet)];
}
