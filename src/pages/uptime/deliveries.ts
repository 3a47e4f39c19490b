// What left by a channel: a page of deliveries, and one of them in full.
import type { VNode } from 'preact';
import type { ChannelModel, DeliveryInFull, DeliveryView } from '../../core/workspace/uptime/channel.ts';
import type { Delivery } from '../../core/workspace/uptime/kinds.ts';
import { type Content, el } from '../el.ts';
import type { Frame, QueryMembers } from '../frame.ts';
import { dash, hiddenCaption, pager } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell, wide } from '../parts/table.ts';
import { moment, shortTime } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { dayAndTime, span, timeOfDay } from '../words/times.ts';
import { nameOf, told, wholly } from './words.ts';

const states: Readonly<Record<Delivery['state'], readonly ['passed' | 'pending' | 'failed', string]>> = {
  arrived: ['passed', 'Arrived'],
  waiting: ['pending', 'Waiting'],
  given_up: ['failed', 'Given up'],
};

/** A page of them, the newest first. */
export function deliveries(model: ChannelModel, frame: Frame): VNode {
  const { deliveries: all, newer, older, channel_id: id } = model;
  const path = `/alert-channels/${id}`;
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { [name]: cursor };
  const heads = [
    columnHead('When', 'w6'),
    columnHead('Message and why it came'),
    columnHead('State', 'd3 w7'),
    columnHead('Tries', 'r d2 w5'),
    columnHead('Took', 'r d1 w5'),
    columnHead('Answer', 'd1 w9 gapl'),
  ];
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 'a-deliveries' },
    el('h2', { id: 'a-deliveries' }, 'Deliveries'),
    all.length === 0
      ? el('p', { class: 'ruled soft' }, 'Nothing left by this channel yet.')
      : [
          el(
            'table',
            { class: 't list' },
            hiddenCaption('Deliveries, newest first'),
            headRow(...heads),
            el('tbody', null, ...all.map((each) => row(each, model, frame))),
          ),
          newer === null && older === null
            ? null
            : pager(frame, {
                path,
                said: `${counted(all.length, 'delivery', 'deliveries')} here`,
                newer: near('before', newer),
                older: near('after', older),
              }),
        ],
  );
}

function row(each: DeliveryView, { delivery: shown, channel_id: id }: ChannelModel, frame: Frame): VNode {
  const { at, subject, rule, tries } = each;
  const answered = answer(each, frame.nowMs);
  return el(
    'tr',
    { 'aria-current': each.delivery_id === shown?.delivery_id ? 'true' : null },
    cell(shortTime(at, frame.nowMs), 'w6'),
    titleCell(frame, {
      path: `/alert-channels/${id}`,
      query: {
        after: frame.query.get('after'),
        before: frame.query.get('before'),
        delivery: each.delivery_id,
      },
      title: nameOf(subject),
      place: ['rule ', told(rule)],
      folded: [
        el('span', { class: 'f4' }, stateMark(each)),
        el('span', { class: 'f2' }, tries === 1 ? '1 try' : `${count(tries)} tries`),
        el('span', { class: 'f1' }, answered),
      ],
    }),
    cell(stateMark(each), 'd3'),
    cell(count(tries), 'r d2'),
    cell(each.duration_ms === null ? dash() : span(each.duration_ms), 'r d1'),
    cell(answered, 'd1 gapl soft'),
  );
}

function stateMark({ state }: DeliveryView): VNode {
  return mark(...states[state]);
}

/** What was answered last; of what waits without an answer, when it is tried next. */
function answer({ status, said, next_try_at: next, tries }: DeliveryView, nowMs: number): Content {
  if (status !== null) return String(status);
  if (said !== '') return told(said);
  if (next !== null) return `next ${nextWord(next, nowMs)}`;
  return tries === 0 ? 'not tried yet' : dash();
}

function nextWord(next: string, nowMs: number): string {
  const atMs = Date.parse(next);
  return atMs - nowMs < 86_400_000 ? timeOfDay(atMs) : dayAndTime(atMs);
}

/** One: why it came and where to stop it, each try, and what was sent. */
export function delivery(one: DeliveryInFull, frame: Frame): VNode {
  const { subject, at, tries, next_try_at: next, path } = one;
  const said = [
    shortTime(at, frame.nowMs),
    `, tried ${tries === 1 ? 'once' : `${count(tries)} times`}`,
    next === null ? null : `, next at ${nextWord(next, frame.nowMs)}`,
  ];
  const about =
    path === null
      ? null
      : el('p', null, pageLink(frame, { path, query: { project: null } }, null, 'What it is about'));
  return el(
    'section',
    { class: 'sec', 'aria-labelledby': 'a-one' },
    el(
      'div',
      { class: 'top' },
      el('h2', { id: 'a-one' }, told(subject)),
      el('span', { class: 'small dim' }, ...said),
    ),
    el(
      'div',
      { class: 'cols even deliv' },
      el('div', null, el('h3', null, 'Why it came'), ...why(one, frame), about, attempts(one)),
      el(
        'div',
        null,
        el('h3', null, 'What was sent'),
        snippet(one.sent, 'Body of the message'),
        ...cameBack(one),
      ),
    ),
  );
}

function why({ why: sentence, rule, rule_id: id }: DeliveryInFull, frame: Frame): Content[] {
  const name =
    id === null ? told(rule) : pageLink(frame, { path: `/alert-channels/rules/${id}` }, null, told(rule));
  return [
    el('p', null, 'Rule ', name, ': ', told(sentence, 400)),
    el('p', { class: 'small' }, 'Every message says so, with a link to the rule, where it is stopped.'),
  ];
}

function attempts({ attempts: all }: DeliveryInFull): Content {
  if (all.length === 0) return null;
  const rows = all.map(({ at, status, duration_ms: took, said }) =>
    el(
      'tr',
      null,
      cell(moment(at, at.slice(11, 19), false)),
      cell(status === null ? 'none' : String(status), 'r'),
      cell(took === null ? dash() : span(took), 'r nowrap'),
      cell(told(said), 'dim'),
    ),
  );
  const heads = [columnHead('At'), columnHead('Answer', 'r'), columnHead('Took', 'r'), columnHead('It said')];
  return [
    el('h3', null, 'Attempts'),
    wide(
      'Attempts',
      el(
        'table',
        { class: 't' },
        hiddenCaption('Attempts of this delivery'),
        headRow(...heads),
        el('tbody', null, ...rows),
      ),
    ),
  ];
}

function cameBack({ attempts: all }: DeliveryInFull): Content[] {
  const last = all.at(-1);
  if (last === undefined) return [];
  const text = [last.status === null ? 'No answer' : String(last.status), last.said].filter(
    (each) => each !== '',
  );
  return [el('h3', null, 'What came back'), snippet(text.join('\n'), 'The last answer')];
}

function snippet(text: string, label: string): VNode {
  return el(
    'pre',
    { class: 'snip', tabindex: 0, role: 'group', 'aria-label': label },
    el('code', null, wholly(text)),
  );
}
