// Where an event happened: its contexts, those that everybody knows in words, and what the event says of
// itself in a line.
import type { VNode } from 'preact';
import type { EventShown } from '../../core/workspace/issue/event.ts';
import {
  momentOf,
  type Pairs,
  type Payload,
  pairsIn,
  recordOf,
  restOf,
  textOf,
} from '../../core/workspace/issue/payload.ts';
import { type Content, html } from '../el.ts';
import { pairs, section } from '../parts/layout.ts';
import { fullTime } from '../parts/time.ts';
import { size } from '../words/numbers.ts';
import { span } from '../words/times.ts';
import { type Room, takes, thatFit } from './room.ts';
import { code, members, said, value } from './said.ts';

/** What a context says in words, and the members that are whole in them. */
interface Words {
  readonly text: string;
  readonly of: readonly string[];
}

type Wording = readonly [title: string, words: (context: Payload) => Words];

/** Of the many contexts that programs send, those that everybody knows come first. */
const known: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ['browser', ['Browser', plain('name', 'version')]],
  ['os', ['System', plain('name', 'version', 'build')]],
  ['client_os', ['System', plain('name', 'version', 'build')]],
  ['device', ['Device', deviceWords]],
  ['runtime', ['Runtime', plain('name', 'version')]],
  ['app', ['App', plain('app_name', 'app_version')]],
  ['culture', ['Language', plain('display_name', 'locale', 'timezone')]],
  ['gpu', ['Graphics', plain('vendor_name', 'name', 'version')]],
  ['trace', ['Trace', plain('op', 'status')]],
]);

/** The part at the right of an event. */
export function contextsPart(shown: EventShown, room: Room): VNode {
  const contexts = thatFit(pairsIn((shown.event as Payload)['contexts']), room, ([name]) => name.length);
  const order = [...known.keys()];
  const place = (name: string): number => (known.has(name) ? order.indexOf(name) : order.length);
  const sorted = contexts.toSorted(([one], [other]) => place(one) - place(other));
  return section(
    { id: 's-ctx', title: 'Contexts' },
    pairs([...sorted.map(([name, sent]) => contextRow(name, sent, room)), ...ofItself(shown, room)]),
  );
}

function contextRow(name: string, sent: unknown, room: Room): readonly [Content, Content] {
  const [title, words] = known.get(name) ?? [capital(name), plain('name', 'version')];
  const context = recordOf(sent);
  if (context === null) return [said(title), value(sent, room)];
  const { text, of } = words(context);
  const rest = restOf(context, [...of, ...(context['type'] === name ? ['type'] : [])]);
  // Nothing in it has a name: it stands there as it is.
  if (text === '') return [said(title), value(Object.fromEntries(rest), room)];
  if (!takes(room, text.length)) return [said(title), html`<span class="dim">left out here</span>`];
  return [said(title), rest.length === 0 ? said(text) : folded(text, rest, room)];
}

/** A line that opens for what else is known. */
function folded(text: string, rest: Pairs, room: Room): VNode {
  return html`<details><summary>${said(text)}</summary>${members(rest, room)}</details>`;
}

/** The members named, one after the other, where they are texts. */
function plain(...names: readonly string[]): (context: Payload) => Words {
  return (context) => {
    const of = names.filter((name) => textOf(context[name]) !== '');
    return { text: of.map((name) => textOf(context[name])).join(' '), of };
  };
}

/** `Apple iPhone 15, 1536 × 864, 1.25×, 4 GB`. */
function deviceWords(context: Payload): Words {
  const named = plain('manufacturer', 'brand', 'name', 'model')(context);
  const [width, height] = [context['screen_width_pixels'], context['screen_height_pixels']];
  const resolution = /^(\d+)\s*[x×]\s*(\d+)$/.exec(textOf(context['screen_resolution']));
  const density = context['screen_density'];
  const memory = context['memory_size'];
  const parts: ReadonlyArray<readonly [text: string, of: readonly string[]]> = [
    [named.text, named.of],
    typeof width === 'number' && typeof height === 'number'
      ? [`${width} × ${height}`, ['screen_width_pixels', 'screen_height_pixels']]
      : [resolution === null ? '' : `${resolution[1]} × ${resolution[2]}`, ['screen_resolution']],
    [typeof density === 'number' ? `${density}×` : '', ['screen_density']],
    [typeof memory === 'number' && memory > 0 ? size(memory) : '', []],
  ];
  const told = parts.filter(([text]) => text !== '');
  return { text: told.map(([text]) => text).join(', '), of: told.flatMap(([, of]) => of) };
}

/** What the event says of itself. */
function ofItself({ event, received_after_ms: afterMs }: EventShown, room: Room): Array<[Content, Content]> {
  const payload = event as Payload;
  const text = (sent: unknown): Content => (textOf(sent) === '' ? null : said(textOf(sent)));
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
    ['Kind', ['default', 'error'].includes(textOf(payload['type'])) ? null : text(payload['type'])],
    ['Domain', text(event.domain)],
    ['Site', text(payload['site'])],
    ['SDK', sdkWords(recordOf(payload['sdk']), room)],
    ['Fingerprint', fingerprint === undefined ? null : value(fingerprint, room)],
    ['Event', code(event.event_id)],
    ['Happened', momentOf(payload['timestamp']) === null ? null : fullTime(textOf(payload['timestamp']))],
    ['Received', receivedWords(afterMs)],
  ];
}

function sdkWords(sdk: Payload | null, room: Room): Content {
  if (sdk === null) return null;
  const { text, of } = plain('name', 'version')(sdk);
  const rest = restOf(sdk, of);
  if (text === '') return value(sdk, room);
  return rest.length === 0 ? said(text) : folded(text, rest, room);
}

function receivedWords(ms: number): string {
  if (ms < -1000) return `${span(-ms)} before it happened, by the sender's clock`;
  return `${span(Math.max(0, ms))} after it happened`;
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
