// Hunts for the light event that holds the main thread longest: `node tests/bench/hunt.ts [seconds] [seed]`.
// Pieces of text are repeated in many places of an event, and what takes long is changed a little and tried
// again. What it finds belongs into tests/support/heavy-events.ts.

import { finishEvent, readEvent } from '../../src/core/events/prepare.ts';
import type { EventFacts } from '../../src/core/ports/readings.ts';
import { lightest } from '../support/heavy-events.ts';
import { mebibyte } from '../support/wide-json.ts';
import { ownMs } from './own-time.ts';
import { benignParseMs } from './turns.ts';

const list = (words: string): string[] => words.trim().split(/\s+/);
const words = [
  ...list(`auth password PASSWORD pwd token api_key secret key code session cookie Cookie Bearer Basic hunter2 a x 1
    4111 AKIAIOSFODNN7EXAMPLE ghp_ set to is the user name login passphrase mnemonic nonce sig Authorization curl
    -u -p --password mysql export VALUES Key Symbol reset пароль 密码 string(5) <<<EOT &quot; %3D %22 %2525 \\n
    http:// https://a:b@c/ ?token= &key= # // -- eyJ deadbeef 12 2024-01-01 !!binary Optional[ Some( pin cvv
    params: bindings: select update where insert chr creds PASS 192.168.1.1 2001:db8::1 a@b.cc é 😀 → .js:1:1`),
  'IDENTIFIED BY',
  'INSERT INTO',
  'mot de passe',
  '-----BEGIN PRIVATE KEY-----',
  'File "a.py", line 1',
  'new X(',
  '"""',
];
const signs =
  list(`( ) [ ] { } = == => : :: , ; & ? . .. - / \\ " ' \` < > </ /> | ! @ # $ % ^ * + ~ _ -> := (' (" ="
  =' ":" \\":\\"`).concat([' ', '  ', '\n', '\n  ', '\t', ', ', ': ', ' - ', '": "', "' => '", ' "']);

/** What is repeated, in which place of an event, and how long one text of it is. */
interface Try {
  readonly unit: string;
  readonly place: string;
  readonly chars: number;
}

type Place = (text: (chars: number) => string, chars: number, count: number) => unknown;
const times = <Kind>(count: number, make: (index: number) => Kind): Kind[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));
const named = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(times(count, (index) => [`k${index}`, make(index)]));
const stack = (count: number, frame: (index: number) => unknown): unknown => ({
  exception: [{ type: 'E', value: 'x', stacktrace: { frames: times(count, frame) } }],
});

const places: Readonly<Record<string, Place>> = {
  extra: (text, chars, count) => ({ message: text(7_000), extra: named(count, () => text(chars)) }),
  parameters: (text, chars, count) => ({
    logentry: { message: text(8_000), params: times(count, () => text(chars)) },
  }),
  variables: (text, chars, count) => stack(count, () => ({ filename: 'a', vars: { a: text(chars) } })),
  breadcrumbs: (text, chars, count) => ({
    message: 'x',
    breadcrumbs: times(count, () => ({ message: text(chars), data: { url: text(200) } })),
  }),
  source: (text, chars, count) =>
    stack(count, () => ({ context_line: text(chars), pre_context: [text(chars)] })),
  settings: (text, chars, count) => stack(count, () => ({ filename: 'a.yml', context_line: text(chars) })),
  tags: (text, chars, count) => ({ message: 'x', tags: named(count, () => text(Math.min(200, chars))) }),
  body: (text, chars, count) => ({
    message: 'x',
    request: { url: `https://a.example/?${text(1_000)}`, data: text(chars * count), cookies: text(chars) },
  }),
  values: (text, chars, count) => ({
    exception: times(count, () => ({ type: text(100), value: text(chars) })),
  }),
  frames: (text, chars, count) =>
    stack(count, () => ({ filename: text(chars), function: text(chars), module: text(chars), lineno: 1 })),
  headers: (text, chars, count) => ({ message: 'x', request: { headers: named(count, () => text(chars)) } }),
  keys: (text, chars, count) => ({
    message: 'x',
    extra: Object.fromEntries(times(count, (index) => [`${text(Math.min(200, chars))}${index}`, 1])),
  }),
  nested: (text, chars, count) => ({
    message: 'x',
    extra: named(count, () => ({ [text(20)]: [text(chars)] })),
  }),
};
const lengths = [10, 20, 40, 120, 250, 1_000, 2_000, 8_000];

const seconds = Number(process.argv[2] ?? 60);
let seed = Number(process.argv[3] ?? 1);
const kept = 60;
const shown = 20;

function random(): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >>> 8) / 0x800000;
}

function pick<Kind>(from: readonly Kind[]): Kind {
  return from[Math.floor(random() * from.length)] as Kind;
}

function madeTry(): Try {
  const pieces = times(1 + random() * 4, () => pick(words) + (random() < 0.8 ? pick(signs) : ''));
  return { unit: pieces.join(''), place: pick(Object.keys(places)), chars: pick(lengths) };
}

function changed(one: Try): Try {
  const at = Math.floor(random() * (one.unit.length + 1));
  const piece = random() < 0.5 ? pick(words) : pick(signs);
  const way = random();
  if (way < 0.2) return { ...one, place: pick(Object.keys(places)) };
  if (way < 0.4) return { ...one, chars: pick(lengths) };
  const rest = one.unit.slice(at);
  const shorter = one.unit.slice(0, at) + rest.slice(1 + random() * 3);
  if (way < 0.6) return { ...one, unit: shorter === '' ? 'a' : shorter };
  return { ...one, unit: (one.unit.slice(0, at) + piece + rest).slice(0, 200) };
}

function bodyOf({ unit, place, chars }: Try): Buffer {
  const text = (length: number): string =>
    unit
      .repeat(Math.ceil(length / unit.length))
      .slice(0, Math.floor(length))
      .toWellFormed();
  return lightest((bytes) => JSON.stringify((places[place] as Place)(text, chars, bytes / (chars + 8))));
}

const facts = {
  receivedAtMs: Date.now(),
  envelopeEventId: null,
  newEventId: 'a'.repeat(32),
  sentAtMs: null,
  userAgent: '',
  clientAddress: '',
  project: { id: 1, groupingVersion: 'ng2', scrubFields: [], storeIpAddresses: false },
  userHashKey: null,
} as unknown as EventFacts;

function leastMs(body: Buffer, tries: number): number {
  const turns = times(tries, () => {
    const raw: unknown = JSON.parse(body.toString());
    const begunMs = ownMs();
    finishEvent(readEvent(raw, facts), { needsMapping: false }, facts);
    return ownMs() - begunMs;
  });
  return Math.min(...turns.filter((ms) => ms > 0));
}

let found: Array<{ readonly one: Try; readonly ms: number }> = [];
const endMs = Date.now() + seconds * 1_000;
while (Date.now() < endMs) {
  const one = found.length < kept || random() < 0.4 ? madeTry() : changed(pick(found).one);
  const ms = leastMs(bodyOf(one), 3);
  const alike = found.filter((each) => each.one.unit === one.unit);
  if (alike.some((each) => each.ms >= ms)) continue;
  found = [...found.filter((each) => each.one.unit !== one.unit), { one, ms }];
  found = found.toSorted((first, second) => second.ms - first.ms).slice(0, kept);
}
const parseMs = benignParseMs(mebibyte);
for (const { one } of found.slice(0, shown)) {
  const ms = leastMs(bodyOf(one), 9);
  const told = [
    ms.toFixed(1),
    `${(ms / parseMs).toFixed(1)}x`,
    one.place,
    one.chars,
    JSON.stringify(one.unit),
  ];
  process.stdout.write(`${told.join('\t')}\n`);
}
