import type { VNode } from 'preact';
import type { ShownEvent } from '../../core/page-models/issue/event.ts';
import {
  displayValue,
  type EventPayload,
  objectOrNull,
  otherMembers,
  type Pairs,
  parseTimestampMs,
  scalarText,
  toPairs,
} from '../../core/page-models/issue/parse-event.ts';
import { shareMeter } from '../charts/meter.ts';
import { hiddenCaption, nameValueList, section } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { fullTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted, formatBytes, percent } from '../formatters/numbers.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { span } from '../formatters/times.ts';
import { type PageContext, pageUrl } from '../page-context.ts';
import { columnSection } from './column-section.ts';
import { type RenderBudget, takeCharacters, takeFitting } from './render-budget.ts';
import { memberList, untrustedCode, untrustedText, valueCode } from './values.ts';

interface Words {
  readonly text: string;
  readonly of: readonly string[];
}

type Wording = readonly [title: string, words: (context: EventPayload) => Words];

/** Known contexts, in the order in which they are shown first. */
const known: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ['browser', ['Browser', plain('name', 'version')]],
  ['os', ['Operating system', plain('name', 'version', 'build')]],
  ['client_os', ['Operating system', plain('name', 'version', 'build')]],
  ['device', ['Device', deviceWords]],
  ['runtime', ['Runtime', plain('name', 'version')]],
  ['app', ['App', plain('app_name', 'app_version')]],
  ['culture', ['Language', plain('display_name', 'locale', 'timezone')]],
  ['gpu', ['Graphics', plain('vendor_name', 'name', 'version')]],
  ['trace', ['Trace', plain('op', 'status')]],
]);

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;
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

/** `grouping` comes last. */
export function eventSidebar(
  shown: ShownEvent,
  frame: PageContext,
  budget: RenderBudget,
  grouping: Content,
): VNode {
  const payload = shown.event as EventPayload;
  return html`<aside class="aside" aria-label="About this event">
    ${userPart(payload, shown, frame, budget)}${failedPart(shown, frame)}${contextsPart(shown, budget)}${grouping}
  </aside>`;
}

export function tagsSection(shown: ShownEvent, frame: PageContext, room: RenderBudget): VNode | null {
  const tags = takeFitting(toPairs((shown.event as EventPayload)['tags']), room, sizeOf);
  if (tags.length === 0) return null;
  return columnSection(
    { name: 'tagspart', id: 's-tags', title: 'Tags' },
    el(
      'table',
      { class: 't tags' },
      hiddenCaption('Tags of this event'),
      el(
        'tbody',
        null,
        tags.map(([name, each]) => {
          const spread = shown.tag_spread.find(({ tag }) => tag === name);
          const text = displayValue(each);
          // What is counted can be searched.
          const query = { state: 'all', tag: `${name}:${text}` };
          const value =
            spread === undefined
              ? untrustedText(text)
              : pageLink(frame, { path: '/issues', query }, null, untrustedText(text));
          return html`<tr>
            <th scope="row" class="dim">${untrustedText(name)}</th><td>${value}</td>
            ${spreadCells(spread)}
          </tr>`;
        }),
      ),
    ),
    shown.tag_spread.length === 0
      ? null
      : html`<p class="hint">Share of this issue's events with this tag value.</p>`,
  );
}

function spreadCells(spread: ShownEvent['tag_spread'][number] | undefined): Content[] {
  if (spread === undefined) return [html`<td class="bar"></td>`, html`<td class="r"></td>`];
  const named = spread.most.map(
    ({ value: each, events }) => `${replaceInvisible(each)} ${percent(events, spread.of)}`,
  );
  const rest = spread.of - spread.most.reduce((sum, { events }) => sum + events, 0);
  const parts = [...spread.most.map(({ events }) => events), ...(rest > 0 ? [rest] : [])];
  return [
    html`<td class="bar">${shareMeter(parts, named.join(', '))}</td>`,
    html`<td class="r">${percent(spread.events, spread.of)}</td>`,
  ];
}

/** The user is abbreviated by the model to protect privacy. */
function userPart(
  payload: EventPayload,
  shown: ShownEvent,
  frame: PageContext,
  room: RenderBudget,
): VNode | null {
  const user = objectOrNull(payload['user']);
  const seen = shown.user_seen;
  if (user === null && seen === null) return null;
  const text = (name: string): Content =>
    scalarText(user?.[name]) === '' ? null : untrustedCode(scalarText(user?.[name]));
  const others = otherMembers(user, ['id', 'username', 'name', 'email', 'ip_address', 'geo', 'data']);
  return section(
    { id: 's-user', title: 'User' },
    nameValueList([
      ['ID', idLink(scalarText(user?.['id']), frame)],
      ['Name', text('name')],
      ['User name', text('username')],
      ['E-mail', text('email')],
      ['Events', seen === null ? null : seenWords(seen)],
      ['IP address', text('ip_address') ?? notStored()],
      ['Location', user?.['geo'] === undefined ? null : placeWords(user['geo'], room)],
      ['Data', user?.['data'] === undefined ? null : valueCode(user['data'], room)],
      ...others.map(([name, each]) => [untrustedText(name), valueCode(each, room)] as const),
    ]),
  );
}

/** To the page of the user; an id that is an address is masked, and finds nobody. */
function idLink(id: string, frame: PageContext): Content {
  if (id === '') return null;
  const code = untrustedCode(id);
  return /[@…]/.test(id) ? code : pageLink(frame, { path: '/users', query: { query: id } }, null, code);
}

/** `Cork, Munster, IE`. */
function placeWords(sent: unknown, room: RenderBudget): Content {
  const geo = objectOrNull(sent);
  const names = ['city', 'subdivision', 'region', 'country_code'];
  const words = names.map((name) => scalarText(geo?.[name])).filter((word) => word !== '');
  const isWhole = words.length > 0 && otherMembers(geo, names).length === 0;
  return isWhole ? untrustedText(words.join(', ')) : valueCode(sent, room);
}

const notStored = (): VNode => html`<span class="dim">not stored</span>`;

function seenWords({ events, among }: NonNullable<ShownEvent['user_seen']>): string {
  const own = counted(events, 'event');
  return among === null ? `${own} of this issue` : `${own} of the issue's latest ${count(among)}`;
}

function failedPart({ failed_tests: found }: ShownEvent, frame: PageContext): VNode | null {
  if (found === null) return null;
  const { test_run_id: id, failed, case: first } = found;
  const run = pageLink(frame, { path: `/test-runs/${id}` }, null, `run ${id}`);
  const others = failed - 1;
  return section(
    { id: 's-tests', title: 'Tests of this release' },
    first === null
      ? html`<p>${counted(failed, 'test')} failed in ${run}.</p>`
      : html`<p>
        ${pageLink(frame, { path: `/test-runs/cases/${first.case_id}` }, null, untrustedText(first.name))}
        ${others === 0 ? '' : ` and ${counted(others, 'other')}`} failed in ${run}.
      </p>`,
  );
}

export function moreSections(
  shown: ShownEvent,
  issueId: number,
  frame: PageContext,
  room: RenderBudget,
): Content[] {
  const payload = shown.event as EventPayload;
  const extra = takeFitting(toPairs(payload['extra']), room, ([name]) => name.length);
  const modules = takeFitting(toPairs(payload['modules']), room, sizeOf);
  const others = takeFitting(otherMembers(payload, placed), room, ([name]) => name.length);
  return [
    attachmentsPart(shown, issueId, frame),
    extra.length === 0 ? null : section({ id: 's-extra', title: 'Extra' }, memberList(extra, room)),
    modules.length === 0
      ? null
      : section(
          { id: 's-modules', title: 'Modules' },
          html`<details>
            <summary>${counted(modules.length, 'module')}</summary>
            ${nameValueList(modules.map(([name, each]) => [untrustedText(name), untrustedText(displayValue(each))] as const))}
          </details>`,
        ),
    others.length === 0 ? null : section({ id: 's-more', title: 'Other data' }, memberList(others, room)),
    processingErrors(shown, room),
  ];
}

function attachmentsPart({ event }: ShownEvent, issueId: number, frame: PageContext): VNode | null {
  const { attachments, event_id: eventId } = event;
  if (attachments.length === 0) return null;
  const rows = attachments.map((each) => {
    const path = `/issues/${issueId}/events/${eventId}/attachments/${each.attachment_id}`;
    const isImage = imageTypes.test(each.content_type);
    return html`<li>
      ${pageLink(frame, { path }, { download: true }, untrustedText(each.filename))}
      <span class="dim"> ${untrustedText(each.content_type)}, ${formatBytes(each.size)}</span>
      <p class="small dim">${untrustedText(each.attachment_type)}, SHA-256 ${untrustedCode(each.sha256)}</p>
      ${isImage ? picture(pageUrl(frame, `${path}/image`), each.filename) : null}
    </li>`;
  });
  return section({ id: 's-files', title: 'Attachments' }, html`<ul class="ruled">${rows}</ul>`);
}

function picture(src: string, filename: string): VNode {
  return html`<img class="shot" src=${src} alt="Picture ${filename}" loading="lazy" />`;
}

/** What was removed for privacy, cut by limits, or unreadable. */
function processingErrors({ event }: ShownEvent, room: RenderBudget): VNode | null {
  const { errors, scrubbed } = event;
  if (errors.length === 0 && scrubbed === 0 && !event.needs_mapping) return null;
  return section(
    { id: 's-aside', title: 'Processing notes' },
    el(
      'ul',
      { class: 'ruled' },
      scrubbed === 0 ? null : html`<li>${counted(scrubbed, 'sensitive value')} redacted.</li>`,
      event.needs_mapping
        ? html`<li>No source map was uploaded for this release: the stack trace is shown as it was sent.</li>`
        : null,
      errors.map(
        (error) =>
          html`<li>
            ${untrustedCode(error.name)} ${faultWords(error.type)}
            ${error.value === undefined ? null : [' It was ', valueCode(error.value, room)]}
          </li>`,
      ),
    ),
  );
}

function faultWords(type: string): string {
  if (type === 'value_too_long') return 'was longer than the limit and was cut.';
  if (type === 'invalid_data') return 'could not be read and was left out.';
  return `was discarded: ${type.replaceAll('_', ' ')}.`;
}

function sizeOf([name, each]: readonly [string, unknown]): number {
  return name.length + displayValue(each).length;
}

function contextsPart(shown: ShownEvent, room: RenderBudget): VNode {
  const contexts = takeFitting(
    toPairs((shown.event as EventPayload)['contexts']),
    room,
    ([name]) => name.length,
  );
  const order = [...known.keys()];
  const place = (name: string): number => (known.has(name) ? order.indexOf(name) : order.length);
  const sorted = contexts.toSorted(([one], [other]) => place(one) - place(other));
  return section(
    { id: 's-ctx', title: 'Contexts' },
    nameValueList([
      ...sorted.map(([name, sent]) => contextRow(name, sent, room)),
      ...eventFacts(shown, room),
    ]),
  );
}

function contextRow(name: string, sent: unknown, room: RenderBudget): readonly [Content, Content] {
  const [title, words] = known.get(name) ?? [capital(name), plain('name', 'version')];
  const context = objectOrNull(sent);
  if (context === null) return [untrustedText(title), valueCode(sent, room)];
  const { text, of } = words(context);
  const rest = otherMembers(context, [...of, ...(context['type'] === name ? ['type'] : [])]);
  // No known member: show the whole object.
  if (text === '') return [untrustedText(title), valueCode(Object.fromEntries(rest), room)];
  if (!takeCharacters(room, text.length))
    return [untrustedText(title), html`<span class="dim">omitted</span>`];
  return [untrustedText(title), rest.length === 0 ? untrustedText(text) : folded(text, rest, room)];
}

function folded(text: string, rest: Pairs, room: RenderBudget): VNode {
  return html`<details><summary>${untrustedText(text)}</summary>${memberList(rest, room)}</details>`;
}

/** Values of these members, joined with spaces; only strings. */
function plain(...names: readonly string[]): (context: EventPayload) => Words {
  return (context) => {
    const of = names.filter((name) => scalarText(context[name]) !== '');
    return { text: of.map((name) => scalarText(context[name])).join(' '), of };
  };
}

/** `Apple iPhone 15, 1536 × 864, 1.25×, 4 GB`. */
function deviceWords(context: EventPayload): Words {
  const named = plain('manufacturer', 'brand', 'name', 'model')(context);
  const [width, height] = [context['screen_width_pixels'], context['screen_height_pixels']];
  const resolution = /^(\d+)\s*[x×]\s*(\d+)$/.exec(scalarText(context['screen_resolution']));
  const density = context['screen_density'];
  const memory = context['memory_size'];
  const parts: ReadonlyArray<readonly [text: string, of: readonly string[]]> = [
    [named.text, named.of],
    typeof width === 'number' && typeof height === 'number'
      ? [`${width} × ${height}`, ['screen_width_pixels', 'screen_height_pixels']]
      : [resolution === null ? '' : `${resolution[1]} × ${resolution[2]}`, ['screen_resolution']],
    [typeof density === 'number' ? `${density}×` : '', ['screen_density']],
    [typeof memory === 'number' && memory > 0 ? formatBytes(memory) : '', []],
  ];
  const shown = parts.filter(([text]) => text !== '');
  return { text: shown.map(([text]) => text).join(', '), of: shown.flatMap(([, of]) => of) };
}

function eventFacts(
  { event, received_after_ms: afterMs }: ShownEvent,
  room: RenderBudget,
): Array<[Content, Content]> {
  const payload = event as EventPayload;
  const text = (sent: unknown): Content => (scalarText(sent) === '' ? null : untrustedText(scalarText(sent)));
  const { fingerprint } = payload;
  return [
    ['Environment', text(event.environment)],
    ['Release', text(event.release)],
    ['Distribution', text(event.dist)],
    ['Server', text(payload['server_name'])],
    ['Transaction', text(payload['transaction'])],
    ['Logger', text(payload['logger'])],
    ['Level', text(event.level)],
    ['Platform', text(event.platform)],
    ['Type', ['default', 'error'].includes(scalarText(payload['type'])) ? null : text(payload['type'])],
    ['Domain', text(event.domain)],
    ['Site', text(payload['site'])],
    ['SDK', sdkWords(objectOrNull(payload['sdk']), room)],
    ['Fingerprint', fingerprint === undefined ? null : valueCode(fingerprint, room)],
    ['Event', untrustedCode(event.event_id)],
    [
      'Occurred',
      parseTimestampMs(payload['timestamp']) === null ? null : fullTime(scalarText(payload['timestamp'])),
    ],
    ['Received', receivedWords(afterMs)],
  ];
}

function sdkWords(sdk: EventPayload | null, room: RenderBudget): Content {
  if (sdk === null) return null;
  const { text, of } = plain('name', 'version')(sdk);
  const rest = otherMembers(sdk, of);
  if (text === '') return valueCode(sdk, room);
  return rest.length === 0 ? untrustedText(text) : folded(text, rest, room);
}

function receivedWords(ms: number): string {
  if (ms < -1000) return `${span(-ms)} before it occurred, by the sender's clock`;
  return `${span(Math.max(0, ms))} after it occurred`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
