// What the plugin's route /_out/… answers, case by case.
import { PhpFloat, PhpObject, type PhpValue } from '../../../src/wordpress/php/values.ts';
import { RestResponse } from '../../../src/wordpress/response/rest-response.ts';
import { WpError } from '../../../src/wordpress/response/wp-error.ts';

type RestUrl = (route: string) => string;
type Output = PhpValue | RestResponse | WpError;

/** The answer of a case; the plugin's own error for one it does not know. */
export function output(name: string, restUrl: RestUrl): Output {
  const make = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  return make === undefined ? unknownCase() : make(restUrl);
}

export function unknownCase(): WpError {
  return new WpError('notifier_unknown_case', 'Unknown case.', { status: 404 });
}

const float = (value: number): PhpFloat => new PhpFloat(value);
const pairs = (...entries: Array<[string, PhpValue]>): Map<string, PhpValue> => new Map(entries);

function item(id: number): PhpValue {
  return {
    id,
    name: `item ${id}`,
    nested: { a: 1, b: { c: 2, d: 3 } },
    list: [
      { p: 1, q: 2 },
      { p: 3, q: 4 },
    ],
  };
}

/** A value `depth` lists deep. */
function nested(depth: number): PhpValue {
  let value: PhpValue = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const scalars: Record<string, () => Output> = {
  floats: () =>
    [
      0.1,
      1,
      0,
      -0,
      1.5,
      1e3,
      1e15,
      1e17,
      1e21,
      1e22,
      1e100,
      1e-7,
      1e-10,
      0.00001,
      0.0001,
      // An integer among the floats, as the plugin has it.
      123456789012345678n,
      1.7976931348623157e308,
      5e-324,
      0.1 + 0.2,
      100,
      1e14,
      123456789.12345678,
      3e-5,
      2.5e25,
    ].map((each) => (typeof each === 'bigint' ? each : float(each))),
  ints: () => [
    0,
    0,
    1,
    -1,
    2n ** 63n - 1n,
    -(2n ** 63n),
    float(2 ** 63),
    '9223372036854775807',
    '1',
    float(1),
  ],
  strings: () => [
    '',
    'a/b',
    'a\\b',
    '"q"',
    "'",
    '&',
    '<b>',
    '\t\n\r\x08\x0c\x0b\x00\x1f\x7f',
    '\u0080\u009f\u00a0',
    '\u2028\u2029',
    'é',
    '日本',
    '\uffff',
    '\ufffd',
    '🚀',
    'e\u0301',
    '\ufeff',
    'http://a/b?c=d&e=f',
    '</script>',
  ],
  null: () => null,
  false: () => false,
  true: () => true,
  zero: () => 0,
  string: () => 'just a string',
  'empty-string': () => '',
  float: () => float(1),
  nan: () => ({ v: float(Number.NaN) }),
  inf: () => ({ v: float(Number.POSITIVE_INFINITY) }),
  // Bytes that are not UTF-8 travel as lone surrogates: 0xff as U+DCFF.
  'bad-utf8': () => pairs(['v', 'a\udcffb'], ['k\udcfe', 'é']),
  'bad-utf8-deep': () => ({ n: { v: '\udcc3(' }, o: new PhpObject(pairs(['p', 'x\udc80'])) }),
};

const structures: Record<string, (restUrl: RestUrl) => Output> = {
  empties: () => ({
    array: [],
    object: new PhpObject(),
    null: null,
    false: false,
    true: true,
    string: '',
    nested: [[], new PhpObject(), [[]]],
  }),
  keys: () =>
    pairs(
      ['list', ['a', 'b']],
      ['from1', pairs(['1', 'a'], ['2', 'b'])],
      ['gap', pairs(['0', 'a'], ['2', 'b'])],
      ['swapped', pairs(['1', 'b'], ['0', 'a'])],
      ['numeric_strings', ['a', 'b']],
      ['mixed', pairs(['0', 'a'], ['k', 'v'])],
      ['neg', pairs(['-1', 'x'])],
      ['emptykey', pairs(['', 'e'])],
      ['é"/', 1],
    ),
  'empty-array': () => [],
  'empty-object': () => new PhpObject(),
  item: () => item(1),
  'scalars-list': () => [1, 2, 3],
  'deep-600': () => nested(600),
  'deep-511': () => ({ v: 1, deep: nested(511) }),
  date: () => ({ d: { date: '2026-01-02 03:04:05.678000', timezone_type: 3, timezone: 'UTC' } }),
  jsonserializable: () => new PhpObject(pairs(['serialized', true])),
  object: () => new PhpObject(pairs(['b', 1], ['a', new PhpObject()])),
  closure: () => ({ f: new PhpObject() }),
  'code-like': () => ({ code: 'x', message: 'y', data: { status: 418 } }),
  items: (restUrl) =>
    new RestResponse([item(1), item(2)])
      .header('X-WP-Total', 2)
      .header('X-WP-TotalPages', 1)
      .linkHeader('next', restUrl('notifier/v1/_out/items?page=2')),
  links: (restUrl) =>
    new RestResponse(item(1))
      .addLink('self', restUrl('notifier/v1/_out/links'))
      .addLink('up', restUrl('notifier/v1/_out/item'), { embeddable: true })
      .addLink('help', 'https://example.org/a?b=c&d'),
  'links-missing': (restUrl) =>
    new RestResponse(item(1))
      .addLink('up', restUrl('notifier/v1/_out/nothing-here-404'), { embeddable: true })
      .addLink('other', restUrl('notifier/v1/_error/429'), { embeddable: true }),
};

const statuses: Record<string, (restUrl: RestUrl) => Output> = {
  'status-201': (restUrl) =>
    new RestResponse({ created: true }, 201, [['Location', restUrl('notifier/v1/_out/item')]]),
  'status-202': () => new RestResponse({ accepted: true }, 202),
  'status-204': () => new RestResponse({ dropped: true }, 204),
  'status-204-null': () => new RestResponse(null, 204),
  'status-304': () => new RestResponse(null, 304),
  'status-418': () => new RestResponse({ tea: true }, 418),
  'status-499': () => new RestResponse({ odd: true }, 499),
  'status-500': () => new RestResponse({ bad: true }, 500),
  headers: () =>
    new RestResponse({ h: 1 }, 200, [
      ['x-lower', 'v'],
      ['X-Newline', 'a\nb'],
      ['X-Int', 5],
      ['Cache-Control', 'max-age=60'],
      ['Content-Type', 'text/plain'],
      ['X-Utf', 'é'],
    ]),
  'http-response': () => new RestResponse({ plain: true }, 203, [['X-Plain', '1']]),
};

const outputs: Record<string, (restUrl: RestUrl) => Output> = { ...scalars, ...structures, ...statuses };
