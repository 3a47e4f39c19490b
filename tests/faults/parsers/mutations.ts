// Bytes that are nearly something: what a parser reads well, changed here and there.
import fc from 'fast-check';

/** What parsers of texts and formats stumble over. */
const words = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ',',
    ':',
    '\\',
    '\\u0000',
    '\\ud800',
    '\0',
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
  ],
  ...['-1', '1e999', '9007199254740993', '0x10', 'null', 'true', 'NaN', '__proto__', 'constructor', 'length'],
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '&amp;',
    '&#0;',
    '&#x10ffff;',
    '<!ENTITY a "b">',
  ],
  ...['--', '; filename="', 'name*=UTF-8', '%00', '%', '&', '=', '[]', '[a][b]', '/../', '//', '?', '#', '@'],
  ...['\u00ff', '\ufeff', '\u202e', '\ud83d\ude00', 'İ', 'xn--', '::ffff:127.0.0.1', 'data:', 'AAAA', ';;;;'],
  ...['2026-02-30T25:61:61Z', '+99:99', '1.2.3-rc.1+b', '//# sourceMappingURL=', '`${', '/*', '*/', '(', ')'],
].map((word) => Buffer.from(word));

type Edit = (bytes: Buffer) => Buffer;

/** A place in bytes of any length. */
const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (share: number, bytes: Buffer): number => Math.floor(share * (bytes.length + 1));
const inserted = (bytes: Buffer, where: number, more: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, where), more, bytes.subarray(where)]);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...words)).map(
    ([where, word]): Edit =>
      (bytes) =>
        inserted(bytes, at(where, bytes), word),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 8 })).map(
    ([where, more]): Edit =>
      (bytes) =>
        inserted(bytes, at(where, bytes), more),
  ),
  fc.tuple(place, fc.nat(7)).map(
    ([where, bit]): Edit =>
      (bytes) => {
        const changed = Buffer.from(bytes);
        const index = Math.min(at(where, bytes), bytes.length - 1);
        if (index >= 0) changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        return changed;
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      (bytes) => {
        const [start, end] = [at(from, bytes), at(to, bytes)].sort((one, other) => one - other) as [
          number,
          number,
        ];
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
      },
  ),
  fc.tuple(place, place, place, fc.constantFrom(1, 2, 50)).map(
    ([from, to, where, times]): Edit =>
      (bytes) => {
        const [start, end] = [at(from, bytes), at(to, bytes)].sort((one, other) => one - other) as [
          number,
          number,
        ];
        const again = Buffer.concat(Array.from({ length: times }, () => bytes.subarray(start, end)));
        return inserted(bytes, at(where, bytes), again);
      },
  ),
);

const bytesMax = 65_536;

/** One of the seeds with some edits, or nothing but bytes. */
export function nearly(seeds: readonly (string | Uint8Array)[]): fc.Arbitrary<Buffer> {
  const seed = fc.constantFrom(...seeds.map((each) => Buffer.from(each as Uint8Array)));
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(seed, fc.array(edit, { maxLength: 6 }))
        .map(([bytes, edits]) => applied(bytes, edits)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
}

function applied(bytes: Buffer, edits: readonly Edit[]): Buffer {
  return edits.reduce((before, change) => change(before).subarray(0, bytesMax), bytes);
}
