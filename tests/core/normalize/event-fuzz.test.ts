import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizedEvent } from '../../../schemas/event.ts';
import { parseEnvelope } from '../../../src/core/envelopes/parse-envelope.ts';
import { RestError } from '../../../src/core/errors.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { parseItemJson } from '../../../src/core/parsing/item-json.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';
import { endless } from '../../support/endless.ts';
import { anyEvent, context } from '../../support/events.ts';
import { openCounter } from '../../support/operations.ts';
import { shared } from '../../support/shared.ts';
import { allOrSome, inFull, rows, runs } from '../../support/test-level.ts';
import { codePointText } from '../../support/texts.ts';
import { options, wholePath } from './whole-path.ts';

/** Many runs on a machine that does other things meanwhile. */
const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const fingerprints = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

function envelopePath(bytes: Buffer): void {
  try {
    for (const item of parseEnvelope(bytes).items) {
      if (item.type === 'event') wholePath(parseItemJson(item.payload));
    }
  } catch (error) {
    if (!(error instanceof RestError) || error.status !== 400) throw error;
  }
}

const header = fc.oneof(
  fc.constantFrom(
    '{}',
    '{"type":"event"}',
    '{"type":"attachment","length":3}',
    '{"type":"event","length":2}',
    '{"length":-1}',
    '[]',
    '',
  ),
  fc
    .record(
      { type: fc.constantFrom('event', 'x'), length: fc.oneof(fc.nat(40), fc.jsonValue()) },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('{}', '{"message":"x"}', '\r', '', '{"__proto__":{"a":1}}'),
);
const envelope = fc.oneof(
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.tuple(header, payload, fc.constantFrom('\n', '\n\n', '', '\r\n')), { maxLength: 4 })
    .map((items) =>
      Buffer.from(`{}\n${items.map(([line, body, end]) => `${line}\n${body}${end}`).join('')}`, 'latin1'),
    ),
);

const times = {
  envelopes: runs(4_000),
  types: runs(240),
  events: runs(800),
  texts: runs(800),
};

describe('fuzzing', () => {
  it(`the envelope parser: ${times.envelopes} runs`, () => {
    const before = fingerprints();
    fc.assert(fc.property(envelope, envelopePath), { numRuns: times.envelopes });
    expect(fingerprints()).toEqual(before);
  });

  it(`every known field has its type, and reading twice changes nothing: ${times.types} runs`, () => {
    const keepsItsWord = (raw: unknown) => {
      const { event } = normalizeEvent(raw, context);
      expect(normalizedEvent.safeParse(event).error?.issues ?? []).toEqual([]);
      expect(normalizeEvent(event, context).event).toEqual(event);
      const clean = scrubEvent(event, options).event;
      expect(normalizedEvent.safeParse(clean).error?.issues ?? []).toEqual([]);
      expect(JSON.stringify(scrubEvent(clean, options).event)).toBe(JSON.stringify(clean));
    };
    fc.assert(fc.property(anyEvent, keepsItsWord), { numRuns: times.types });
  });

  it(`the path of an event: ${times.events + times.texts} runs`, () => {
    const before = fingerprints();
    const anything = fc.oneof(anyEvent, fc.jsonValue({ maxDepth: 6 }));
    fc.assert(fc.property(anything, wholePath), { numRuns: times.events });
    fc.assert(
      fc.property(fc.oneof(fc.string(), codePointText({ maxLength: 80 })), (text) => void scrubText(text)),
      {
        numRuns: times.texts,
      },
    );
    expect(fingerprints()).toEqual(before);
  });
});

describe('growth', () => {
  const kib = 1024;
  const fill = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
  const wide = (bytes: number, entry: (index: number) => [string, unknown]) => {
    const source: Record<string, unknown> = {};
    for (let index = 0, left = bytes; left > 0; index += 1) {
      const [key, value] = entry(index);
      source[key] = value;
      left -= key.length + JSON.stringify(value).length + 4;
    }
    return source;
  };
  const frames = (bytes: number, unit: string) =>
    Array.from({ length: Math.ceil(bytes / 600) }, () => ({
      function: fill(unit, 200),
      filename: fill(unit, 200),
      context_line: fill(unit, 100),
      vars: { a: fill(unit, 80) },
    }));

  const units = [
    'a',
    'a=',
    '4111 ',
    'password=',
    'eyJ',
    '-----BEGIN ',
    'a@',
    '"',
    '\\"',
    '::',
    '1.',
    '<a>',
    '{',
    '/a',
    "undefined is not an object (evaluating '",
    '12:',
    'aB1-',
    ' ',
    '😀',
    // Beginnings of every form that scrubbing knows.
    'password=[',
    'token_type=[',
    'password="',
    'password = "a\\"',
    '"password",',
    'password|a\n',
    'a,password\n',
    's:8:"password";s:9:"',
    '<password>',
    '<input name="password" value="',
    'password: |\n  ',
    'login("a",',
    'auth(',
    'auth(a,',
    'api_key0',
    'code=a;',
    "'password', 'x' ",
    '(',
    'mysql -p',
    'echo a | sudo -S ',
    '/reset/a1',
    '?code=a&state=b&',
    'a:b@',
    'insert into a (password) values (a),',
    'password is ',
    '-----END RSA PRIVATE KEY-----',
    'AAAA\n-----END RSA PRIVATE KEY-----',
    'Private-Lines: 1\nA',
    '\\u0070',
    '%70',
    '&#112;',
    '$2y$10$',
    'name=password;value=',
    '[Filtered]',
    'password=[Filtered',
    'PASSWORD ',
    'password%3D',
  ];
  const shapes: Array<[string, (bytes: number) => unknown]> = [
    ...units.map((unit): [string, (bytes: number) => unknown] => [
      `text of ${JSON.stringify(unit)}`,
      (bytes) => ({
        message: fill(unit, bytes / 4),
        platform: 'javascript',
        extra: wide(bytes / 2, (index) => [`k${index}`, fill(unit, 8000)]),
        exception: [
          {
            type: fill(unit, bytes / 8),
            value: fill(unit, bytes / 8),
            stacktrace: { frames: frames(bytes / 4, unit) },
          },
        ],
      }),
    ]),
    [
      'many keys',
      (bytes) => ({
        extra: wide(bytes, (index) => [`key${index}`, index]),
        tags: wide(bytes / 4, (index) => [`t${index}`, 'v']),
      }),
    ],
    ['many unknown fields', (bytes) => wide(bytes, (index) => [`password${index}`, 'x'])],
    [
      'nested lists',
      (bytes) => ({
        extra: { a: Array.from({ length: bytes / 8 }, () => [[]]) },
        contexts: { a: { b: Array.from({ length: bytes / 8 }, () => ({})) } },
      }),
    ],
    [
      'many breadcrumbs',
      (bytes) => ({
        breadcrumbs: Array.from({ length: bytes / 40 }, () => ({ message: 'token=x', data: { a: 1 } })),
      }),
    ],
    [
      'many exceptions',
      (bytes) => ({
        exception: Array.from({ length: bytes / 40 }, () => ({ type: 'E', value: 'x is null' })),
      }),
    ],
    ['many errors', (bytes) => ({ fingerprint: Array.from({ length: bytes / 4 }, () => ({})) })],
  ];

  const growthMax = 6;

  const counter = shared(() => openCounter(import.meta.resolve('./whole-path.ts')));

  inFull(it).each(rows(() => allOrSome(shapes, 24)))('is linear for %s', async (_name, shape) => {
    const least = 64 * kib;
    const [small, large] = [shape(least), shape(4 * least)];
    // What is remembered of one event is no work with the next.
    await counter.operationsOf('wholePath', large);
    const done = await counter.operationsOf('wholePath', small);
    expect((await counter.operationsOf('wholePath', large)) / done).toBeLessThanOrEqual(growthMax);
  });

  it.each(['\n', '{}\n', '{"type":"a"}\n', '{"type":"a","length":0}\n', '{"a":', '"'])(
    'ends for envelopes of %p',
    (unit) => {
      expect(() => envelopePath(Buffer.from(`{}\n${endless(unit)}`))).not.toThrow();
    },
  );

  it.each(rows(() => allOrSome(units, 16)))('ends for feedback of %p', (unit) => {
    expect(() => scrubText(endless(unit))).not.toThrow();
  });
});
