import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeJson } from '../../src/wordpress/php/json-decode.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { codePointText, graphemeText } from '../support/texts.ts';
import { askPhp, dumpValue } from './php-oracle.ts';

describeWithPrograms('decodeJson beside PHP', ['php'], (programs) => {
  const verdict = `
    $value = json_decode($input, true);
    $code = json_last_error();
    return $code === 0 ? dump($value) : "error $code " . json_last_error_msg();`;

  it('reads 10,000 bodies as PHP does', () => {
    const bodies = fc.sample(body, { numRuns: 10_000, seed: 20_260_821 });
    const answers = askPhp(programs['php'] ?? '', verdict, bodies);
    const differences = bodies.flatMap((bytes, index) => {
      const decoded = decodeJson(bytes);
      const ours = decoded.ok ? dumpValue(decoded.value) : `error ${decoded.code} ${decoded.message}`;
      return ours === answers[index]
        ? []
        : [{ body: Buffer.from(bytes).toString('latin1').slice(0, 200), ours, php: answers[index] }];
    });
    expect(differences.slice(0, 5)).toEqual([]);
    expect(answers).toHaveLength(10_000);
    // The generator has to reach every outcome, or the comparison proves little.
    for (const code of [1, 2, 3, 4, 5, 10]) {
      expect(answers.filter((answer) => answer.startsWith(`error ${code} `)).length).toBeGreaterThan(20);
    }
    expect(answers.filter((answer) => !answer.startsWith('error')).length).toBeGreaterThan(2_000);
  });
});

const numberText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1.0',
    '1e3',
    '1E-7',
    '1e400',
    '-1e400',
    '1e-400',
    '01',
    '+1',
    '.5',
    '5.',
    '-',
    '1e',
    '0x1',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '123456789012345678901234567890',
    '1700000000.123',
    '123456789012345.0000000001',
    '1.00000000000000000001',
    '0.99999999999999999999',
    '4503599627370497.5',
    '9007199254740991.5',
    '5e-324',
    '1.7976931348623157e308',
    'NaN',
    'Infinity',
    '2.5e25',
    '1e22',
    '0.1',
    '100000000000000000000.5',
  ),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc.integer().map(String),
);

const stringText = fc.oneof(
  graphemeText({ maxLength: 12 }).map((text) => JSON.stringify(text)),
  codePointText({ maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\\ud83d"',
    '"\\ud83d\\ude80"',
    '"\\ude80"',
    '"\\ud83d\\u0041"',
    '"\\u12"',
    '"\\uD83"',
    '"\\x"',
    '"\\',
    '"abc',
    '"\\/"',
    '"\\u0000a"',
    '"a\nb"',
    '"\x7f"',
    '"\u00a0"',
    '"\ufeff"',
    '"\\uDBFF\\uDFFF"',
    '"\\u00e9"',
    '"1.0"',
    '"\\ud7ff"',
    '"\\ue000"',
  ),
);

const nameText = fc.oneof(
  stringText,
  fc.constantFrom(
    '"0"',
    '"1"',
    '"2"',
    '"-5"',
    '"01"',
    '"1.5"',
    '"-0"',
    '"+1"',
    '""',
    '"__proto__"',
    '"constructor"',
    '"a"',
    '"b"',
    '"9223372036854775807"',
    '"9223372036854775808"',
    '"-9223372036854775808"',
    '"\\u0030"',
    '"\\u0031"',
    '"1\\u0030"',
    '"-1"',
    '" 1"',
  ),
);

const blank = fc.constantFrom('', '', '', ' ', '\t', '\n', '\r', '\v', '\u00a0', '/**/');

const jsonText = fc.letrec<{ value: string; list: string; map: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numberText,
    stringText,
    fc.constantFrom('true', 'false', 'null', 'True', 'NULL', 'nul', 'undefined', '{}', '[]', "'a'"),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
  map: fc
    .array(fc.tuple(nameText, blank, tie('value')), { maxLength: 6 })
    .map((members) => `{${members.map(([name, space, value]) => `${name}${space}:${value}`).join(',')}}`),
})).value;

/** Well-formed text only: what the fast way must carry. */
const plainText = fc.json({ maxDepth: 4 });

const deepText = fc
  .tuple(
    fc.integer({ min: 505, max: 516 }),
    fc.constantFrom('[', '{"a":', '[1,'),
    fc.constantFrom('', ']', '}', '\xff', '1'),
    fc.boolean(),
  )
  .map(
    ([depth, open, tail, closed]) =>
      open.repeat(depth) + (closed ? '' : tail) + (closed && open === '[' ? ']'.repeat(depth) : tail),
  );

const mutation = fc.record({
  kind: fc.constantFrom('none', 'cut', 'replace', 'insert', 'insert', 'delete', 'bom'),
  place: fc.nat({ max: 100_000 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 2 }),
    fc
      .constantFrom(
        '}',
        ']',
        '{',
        '[',
        ',',
        ':',
        '"',
        '\\',
        '\0',
        '\x01',
        '\x1f',
        '\x7f',
        '\xff',
        '\xed\xa0\x80',
        '\xc0\xaf',
        '\xe2\x82',
        '\xf5\x80\x80\x80',
        '1',
        '0',
        '.',
        'e',
        '-',
        ' ',
        '\\u',
        '\\ud8',
        '\\udc00',
        '\\ud83d\\ude80',
      )
      .map((text) => Buffer.from(text, 'latin1')),
  ),
});

const body = fc
  .tuple(
    fc.oneof(
      { arbitrary: jsonText, weight: 5 },
      { arbitrary: plainText, weight: 3 },
      { arbitrary: deepText, weight: 1 },
    ),
    fc.array(mutation, { maxLength: 2 }),
  )
  .map(([text, mutations]) => mutations.reduce<Uint8Array>(mutate, Buffer.from(text, 'utf8')));

function mutate(bytes: Uint8Array, change: { kind: string; place: number; bytes: Uint8Array }): Uint8Array {
  const place = change.place % (bytes.length + 1);
  const head = bytes.subarray(0, place);
  const tail = bytes.subarray(place);
  if (change.kind === 'cut') return head;
  if (change.kind === 'replace') return Buffer.concat([head, change.bytes, tail.subarray(1)]);
  if (change.kind === 'insert') return Buffer.concat([head, change.bytes, tail]);
  if (change.kind === 'delete') return Buffer.concat([head, tail.subarray(1)]);
  if (change.kind === 'bom') return Buffer.concat([Buffer.from('\ufeff'), bytes]);
  return bytes;
}
