import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeJson, encodeJsonInSlices } from '../../src/wordpress/php/json-encode.ts';
import {
  PhpFloat,
  PhpObject,
  type PhpValue,
  phpFloat,
  phpInt,
  toPhpArray,
} from '../../src/wordpress/php/values.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { fullOrSome, inFull, rows } from '../support/test-level.ts';
import { codePointText, graphemeText } from '../support/texts.ts';
import { askPhp, dumpValue } from './php-oracle.ts';

describeWithPrograms('encodeJson beside PHP', ['php'], (programs) => {
  const print = `
    $at = 0;
    $load = function () use (&$load, &$at, $input) {
      $kind = $input[$at++];
      if ($kind === 'n') return null;
      if ($kind === 't' || $kind === 'f') return $kind === 't';
      if ($kind === 'd') { $at += 16; return unpack('E', hex2bin(substr($input, $at - 16, 16)))[1]; }
      if ($kind === 'i' || $kind === 's') {
        preg_match('/[-0-9a-f]*/', $input, $match, 0, $at);
        $at += strlen($match[0]);
        return $kind === 'i' ? (int) $match[0] : hex2bin($match[0]);
      }
      $made = [];
      $at++;
      while ($input[$at] !== '}') {
        $end = strpos($input, '=', $at);
        $key = hex2bin(substr($input, $at, $end - $at));
        $at = $end + 1;
        $made[$key] = $load();
        $at++;
      }
      $at++;
      return $kind === 'o' ? (object) $made : $made;
    };
    $clean = function ($value) use (&$clean) {
      if (is_string($value)) return mb_convert_encoding($value, 'UTF-8', 'UTF-8');
      if (!is_array($value) && !is_object($value)) return $value;
      $made = [];
      foreach ($value as $key => $member) $made[is_string($key) ? $clean($key) : $key] = $clean($member);
      return is_object($value) ? (object) $made : $made;
    };
    $value = $load();
    $out = [];
    foreach ([0, JSON_PRETTY_PRINT] as $flags) {
      $text = json_encode($value, $flags);
      // WordPress cleans the strings and tries again.
      if (json_last_error() === JSON_ERROR_UTF8) $text = json_encode($clean($value), $flags);
      $out[] = $text === false ? 'error ' . json_last_error() . ' ' . json_last_error_msg() : $text;
    }
    return implode("\\n---\\n", $out);`;

  it('prints 10,000 values as PHP does', () => {
    const values = fc.sample(phpValue, { numRuns: 10_000, seed: 20_260_823 });
    const answers = askPhp(
      programs['php'] ?? '',
      print,
      values.map((value) => Buffer.from(dumpValue(value))),
    );
    const differences = values.flatMap((value, index) => {
      const ours = [false, true].map((pretty) => printed(value, pretty)).join('\n---\n');
      return ours === answers[index] ? [] : [{ ours, php: answers[index] }];
    });
    expect(differences.slice(0, 5)).toEqual([]);
    expect(answers).toHaveLength(10_000);
    expect(answers.filter((answer) => answer.startsWith('error 7')).length).toBeGreaterThan(20);
  });

  it('knows the depth at which PHP gives up', () => {
    const values = [510, 511, 512, 513, 514].flatMap((depth) => [
      nested(depth, 1),
      nested(depth, []),
      nested(depth, new PhpObject()),
      nested(depth, new PhpFloat(Number.NaN)),
    ]);
    const answers = askPhp(
      programs['php'] ?? '',
      print,
      values.map((value) => Buffer.from(dumpValue(value))),
    );
    expect(
      values.map((value) => [false, true].map((pretty) => printed(value, pretty)).join('\n---\n')),
    ).toEqual(answers);
  });
});

describe('encodeJson', () => {
  it('takes plain values as PHP values: integral numbers are integers, empty objects empty arrays', () => {
    expect(printed({ a: 1, b: {}, c: [], d: -0, e: 1e20, f: 2 ** 62, g: { 0: 'x', 1: 'y' } }, false)).toBe(
      '{"a":1,"b":[],"c":[],"d":0,"e":1.0e+20,"f":4611686018427387904,"g":["x","y"]}',
    );
  });

  it('keeps a real object an object when it is empty', () => {
    expect(printed({ a: new PhpObject() }, true)).toBe('{\n    "a": {}\n}');
  });

  it.each([
    ['a list', [1]],
    ['a map', new Map([['a', 1]])],
    ['an object', new PhpObject(new Map([['a', 1]]))],
  ])('writes 512 levels of which the last is %s, and no more', async (_last, inner) => {
    const [deepest, tooDeep] = [nested(511, inner), nested(512, inner)];
    expect([encodeJson(deepest).ok, (await encodeJsonInSlices(deepest)).ok]).toEqual([true, true]);
    const refused = { ok: false, code: 1 };
    expect([encodeJson(tooDeep), await encodeJsonInSlices(tooDeep)]).toMatchObject([refused, refused]);
  });
});

function printed(value: PhpValue, pretty: boolean): string {
  const encoded = encodeJson(value, { pretty });
  return encoded.ok ? encoded.text : `error ${encoded.code} ${encoded.message}`;
}

function nested(depth: number, inner: PhpValue): PhpValue {
  return depth === 0 ? inner : [nested(depth - 1, inner)];
}

const text = fc.oneof(
  graphemeText({ maxLength: 10 }),
  codePointText({ maxLength: 6 }).filter((value) => value.isWellFormed()),
  fc.constantFrom(
    '/',
    '</script>',
    '"',
    '\\',
    '\x7f',
    '\u2028',
    '\x00',
    '\x1f\b\f\n\r\t',
    '\u{1f680}',
    '\ufeff',
    "&<>'",
  ),
  // Bytes that are not UTF-8, as query strings carry them.
  fc
    .array(fc.constantFrom('\udcff', '\udce2\udc82', '\udc80', 'a', 'é'), { maxLength: 4 })
    .map((parts) => parts.join('')),
);
const key = fc.oneof(
  text,
  fc.constantFrom('0', '1', '2', '-1', '01', '', '__proto__', 'a', 'b'),
  fc.integer().map(String),
);
const scalar = fc.oneof(
  fc.constantFrom<PhpValue[]>(null, true, false),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(phpInt),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(phpFloat),
  fc
    .tuple(fc.integer({ min: -25, max: 25 }), fc.integer({ min: 1, max: 99_999 }))
    .map(([power, digits]) => phpFloat(digits * 10 ** power)),
  fc.constantFrom(
    phpFloat(1),
    phpFloat(-0),
    phpFloat(0),
    phpFloat(0.1),
    phpFloat(1e16),
    phpFloat(1e17),
    phpFloat(1e-4),
    phpFloat(9.9999e-5),
    phpFloat(5e-324),
  ),
  text,
  text,
);
const phpValue = fc.letrec<{ value: PhpValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: scalar, weight: 30 },
    {
      arbitrary: fc.constantFrom<PhpValue[]>(
        new PhpFloat(Number.POSITIVE_INFINITY),
        new PhpFloat(Number.NaN),
      ),
      weight: 1,
    },
    { arbitrary: fc.array(tie('value'), { maxLength: 5 }), weight: 15 },
    { arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map(toPhpArray), weight: 15 },
    {
      arbitrary: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map((entries) => new PhpObject(new Map(entries.filter(([name]) => !name.startsWith('\0'))))),
      weight: 4,
    },
  ),
})).value;

describe('encodeJsonInTurns', () => {
  const samples = fc.sample(phpValue, { numRuns: 400, seed: 20_260_824 });
  const plain = samples.filter((value) => encodeJson(value).ok);
  const named = (values: readonly PhpValue[]) =>
    new Map(values.map((value, index) => [index % 7 === 0 ? `\udcff${index % 14}` : `k"/é${index}`, value]));
  const long: Readonly<Record<string, PhpValue>> = {
    'what is short': { a: [1, 'x'] },
    'one long text': 'x/"é'.repeat(50_000),
    'a list': [...plain, ...plain, ...plain],
    'a map': named(plain),
    'a map that is a list': new Map(plain.map((value, index) => [String(index), value])),
    'a plain object': Object.fromEntries(plain.map((value, index) => [`k${index}`, value])),
    'an object': new PhpObject(named(plain)),
    'one inside of another': nested(
      300,
      new Map<string, PhpValue>([
        ['a', plain],
        ['b', named(plain)],
        ['c', []],
      ]),
    ),
    'with a number that is none': [...plain, plain, new PhpFloat(Number.NaN)],
    'as deep as PHP goes': nested(509, [
      ...plain.filter((value) => typeof value !== 'object'),
      'x'.repeat(99_999),
    ]),
    'deeper than PHP goes': nested(
      512,
      Array.from({ length: 2_000 }, () => 1),
    ),
  };

  it.each(rows(() => fullOrSome(Object.entries(long), 3)))(
    '%s: the same text, the same errors',
    async (_name, value) => {
      for (const pretty of [false, true]) {
        expect(await encodeJsonInSlices(value, { pretty })).toEqual(encodeJson(value, { pretty }));
      }
    },
  );

  inFull(it)('yields to the event loop in the middle of a long answer', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await encodeJsonInSlices(Array.from({ length: 300_000 }, (_, index) => ({ a: `${index}/` })));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
