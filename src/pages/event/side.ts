// What else is known of an event, beside its stack: tags, user, contexts; below it extra values, modules,
// attachments, and what was set aside.
import type { VNode } from 'preact';
import type { EventShown } from '../../core/workspace/issue/event.ts';
import {
  type Payload,
  pairsIn,
  recordOf,
  restOf,
  shownValue,
  textOf,
} from '../../core/workspace/issue/payload.ts';
import { type Content, el, html } from '../el.ts';
import { addressOf, type Frame } from '../frame.ts';
import { hiddenCaption, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { shares } from '../plots/meter.ts';
import { count, counted, percent, size } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { contextsPart } from './contexts.ts';
import { type Room, thatFit } from './room.ts';
import { code, members, said, value } from './said.ts';

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;
/** Members of an event that stand on its page, each in a place of its own. */
const placed = [
  ...['event_id', 'issue_id', 'title', 'culprit', 'level', 'platform', 'release', 'dist', 'environment'],
  ...[
    'received',
    'timestamp',
    'sdk',
    'domain',
    'scrubbed',
    'grouping',
    'errors',
    'needs_mapping',
    'attachments',
  ],
  ...['older_event_id', 'newer_event_id', 'logentry', 'exception', 'threads', 'breadcrumbs', 'tags', 'user'],
  ...[
    'request',
    'contexts',
    'extra',
    'modules',
    'fingerprint',
    'logger',
    'server_name',
    'transaction',
    'site',
  ],
  'type',
];

/** The column at the right. */
export function sidePart(shown: EventShown, frame: Frame, room: Room): VNode {
  const payload = shown.event as Payload;
  return html`<aside class="aside" aria-label="About this event">
    ${tagsPart(payload, shown, room)}${userPart(payload, shown, room)}${failedPart(shown, frame)}
    ${contextsPart(shown, room)}
  </aside>`;
}

function tagsPart(payload: Payload, shown: EventShown, room: Room): VNode | null {
  const tags = thatFit(pairsIn(payload['tags']), room, sizeOf);
  if (tags.length === 0) return null;
  return section(
    { id: 's-tags', title: 'Tags' },
    el(
      'table',
      { class: 't tags' },
      hiddenCaption('Tags of this event'),
      el(
        'tbody',
        null,
        tags.map(
          ([name, each]) =>
            html`<tr>
              <th scope="row" class="dim">${said(name)}</th><td>${said(shownValue(each))}</td>
              ${spreadCells(shown.tag_spread.find(({ tag }) => tag === name))}
            </tr>`,
        ),
      ),
    ),
    shown.tag_spread.length === 0
      ? null
      : html`<p class="hint">Share of the issue's events that carry the tag.</p>`,
  );
}

/** How many of the issue's events say the same. */
function spreadCells(spread: EventShown['tag_spread'][number] | undefined): Content[] {
  if (spread === undefined) return [html`<td class="bar"></td>`, html`<td class="r"></td>`];
  const named = spread.most.map(
    ({ value: each, events }) => `${visible(each)} ${percent(events, spread.of)}`,
  );
  const rest = spread.of - spread.most.reduce((sum, { events }) => sum + events, 0);
  const parts = [...spread.most.map(({ events }) => events), ...(rest > 0 ? [rest] : [])];
  return [
    html`<td class="bar">${shares(parts, named.join(', '))}</td>`,
    html`<td class="r">${percent(spread.events, spread.of)}</td>`,
  ];
}

/** A person is told apart, not shown: the model says no more of them than their beginnings. */
function userPart(payload: Payload, shown: EventShown, room: Room): VNode | null {
  const user = recordOf(payload['user']);
  const seen = shown.user_seen;
  if (user === null && seen === null) return null;
  const text = (name: string): Content => (textOf(user?.[name]) === '' ? null : code(textOf(user?.[name])));
  const others = restOf(user, ['id', 'username', 'name', 'email', 'ip_address', 'geo', 'data']);
  return section(
    { id: 's-user', title: 'User' },
    pairs([
      ['Id', text('id')],
      ['Name', text('name')],
      ['User name', text('username')],
      ['E-mail', text('email')],
      ['Seen', seen === null ? null : seenWords(seen)],
      ['Address', text('ip_address') ?? notStored()],
      ['Place', user?.['geo'] === undefined ? null : placeWords(user['geo'], room)],
      ['Data', user?.['data'] === undefined ? null : value(user['data'], room)],
      ...others.map(([name, each]) => [said(name), value(each, room)] as const),
    ]),
  );
}

/** `Cork, Munster, IE`, the nearest first. */
function placeWords(sent: unknown, room: Room): Content {
  const geo = recordOf(sent);
  const names = ['city', 'subdivision', 'region', 'country_code'];
  const words = names.map((name) => textOf(geo?.[name])).filter((word) => word !== '');
  const isWhole = words.length > 0 && restOf(geo, names).length === 0;
  return isWhole ? said(words.join(', ')) : value(sent, room);
}

const notStored = (): VNode => html`<span class="dim">not stored</span>`;

function seenWords({ events, among }: NonNullable<EventShown['user_seen']>): string {
  const own = counted(events, 'event');
  return among === null ? `${own} of this issue` : `${own} of the issue's newest ${count(among)}`;
}

/** Tests of its release that had failed, one click away. */
function failedPart({ failed_tests: found }: EventShown, frame: Frame): VNode | null {
  if (found === null) return null;
  const { test_run_id: id, failed, case: first } = found;
  const run = pageLink(frame, { path: `/test-runs/${id}` }, null, `run ${id}`);
  const others = failed - 1;
  return section(
    { id: 's-tests', title: 'Tests of its release' },
    first === null
      ? html`<p>${counted(failed, 'test')} failed in ${run}.</p>`
      : html`<p>
        ${pageLink(frame, { path: `/test-runs/cases/${first.case_id}` }, null, said(first.name))}
        ${others === 0 ? '' : ` and ${counted(others, 'other')}`} failed in ${run}.
      </p>`,
  );
}

/** Extra values, modules and attachments. */
export function morePart(shown: EventShown, issueId: number, frame: Frame, room: Room): Content[] {
  const payload = shown.event as Payload;
  const extra = thatFit(pairsIn(payload['extra']), room, ([name]) => name.length);
  const modules = thatFit(pairsIn(payload['modules']), room, sizeOf);
  const others = thatFit(restOf(payload, placed), room, ([name]) => name.length);
  return [
    attachmentsPart(shown, issueId, frame),
    extra.length === 0 ? null : section({ id: 's-extra', title: 'Extra' }, members(extra, room)),
    modules.length === 0
      ? null
      : section(
          { id: 's-modules', title: 'Modules' },
          html`<details>
            <summary>${counted(modules.length, 'module')}</summary>
            ${pairs(modules.map(([name, each]) => [said(name), said(shownValue(each))] as const))}
          </details>`,
        ),
    others.length === 0 ? null : section({ id: 's-more', title: 'What else it says' }, members(others, room)),
    asidePart(shown, room),
  ];
}

function attachmentsPart({ event }: EventShown, issueId: number, frame: Frame): VNode | null {
  const { attachments, event_id: eventId } = event;
  if (attachments.length === 0) return null;
  const rows = attachments.map((each) => {
    const path = `/issues/${issueId}/events/${eventId}/attachments/${each.attachment_id}`;
    const isImage = imageTypes.test(each.content_type);
    return html`<li>
      ${pageLink(frame, { path }, { download: true }, said(each.filename))}
      <span class="dim"> ${said(each.content_type)}, ${size(each.size)}</span>
      <p class="small dim">${said(each.attachment_type)}, SHA-256 ${code(each.sha256)}</p>
      ${isImage ? picture(addressOf(frame, `${path}/image`), each.filename) : null}
    </li>`;
  });
  return section({ id: 's-files', title: 'Attachments' }, html`<ul class="ruled">${rows}</ul>`);
}

function picture(src: string, filename: string): VNode {
  return html`<img class="shot" src=${src} alt="Picture ${filename}" loading="lazy" />`;
}

/** What was removed for privacy, cut by limits, or could not be read. */
function asidePart({ event }: EventShown, room: Room): VNode | null {
  const { errors, scrubbed } = event;
  if (errors.length === 0 && scrubbed === 0 && !event.needs_mapping) return null;
  return section(
    { id: 's-aside', title: 'Not kept' },
    el(
      'ul',
      { class: 'ruled' },
      scrubbed === 0
        ? null
        : html`<li>${counted(scrubbed, 'value')} removed before storing, because of what they may say.</li>`,
      event.needs_mapping
        ? html`<li>The source map of this release has not come: the stack is as it was sent.</li>`
        : null,
      errors.map(
        (error) =>
          html`<li>
            ${code(error.name)} ${faultWords(error.type)}
            ${error.value === undefined ? null : [' It was ', value(error.value, room)]}
          </li>`,
      ),
    ),
  );
}

function faultWords(type: string): string {
  if (type === 'value_too_long') return 'was longer than the limit and was cut.';
  if (type === 'invalid_data') return 'could not be read and was left out.';
  return `was set aside: ${type.replaceAll('_', ' ')}.`;
}

/** What a pair takes of the room. */
function sizeOf([name, each]: readonly [string, unknown]): number {
  return name.length + shownValue(each).length;
}
