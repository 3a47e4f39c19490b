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
import { nameValueList, noneText, section } from '../components/elements.ts';
import { capitalize } from '../components/icons.ts';
import { dataTable } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import {
  count,
  counted,
  formatBytes,
  fullTime,
  percent,
  replaceInvisible,
  span,
  untrustedCode,
  untrustedText,
} from '../formatters.ts';
import { type PageContext, pageUrl } from '../page-context.ts';
import { type RenderBudget, takeCharacters, takeFitting } from './render-budget.ts';
import { memberList, memberRows, valueCode } from './values.ts';

/** The text of a context, and the members in it. */
type ToText = (context: EventPayload) => { readonly text: string; readonly of: readonly string[] };

/** Known contexts, in the order in which they are shown first. */
const known = new Map<string, readonly [title: string, toText: ToText]>([
  ['browser', ['Browser', joinedMembers('name', 'version')]],
  ['os', ['Operating system', joinedMembers('name', 'version', 'build')]],
  ['client_os', ['Operating system', joinedMembers('name', 'version', 'build')]],
  ['device', ['Device', deviceText]],
  ['runtime', ['Runtime', joinedMembers('name', 'version')]],
  ['app', ['App', joinedMembers('app_name', 'app_version')]],
  ['culture', ['Language', joinedMembers('display_name', 'locale', 'timezone')]],
  ['gpu', ['Graphics', joinedMembers('vendor_name', 'name', 'version')]],
  ['trace', ['Trace', joinedMembers('op', 'status')]],
]);

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;
const shownMembers = [
  ...'event_id issue_id title culprit level platform release dist environment received timestamp sdk'.split(
    ' ',
  ),
  ...'domain scrubbed grouping errors needs_mapping attachments older_event_id newer_event_id'.split(' '),
  ...'logentry exception threads breadcrumbs tags user request contexts extra modules fingerprint'.split(' '),
  ...'logger server_name transaction site type'.split(' '),
];

/** `grouping` comes last. */
export function eventSidebar(
  shown: ShownEvent,
  context: PageContext,
  budget: RenderBudget,
  grouping: Content,
): VNode {
  const payload = shown.event as EventPayload;
  return html`<aside class="aside" aria-label="About this event">
    ${userPart(payload, shown, context, budget)}${failedPart(shown, context)}${contextsPart(shown, budget)}${grouping}
  </aside>`;
}

export function tagsSection(shown: ShownEvent, context: PageContext, budget: RenderBudget): VNode | null {
  const tags = takeFitting(toPairs((shown.event as EventPayload)['tags']), budget, sizeOf);
  if (tags.length === 0) return null;
  const rows = tags.map(([name, value]) => {
    const spread = shown.tag_spread.find(({ tag }) => tag === name);
    return { name, text: displayValue(value), spread };
  });
  const table = dataTable<(typeof rows)[number]>(context, {
    caption: 'Tags of this event',
    class: 't tags',
    isHeadless: true,
    columns: [
      { row: ({ name }) => html`<th scope="row" class="dim">${untrustedText(name)}</th>` },
      {
        cell: ({ name, text, spread }) => {
          const word = untrustedText(text);
          // What is counted can be searched.
          const query = { state: 'all', tag: `${name}:${text}` };
          return spread === undefined ? word : pageLink(context, { path: '/issues', query }, null, word);
        },
      },
      { class: 'bar', cell: ({ spread }) => spread && spreadMeter(spread) },
      { class: 'r', cell: ({ spread }) => spread && percent(spread.events, spread.of) },
    ],
    rows,
  });
  const hint = html`<p class="hint">Share of this issue's events with this tag value.</p>`;
  return section(
    { class: 'tagspart', id: 's-tags', title: 'Tags' },
    table,
    shown.tag_spread.length === 0 ? null : hint,
  );
}

function spreadMeter({ most, of }: ShownEvent['tag_spread'][number]): VNode {
  const named = most.map(({ value, events }) => `${replaceInvisible(value)} ${percent(events, of)}`);
  const rest = of - most.reduce((sum, { events }) => sum + events, 0);
  const counts = [...most.map(({ events }) => events), ...(rest > 0 ? [rest] : [])];
  return shareMeter(counts, named.join(', '));
}

/** The user is abbreviated by the model to protect privacy. */
function userPart(payload: EventPayload, shown: ShownEvent, context: PageContext, budget: RenderBudget) {
  const user = objectOrNull(payload['user']);
  const seen = shown.user_seen;
  if (user === null && seen === null) return null;
  const text = (name: string): Content =>
    scalarText(user?.[name]) === '' ? null : untrustedCode(scalarText(user?.[name]));
  const others = otherMembers(user, ['id', 'username', 'name', 'email', 'ip_address', 'geo', 'data']);
  return section(
    { id: 's-user', title: 'User' },
    nameValueList([
      ['ID', idLink(scalarText(user?.['id']), context)],
      ['Name', text('name')],
      ['User name', text('username')],
      ['E-mail', text('email')],
      ['Events', seen === null ? null : seenText(seen)],
      ['IP address', text('ip_address') ?? noneText('not stored')],
      ['Location', user?.['geo'] === undefined ? null : locationText(user['geo'], budget)],
      ['Data', user?.['data'] === undefined ? null : valueCode(user['data'], budget)],
      ...memberRows(others, budget),
    ]),
  );
}

/** To the page of the user; an id that is an address is masked, and finds nobody. */
function idLink(id: string, context: PageContext): Content {
  if (id === '') return null;
  const code = untrustedCode(id);
  return /[@…]/.test(id) ? code : pageLink(context, { path: '/users', query: { query: id } }, null, code);
}

/** `Cork, Munster, IE`. */
function locationText(sent: unknown, budget: RenderBudget): Content {
  const geo = objectOrNull(sent);
  const names = ['city', 'subdivision', 'region', 'country_code'];
  const texts = names.map((name) => scalarText(geo?.[name])).filter((word) => word !== '');
  const isWhole = texts.length > 0 && otherMembers(geo, names).length === 0;
  return isWhole ? untrustedText(texts.join(', ')) : valueCode(sent, budget);
}

function seenText({ events, among: sampleSize }: NonNullable<ShownEvent['user_seen']>): string {
  const eventsText = counted(events, 'event');
  return sampleSize === null
    ? `${eventsText} of this issue`
    : `${eventsText} of the issue's latest ${count(sampleSize)}`;
}

function failedPart({ failed_tests: found }: ShownEvent, context: PageContext): VNode | null {
  if (found === null) return null;
  const { test_run_id: id, failed, case: first } = found;
  const run = pageLink(context, `/test-runs/${id}`, null, `run ${id}`);
  const others = failed - 1;
  return section(
    { id: 's-tests', title: 'Tests of this release' },
    first === null
      ? html`<p>${counted(failed, 'test')} failed in ${run}.</p>`
      : html`<p>
        ${pageLink(context, `/test-runs/cases/${first.case_id}`, null, untrustedText(first.name))}
        ${others === 0 ? '' : ` and ${counted(others, 'other')}`} failed in ${run}.
      </p>`,
  );
}

export function moreSections(
  shown: ShownEvent,
  issueId: number,
  context: PageContext,
  budget: RenderBudget,
): Content[] {
  const payload = shown.event as EventPayload;
  const extra = takeFitting(toPairs(payload['extra']), budget, ([name]) => name.length);
  const modules = takeFitting(toPairs(payload['modules']), budget, sizeOf);
  const others = takeFitting(otherMembers(payload, shownMembers), budget, ([name]) => name.length);
  return [
    attachmentsPart(shown, issueId, context),
    extra.length === 0 ? null : section({ id: 's-extra', title: 'Extra' }, memberList(extra, budget)),
    modules.length === 0
      ? null
      : section(
          { id: 's-modules', title: 'Modules' },
          html`<details>
            <summary>${counted(modules.length, 'module')}</summary>
            ${nameValueList(modules.map(([name, each]) => [untrustedText(name), untrustedText(displayValue(each))] as const))}
          </details>`,
        ),
    others.length === 0 ? null : section({ id: 's-more', title: 'Other data' }, memberList(others, budget)),
    processingErrors(shown, budget),
  ];
}

function attachmentsPart({ event }: ShownEvent, issueId: number, context: PageContext): VNode | null {
  const { attachments, event_id: eventId } = event;
  if (attachments.length === 0) return null;
  const rows = attachments.map((each) => {
    const path = `/issues/${issueId}/events/${eventId}/attachments/${each.attachment_id}`;
    const isImage = imageTypes.test(each.content_type);
    return html`<li>
      ${pageLink(context, path, { download: true }, untrustedText(each.filename))}
      <span class="dim"> ${untrustedText(each.content_type)}, ${formatBytes(each.size)}</span>
      <p class="small dim">${untrustedText(each.attachment_type)}, SHA-256 ${untrustedCode(each.sha256)}</p>
      ${isImage ? picture(pageUrl(context, `${path}/image`), each.filename) : null}
    </li>`;
  });
  return section({ id: 's-files', title: 'Attachments' }, html`<ul class="ruled">${rows}</ul>`);
}

function picture(src: string, filename: string): VNode {
  return html`<img class="shot" src=${src} alt="Picture ${filename}" loading="lazy" />`;
}

/** What was removed for privacy, cut by limits, or unreadable. */
function processingErrors({ event }: ShownEvent, budget: RenderBudget): VNode | null {
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
            ${untrustedCode(error.name)} ${problemText(error.type)}
            ${error.value === undefined ? null : [' It was ', valueCode(error.value, budget)]}
          </li>`,
      ),
    ),
  );
}

function problemText(type: string): string {
  if (type === 'value_too_long') return 'was longer than the limit and was cut.';
  if (type === 'invalid_data') return 'could not be read and was left out.';
  return `was discarded: ${type.replaceAll('_', ' ')}.`;
}

function sizeOf([name, each]: readonly [string, unknown]): number {
  return name.length + displayValue(each).length;
}

function contextsPart(shown: ShownEvent, budget: RenderBudget): VNode {
  const contexts = takeFitting(
    toPairs((shown.event as EventPayload)['contexts']),
    budget,
    ([name]) => name.length,
  );
  const order = [...known.keys()];
  const rankOf = (name: string): number => (known.has(name) ? order.indexOf(name) : order.length);
  const sorted = contexts.toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  return section(
    { id: 's-ctx', title: 'Contexts' },
    nameValueList([
      ...sorted.map(([name, sent]) => contextRow(name, sent, budget)),
      ...eventFacts(shown, budget),
    ]),
  );
}

function contextRow(name: string, sent: unknown, budget: RenderBudget): readonly [Content, Content] {
  const [title, toText] = known.get(name) ?? [capitalize(name), joinedMembers('name', 'version')];
  const context = objectOrNull(sent);
  if (context === null) return [untrustedText(title), valueCode(sent, budget)];
  const { text, of } = toText(context);
  const rest = otherMembers(context, [...of, ...(context['type'] === name ? ['type'] : [])]);
  // No known member: show the whole object.
  if (text === '') return [untrustedText(title), valueCode(Object.fromEntries(rest), budget)];
  if (!takeCharacters(budget, text.length)) return [untrustedText(title), noneText('omitted')];
  return [untrustedText(title), rest.length === 0 ? untrustedText(text) : folded(text, rest, budget)];
}

function folded(text: string, rest: Pairs, budget: RenderBudget): VNode {
  return html`<details><summary>${untrustedText(text)}</summary>${memberList(rest, budget)}</details>`;
}

/** Values of these members, joined with spaces; only strings. */
function joinedMembers(...names: readonly string[]): ToText {
  return (context) => {
    const of = names.filter((name) => scalarText(context[name]) !== '');
    return { text: of.map((name) => scalarText(context[name])).join(' '), of };
  };
}

/** `Apple iPhone 15, 1536 × 864, 1.25×, 4 GB`. */
function deviceText(context: EventPayload): ReturnType<ToText> {
  const named = joinedMembers('manufacturer', 'brand', 'name', 'model')(context);
  const [width, height] = [context['screen_width_pixels'], context['screen_height_pixels']];
  const resolution = /^(\d+)\s*[x×]\s*(\d+)$/.exec(scalarText(context['screen_resolution']));
  const density = context['screen_density'];
  const memory = context['memory_size'];
  const texts: ReadonlyArray<readonly [text: string, of: readonly string[]]> = [
    [named.text, named.of],
    typeof width === 'number' && typeof height === 'number'
      ? [`${width} × ${height}`, ['screen_width_pixels', 'screen_height_pixels']]
      : [resolution === null ? '' : `${resolution[1]} × ${resolution[2]}`, ['screen_resolution']],
    [typeof density === 'number' ? `${density}×` : '', ['screen_density']],
    [typeof memory === 'number' && memory > 0 ? formatBytes(memory) : '', []],
  ];
  const shown = texts.filter(([text]) => text !== '');
  return { text: shown.map(([text]) => text).join(', '), of: shown.flatMap(([, of]) => of) };
}

function eventFacts(
  { event, received_after_ms: afterMs }: ShownEvent,
  budget: RenderBudget,
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
    ['SDK', sdkText(objectOrNull(payload['sdk']), budget)],
    ['Fingerprint', fingerprint === undefined ? null : valueCode(fingerprint, budget)],
    ['Event', untrustedCode(event.event_id)],
    [
      'Occurred',
      parseTimestampMs(payload['timestamp']) === null ? null : fullTime(scalarText(payload['timestamp'])),
    ],
    ['Received', receivedText(afterMs)],
  ];
}

function sdkText(sdk: EventPayload | null, budget: RenderBudget): Content {
  if (sdk === null) return null;
  const { text, of } = joinedMembers('name', 'version')(sdk);
  const rest = otherMembers(sdk, of);
  if (text === '') return valueCode(sdk, budget);
  return rest.length === 0 ? untrustedText(text) : folded(text, rest, budget);
}

function receivedText(ms: number): string {
  if (ms < -1000) return `${span(-ms)} before it occurred, by the sender's clock`;
  return `${span(Math.max(0, ms))} after it occurred`;
}
