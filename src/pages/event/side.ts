// What else is known of an event, beside its stack: tags, user, contexts; below it extra values, modules,
// attachments, and what was set aside.
import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import type { EventShown } from '../../core/workspace/issue/event.ts';
import { type Payload, pairsIn, recordOf, shownValue, textOf } from '../../core/workspace/issue/payload.ts';
import { type Content, el } from '../el.ts';
import { addressOf, type Frame } from '../frame.ts';
import { hiddenCaption, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { shares } from '../plots/meter.ts';
import { count, counted, percent, size } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { type Room, thatFit } from './room.ts';
import { code, said, value } from './said.ts';

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;
const idShown = 12;
/** Of the many contexts that programs send, those that everybody knows come first. */
const knownContexts = ['browser', 'os', 'device', 'runtime', 'app', 'client_os'];

/** The column at the right. */
export function sidePart(shown: EventShown, room: Room): VNode {
  const payload = shown.event as Payload;
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'About this event' },
    tagsPart(payload, shown, room),
    userPart(payload, shown, room),
    contextsPart(payload, shown, room),
  );
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
        ...tags.map(([name, each]) =>
          el(
            'tr',
            null,
            el('th', { scope: 'row', class: 'dim' }, said(name)),
            el('td', null, said(shownValue(each))),
            ...spreadCells(shown.tag_spread.find(({ tag }) => tag === name)),
          ),
        ),
      ),
    ),
    shown.tag_spread.length === 0
      ? null
      : el('p', { class: 'hint' }, "Share of the issue's events that carry the tag."),
  );
}

/** How many of the issue's events say the same. */
function spreadCells(spread: EventShown['tag_spread'][number] | undefined): Content[] {
  if (spread === undefined) return [el('td', { class: 'bar' }), el('td', { class: 'r' })];
  const named = spread.most.map(
    ({ value: each, events }) => `${visible(each)} ${percent(events, spread.of)}`,
  );
  const rest = spread.of - spread.most.reduce((sum, { events }) => sum + events, 0);
  const parts = [...spread.most.map(({ events }) => events), ...(rest > 0 ? [rest] : [])];
  return [
    el('td', { class: 'bar' }, shares(parts, named.join(', '))),
    el('td', { class: 'r' }, percent(spread.events, spread.of)),
  ];
}

/** A person is told apart, not shown: ids are cut in the middle, addresses at the front. */
function userPart(payload: Payload, shown: EventShown, room: Room): VNode | null {
  const user = recordOf(payload['user']);
  const seen = shown.user_seen;
  if (user === null && seen === null) return null;
  const known = ['id', 'username', 'email', 'name', 'ip_address', 'geo', 'data'];
  const others = pairsIn(user).filter(([name]) => !known.includes(name));
  const masked = (name: string): Content =>
    textOf(user?.[name]) === '' ? null : code(maskedText(textOf(user?.[name])));
  return section(
    { id: 's-user', title: 'User' },
    pairs([
      ['Id', masked('id')],
      ['Name', firstLetter(textOf(user?.['username']) || textOf(user?.['name']))],
      ['E-mail', masked('email')],
      ['Seen', seen === null ? null : seenWords(seen)],
      ['Address', user === null || textOf(user['ip_address']) === '' ? notStored() : masked('ip_address')],
      ['Place', user?.['geo'] === undefined ? null : value(user['geo'], room)],
      ['Data', user?.['data'] === undefined ? null : value(user['data'], room)],
      ...others.map(([name, each]) => [said(name), value(each, room)] as const),
    ]),
  );
}

/** A name is somebody's: its beginning tells two users apart. */
function firstLetter(name: string): Content {
  return name === '' ? null : code(`${cutText(name, 1)}…`);
}

const notStored = (): VNode => el('span', { class: 'dim' }, 'not stored');

function seenWords({ events, among }: NonNullable<EventShown['user_seen']>): string {
  return `${counted(events, 'event')} of the issue's newest ${count(among)}`;
}

/** `u_7c19…e2`, `m…@shop.example`. */
function maskedText(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${text.slice(0, 1)}…${text.slice(at)}`;
  return text.length <= idShown ? text : `${text.slice(0, 6)}…${text.slice(-2)}`;
}

function contextsPart(
  payload: Payload,
  { event, received_after_ms: afterMs }: EventShown,
  room: Room,
): VNode {
  const contexts = pairsIn(payload['contexts']);
  const fitting = thatFit(contexts, room, ([name]) => name.length);
  const known = fitting.toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  const sdk = recordOf(payload['sdk']);
  const rows: ReadonlyArray<readonly [Content, Content]> = [
    ...known.map(([name, each]) => [said(contextName(name)), contextValue(each, room)] as const),
    ['Environment', event.environment === null ? null : said(event.environment)],
    ['Release', event.release === null ? null : said(event.release)],
    ['Distribution', event.dist === null ? null : said(event.dist)],
    ['Server', textOf(payload['server_name']) === '' ? null : said(textOf(payload['server_name']))],
    ['Transaction', textOf(payload['transaction']) === '' ? null : said(textOf(payload['transaction']))],
    ['Logger', textOf(payload['logger']) === '' ? null : said(textOf(payload['logger']))],
    ['Platform', said(event.platform)],
    ['SDK', sdk === null ? null : said(`${textOf(sdk['name'])} ${textOf(sdk['version'])}`.trim())],
    ['Received', receivedWords(afterMs)],
  ];
  return section({ id: 's-ctx', title: 'Contexts' }, pairs(rows));
}

function sizeOf([name, each]: readonly [string, unknown]): number {
  return name.length + shownValue(each).length;
}

function placeOf(name: string): number {
  const at = knownContexts.indexOf(name);
  return at === -1 ? knownContexts.length : at;
}

function contextName(name: string): string {
  if (name === 'os' || name === 'client_os') return 'System';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Chrome 142.0`, and what else is said of it when asked. */
function contextValue(sent: unknown, room: Room): Content {
  const context = recordOf(sent);
  if (context === null) return value(sent, room);
  const naming = ['name', 'version', 'brand', 'model'];
  const parts = naming.map((key) => textOf(context[key])).filter((part) => part !== '');
  const name = parts.join(' ');
  const rest = pairsIn(context).filter(([key]) => !naming.includes(key) && key !== 'type');
  if (name === '') return value(Object.fromEntries(rest), room);
  if (rest.length === 0) return said(name);
  return el('details', null, el('summary', null, said(name)), value(Object.fromEntries(rest), room));
}

function receivedWords(ms: number): string {
  if (ms < -1000) return `${span(-ms)} before it happened, by the sender's clock`;
  return `${span(Math.max(0, ms))} after it happened`;
}

/** Extra values, modules and attachments. */
export function morePart(shown: EventShown, issueId: number, frame: Frame, room: Room): Content[] {
  const payload = shown.event as Payload;
  const extra = thatFit(pairsIn(payload['extra']), room, ([name]) => name.length);
  const modules = thatFit(pairsIn(payload['modules']), room, sizeOf);
  return [
    attachmentsPart(shown, issueId, frame),
    extra.length === 0
      ? null
      : section(
          { id: 's-extra', title: 'Extra' },
          pairs(extra.map(([name, each]) => [said(name), value(each, room)] as const)),
        ),
    modules.length === 0
      ? null
      : section(
          { id: 's-modules', title: 'Modules' },
          el(
            'details',
            null,
            el('summary', null, counted(modules.length, 'module')),
            pairs(modules.map(([name, each]) => [said(name), said(shownValue(each))] as const)),
          ),
        ),
    asidePart(shown),
  ];
}

function attachmentsPart({ event }: EventShown, issueId: number, frame: Frame): VNode | null {
  const { attachments, event_id: eventId } = event;
  if (attachments.length === 0) return null;
  const rows = attachments.map((each) => {
    const path = `/issues/${issueId}/events/${eventId}/attachments/${each.attachment_id}`;
    const isImage = imageTypes.test(each.content_type);
    return el(
      'li',
      null,
      pageLink(frame, { path }, { download: true }, said(each.filename)),
      el('span', { class: 'dim' }, ' ', said(each.content_type), `, ${size(each.size)}`),
      isImage ? picture(addressOf(frame, `${path}/image`), each.filename) : null,
    );
  });
  return section({ id: 's-files', title: 'Attachments' }, el('ul', { class: 'ruled' }, ...rows));
}

function picture(src: string, filename: string): VNode {
  return el('img', { class: 'shot', src, alt: `Picture ${filename}`, loading: 'lazy' });
}

/** What was removed for privacy, cut by limits, or could not be read. */
function asidePart({ event }: EventShown): VNode | null {
  const { errors, scrubbed } = event;
  if (errors.length === 0 && scrubbed === 0 && !event.needs_mapping) return null;
  return section(
    { id: 's-aside', title: 'Not kept' },
    el(
      'ul',
      { class: 'ruled' },
      scrubbed === 0
        ? null
        : el(
            'li',
            null,
            `${counted(scrubbed, 'value')} removed before storing, because of what they may say.`,
          ),
      event.needs_mapping
        ? el('li', null, 'The source map of this release has not come: the stack is as it was sent.')
        : null,
      ...errors.map((error) => el('li', null, code(error.name), ` ${faultWords(error.type)}`)),
    ),
  );
}

function faultWords(type: string): string {
  if (type === 'value_too_long') return 'was longer than the limit and was cut.';
  if (type === 'invalid_data') return 'could not be read and was left out.';
  return `was set aside: ${type.replaceAll('_', ' ')}.`;
}
