// Random schemas with values that have a chance to fit them, as JSON texts so that 1 and 1.0 stay apart.

/** Draws from a fixed sequence: the same seed, the same draws. */
export type Draw = { readonly below: (limit: number) => number; readonly one: <T>(from: readonly T[]) => T };

/** A draw by the generator "mulberry32". */
export function drawFrom(seed: number): Draw {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, one: (from) => from[below(from.length)] as never };
}

const texts = [
  '',
  'a',
  'ab',
  'abc',
  'b',
  'x',
  '0',
  '1',
  '5',
  '1.0',
  '1.5',
  '-3',
  ' 7 ',
  '7\n',
  '1e3',
  '1e400',
  '0x1',
  'true',
  'FALSE',
  'no',
  'a,b',
  'a, b,,c',
  '1,2',
  '1 2',
  '9223372036854775808',
  '-0',
  '#fff',
  '#ABCDEF',
  '#ffff',
  'a@b.co',
  'a@b.c',
  '2016-06-30T05:43:21Z',
  '2016-06-30 25:00:00',
  '2016-02-31T10:00:00+05:30',
  '127.0.0.1',
  '::1',
  '1::2::3',
  '123e4567-e89b-12d3-a456-426655440000',
  'http://x.y/a b',
  'javascript:x',
  'é',
  '🚀',
  '<b>x</b> y',
  'x < y',
  '%41x',
  'a\n b',
  'null',
  '[]',
  '{}',
];
const numbers = [
  '0',
  '1',
  '2',
  '3',
  '5',
  '10',
  '-1',
  '-0.0',
  '0.0',
  '1.0',
  '2.0',
  '0.5',
  '1.5',
  '2.5',
  '0.1',
  '0.3',
  '1e3',
  '1e18',
  '1e19',
  '1e30',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '1e400',
];
const names = ['a', 'b', 'c', 'foo', '0', '1', 'x-y'];
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];
const formats = [
  'date-time',
  'email',
  'ip',
  'uuid',
  'uri',
  'hex-color',
  'text-field',
  'textarea-field',
  'hostname',
];
const patterns = [
  '^[a-z]+$',
  'a',
  '^.$',
  '\\d',
  '\\w+\\s',
  '^[^a]*$',
  '#',
  'é',
  '[[:alpha:]]',
  '(a|b)c',
  '^$',
  '(',
];
const bounds = ['0', '1', '2', '3', '5', '0.5', '1.0', '-1', '2.5', '1e3', '9223372036854775807'];
const counts = ['0', '1', '2', '3', '8192'];
const json = (text: string) => JSON.stringify(text);

/** A random value as JSON text. */
export function valueText(draw: Draw, depth = 3): string {
  const kind = depth === 0 ? 0 : draw.below(9);
  if (kind < 3) return json(draw.one(texts));
  if (kind < 4) return draw.one(numbers);
  if (kind < 5) return draw.one(['true', 'false', 'null']);
  const count = draw.below(4);
  if (kind < 7) return list(count, () => valueText(draw, depth - 1));
  return object(count, () => [draw.one(names), valueText(draw, depth - 1)]);
}

/**
 * A random schema as JSON text: each type mostly with the keywords that matter to it, sometimes with others.
 */
export function schemaText(draw: Draw, depth = 2): string {
  const members: Array<[string, string]> = [];
  const inner = () => (depth === 0 ? `{"type":${json(draw.one(types))}}` : schemaText(draw, depth - 1));
  const kind = draw.below(10);
  if (kind !== 0) members.push(['type', typeText(draw)]);
  if (depth > 0 && kind < 3) members.push([draw.one(['anyOf', 'oneOf']), list(1 + draw.below(3), inner)]);
  for (const [name, make] of Object.entries(keywords)) {
    if (draw.below(100) < 18) members.push([name, make(draw, inner)]);
  }
  return object(members.length, (index) => members[index] ?? ['type', '"string"']);
}

function typeText(draw: Draw): string {
  const kind = draw.below(12);
  if (kind < 8) return json(draw.one(types));
  if (kind < 11) return list(1 + draw.below(3), () => json(draw.one([...types, ...types, 'odd'])));
  return json(draw.one(['str', 'lalala']));
}

type Keyword = (draw: Draw, inner: () => string) => string;

const flag: Keyword = (draw) => draw.one(['true', 'false']);
const bound: Keyword = (draw) => draw.one(bounds);
const count: Keyword = (draw) => draw.one(counts);
const scalar: Keyword = (draw) =>
  draw.below(2) === 0 ? json(draw.one(texts)) : draw.one([...numbers, 'true', 'null', '[1]']);

const keywords: Readonly<Record<string, Keyword>> = {
  title: (draw) => json(draw.one(['circle', 'square'])),
  enum: (draw) => list(draw.below(5), () => scalar(draw, String)),
  format: (draw) => json(draw.one(formats)),
  minimum: bound,
  maximum: bound,
  multipleOf: (draw) => draw.one(['1', '2', '0.1', '0.5', '3']),
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  minLength: count,
  maxLength: count,
  pattern: (draw) => json(draw.one(patterns)),
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  items: (_draw, inner) => inner(),
  properties: (draw, inner) => object(draw.below(4), () => [draw.one(names), inner()]),
  minProperties: count,
  maxProperties: count,
  patternProperties: (draw, inner) =>
    object(draw.below(3), () => [draw.one(['^a', '[0-9]', 'o+', '^x-']), inner()]),
  additionalProperties: (draw, inner) => (draw.below(2) === 0 ? draw.one(['true', 'false']) : inner()),
  required: (draw) => (draw.below(2) === 0 ? 'true' : list(draw.below(3), () => json(draw.one(names)))),
};

function list(count: number, make: () => string): string {
  return `[${Array.from({ length: count }, make).join(',')}]`;
}

function object(count: number, make: (index: number) => [string, string]): string {
  const members = Array.from({ length: count }, (_, index) => make(index));
  return `{${members.map(([name, text]) => `${json(name)}:${text}`).join(',')}}`;
}

/** The parts from which texts for each cleaning and checking function are put together. */
export const textParts = {
  sanitize_text_field: [
    '<',
    '>',
    'a',
    ' ',
    '\n',
    '\t',
    '%',
    '%41',
    '1',
    '<script>',
    '</script>',
    '<b>',
    '&',
    '&amp;',
    '&foo;',
    '"',
    "'",
    'é',
    '\0',
    '<!--',
    '-->',
  ],
  sanitize_textarea_field: [
    '<',
    '>',
    'a',
    '  ',
    '\n',
    '\r\n',
    '%4',
    '1',
    '<style',
    '</STYLE>',
    '</b>',
    '&lt;',
    '"',
    'é',
    '<\n',
  ],
  sanitize_url: [
    'http',
    'https',
    ':',
    '//',
    '/',
    'a.b',
    '[',
    '::1',
    ']',
    '@',
    '?',
    '#',
    '&',
    '&#58;',
    '%20',
    ' ',
    '%0',
    'd',
    'javascript:',
    'mailto:',
    'feed:',
    'HTTP:',
    'é',
    '"',
    '<',
    '.php',
    '8080',
    ';//',
    ';',
  ],
  is_email: [
    'a',
    'b',
    '@',
    '.',
    '-',
    'example',
    'co',
    '+',
    ' ',
    '\n',
    'é',
    '..',
    '@x.y',
    'A1',
    '_',
    "'",
    '"',
  ],
  rest_is_ip_address: [
    '1',
    '0',
    '255',
    '256',
    '.',
    ':',
    '::',
    'ffff',
    'FFFF',
    '01',
    '127.0.0.1',
    '1:2:3:4:5:6:7:8',
    'g',
    '%',
    '[',
    '\n',
  ],
} as const;

/** A random text of up to nine parts. */
export function textFrom(draw: Draw, parts: readonly string[]): string {
  return Array.from({ length: draw.below(10) }, () => draw.one(parts)).join('');
}
