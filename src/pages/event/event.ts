// An event within the page of its issue: the bar with its neighbours, and all that is known of it.
import type { VNode } from 'preact';
import type { EventShown, IssueEventModel } from '../../core/workspace/issue/event.ts';
import type { Payload } from '../../core/workspace/issue/payload.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { empty } from '../parts/layout.ts';
import { deadLink, hashLink, pageLink } from '../parts/link.ts';
import { fullTime } from '../parts/time.ts';
import { count } from '../words/numbers.ts';
import { crumbsPart } from './crumbs.ts';
import { requestPart } from './request.ts';
import { roomOf } from './room.ts';
import { morePart, sidePart } from './side.ts';
import { stackPart } from './stack.ts';
import { whyPart } from './why.ts';

/** The event that is shown, or why there is none; `split` and `log` are parts of its issue. */
export function eventPart(
  model: IssueEventModel,
  frame: Frame,
  { split, log }: { readonly split: Content; readonly log: Content },
): Content[] {
  const { shown } = model;
  if (shown === null) return [goneEvent(model, frame), log];
  const payload = shown.event as Payload;
  const room = roomOf(frame.query.get('show') === 'all');
  // Drawn in the order in which they may take room.
  const stack = stackPart(payload, frame, room);
  const side = sidePart(shown, frame, room);
  const rest = [
    crumbsPart(payload, shown.event.title, frame, room),
    requestPart(payload, room),
    ...morePart(shown, model.issue.issue_id, frame, room),
  ];
  return [
    bar(model, shown, frame),
    room.isShort ? shortNote(frame) : null,
    html`<div class="cols event">
      ${stack}${whyPart(shown, split)}
      <div class="rest">${rest}${log}</div>
      ${side}
    </div>`,
  ];
}

function shortNote(frame: Frame): VNode {
  const query = { ...Object.fromEntries(frame.query), show: 'all', notice: null };
  return el(
    'p',
    { class: 'note' },
    'This event is large, and not all of it stands here. ',
    pageLink(frame, { path: frame.path, query }, null, 'Show all of it'),
  );
}

function bar(model: IssueEventModel, { event }: EventShown, frame: Frame): VNode {
  const { stored, issue } = model;
  const base = `/issues/${issue.issue_id}/events`;
  const path = `${base}/${event.event_id}`;
  const exports = [
    pageLink(frame, { path: `${path}/download` }, { download: true }, 'JSON'),
    ' ',
    pageLink(frame, { path: `${path}.md` }, { download: true }, 'Markdown'),
    ' ',
    'request' in event ? hashLink('curl', null, 'curl') : null,
  ];
  const step = (name: string, to: string | null, rel: string | null): VNode =>
    to === null
      ? deadLink({ class: 'btn small' }, name)
      : pageLink(frame, { path: `${base}/${to}` }, { class: 'btn small', rel }, name);
  const { older_event_id: older, newer_event_id: newer } = event;
  return el(
    'div',
    { class: 'evbar' },
    el(
      'p',
      null,
      html`<strong>${fullTime(event.received)}</strong>`,
      ' ',
      html`<span class="dim">event <code>${event.event_id.slice(0, 8)}</code>${placeWords(model)}</span>`,
    ),
    html`<p class="acts">
      <span class="small exp">${exports}</span>
      <span class="joined">
        ${step('Oldest', older === null ? null : (stored.oldest_event_id ?? 'oldest'), null)}
        ${step('Older', older, 'prev')}${step('Newer', newer, 'next')}
        ${step('Latest', newer === null ? null : 'latest', null)}
      </span>
    </p>`,
  );
}

function placeWords({ stored, shown }: IssueEventModel): string {
  const id = shown?.event.event_id;
  const all = `${count(stored.events)}${stored.capped ? ' or more' : ''}`;
  if (stored.events === 1) return ', the only one stored';
  if (id === stored.newest_event_id) return `, newest of ${all}`;
  return id === stored.oldest_event_id ? `, oldest of ${all}` : `, one of ${all}`;
}

/** An event that retention removed, or that never was: the issue still counts it. */
function goneEvent({ issue, stored }: IssueEventModel, frame: Frame): VNode {
  const path = `/issues/${issue.issue_id}/events/latest`;
  const hasOthers = stored.events > 0;
  return empty(
    hasOthers ? 'This event is not stored' : 'No event of this issue is stored any more',
    hasOthers
      ? 'Events are kept for a time and counted for ever: this one went when its time was over or there were too many, or it belongs to another issue.'
      : 'Events are kept for a time and counted for ever: those of this issue went when their time was over or there were too many. The next one is shown here.',
    hasOthers ? pageLink(frame, { path }, null, 'To the newest event') : null,
  );
}
