// What PCRE's escapes and character classes mean under PHP's flag u, spelled for JavaScript's flag v: there
// `\d`, `\w`, `\s` and the named classes go by Unicode's properties, not by ASCII.

/** A place in a pattern's source. */
export type Reader = { readonly source: string; at: number };

const blank = '\\t\\p{Zs}\\u180e';
const lineEnd = '\\n\\v\\f\\r\\x85\\u2028\\u2029';
const word = '\\p{L}\\p{N}_';
const space = '\\t\\n\\v\\f\\r\\x85\\p{Z}';

const shorthand: ReadonlyMap<string, string> = new Map([
  ['d', '\\p{Nd}'],
  ['w', word],
  ['s', space],
  ['h', blank],
  ['v', lineEnd],
]);

const named: ReadonlyMap<string, string> = new Map([
  ['alpha', '\\p{L}'],
  ['digit', '\\p{Nd}'],
  ['alnum', '\\p{L}\\p{N}'],
  ['upper', '\\p{Lu}'],
  ['lower', '\\p{Ll}'],
  ['space', space],
  ['blank', blank],
  ['word', word],
  ['cntrl', '\\p{Cc}'],
  ['punct', '\\p{P}\\x24\\x2b\\x3c-\\x3e\\x5e\\x60\\x7c\\x7e'],
  ['xdigit', '0-9A-Fa-f'],
  ['ascii', '\\x00-\\x7f'],
  ['print', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}\\p{Cf}'],
  ['graph', '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}'],
]);

const assertions: ReadonlyMap<string, string> = new Map([
  ['A', '^'],
  ['z', '$'],
  ['Z', '(?=\\n?$)'],
  ['b', `(?=(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`],
  ['B', `(?=(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))`],
  ['R', `(?:\\r\\n|[${lineEnd}])`],
  ['N', '[^\\n]'],
]);

const controls: ReadonlyMap<string, string> = new Map([
  ['a', '\\x07'],
  ['e', '\\x1b'],
  ['f', '\\f'],
  ['n', '\\n'],
  ['r', '\\r'],
  ['t', '\\t'],
]);

/**
 * Reads the escape at the reader's backslash. Throws SyntaxError on letters PCRE does not know, as PCRE does.
 */
export function readEscape(reader: Reader, inClass: boolean): string {
  const rest = reader.source.slice(reader.at + 1);
  const letter = rest.charAt(0);
  const simple = simpleEscape(letter, inClass);
  if (simple !== null) return take(reader, 1, simple);
  const point = /^(?:x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{0,2})|o\{([0-7]{1,7})\}|(0[0-7]{0,2}))/.exec(rest);
  if (point !== null) return take(reader, point[0].length, codePoint(point));
  const property = /^([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/.exec(rest);
  if (property !== null) return take(reader, property[0].length, propertyOf(property));
  const reference = /^(?:k[{<'](\w+)[}>']|g\{?(\d+)\}?|([1-9]\d*))/.exec(rest);
  if (!inClass && reference !== null) {
    const [text, name, braced, digits] = reference;
    return take(reader, text.length, name === undefined ? `(?:\\${braced ?? digits})` : `\\k<${name}>`);
  }
  if (letter === '' || /[A-Za-z0-9]/.test(letter)) throw new SyntaxError(`unknown escape \\${letter}`);
  return take(reader, letter.length, literal(letter));
}

/** Reads the class at the reader's opening bracket. */
export function readClass(reader: Reader): string {
  const { source } = reader;
  const negated = source.charAt(reader.at + 1) === '^';
  reader.at += negated ? 2 : 1;
  let out = '';
  for (let isFirst = true; isFirst || source.charAt(reader.at) !== ']'; isFirst = false) {
    if (reader.at >= source.length) throw new SyntaxError('missing terminating ]');
    out += classItem(reader);
  }
  reader.at += 1;
  return `[${negated ? '^' : ''}${out}]`;
}

/** A character that means itself, wherever it stands. */
export function literal(character: string): string {
  const code = character.charCodeAt(0);
  const isPunctuation = code > 0x20 && code < 0x7f && !/[A-Za-z0-9_]/.test(character);
  return isPunctuation ? `\\x${code.toString(16)}` : character;
}

/** One character or class inside brackets, with the range it may begin. */
function classItem(reader: Reader): string {
  const { source } = reader;
  const name = /^\[:(\^?)(\w+):\]/.exec(source.slice(reader.at));
  if (name !== null) {
    const set = named.get(name[2] ?? '');
    if (set === undefined) throw new SyntaxError('unknown class name');
    return take(reader, name[0].length - 1, name[1] === '^' ? `[^${set}]` : set);
  }
  const start = classCharacter(reader);
  const beginsRange = source.charAt(reader.at) === '-' && source.charAt(reader.at + 1) !== ']';
  if (!beginsRange || start.length === 0 || isSet(start) || reader.at + 1 >= source.length) return start;
  // A hyphen before a class is itself, not a range.
  if (/^-(?:\\[dDwWsShHvVpP]|\[:)/.test(source.slice(reader.at))) return start;
  reader.at += 1;
  return `${start}-${classCharacter(reader)}`;
}

function classCharacter(reader: Reader): string {
  if (reader.source.charAt(reader.at) === '\\') return readEscape(reader, true);
  const character = String.fromCodePoint(reader.source.codePointAt(reader.at) ?? 0);
  reader.at += character.length;
  return literal(character);
}

const isSet = (text: string) => text.startsWith('[') || /^\\[pP]\{/.test(text) || text.length > 8;

function simpleEscape(letter: string, inClass: boolean): string | null {
  const set = shorthand.get(letter);
  if (set !== undefined) return `[${set}]`;
  const opposite = shorthand.get(letter.toLowerCase());
  if (opposite !== undefined && letter !== letter.toLowerCase()) return `[^${opposite}]`;
  if (inClass && letter === 'b') return '\\x08';
  return (inClass ? undefined : assertions.get(letter)) ?? controls.get(letter) ?? null;
}

function codePoint(match: RegExpExecArray): string {
  const [, braced, hex, octalBraced, octal] = match;
  const digits = octalBraced ?? octal;
  const value = digits === undefined ? Number.parseInt(braced ?? hex ?? '', 16) : Number.parseInt(digits, 8);
  return `\\u{${(value || 0).toString(16)}}`;
}

function propertyOf(match: RegExpExecArray): string {
  const [, letter, caret, long, short] = match;
  const name = long ?? short ?? '';
  const negative = (letter === 'P') !== (caret === '^');
  if (name === 'Any') return negative ? '[]' : '[^]';
  const property = /^[CLMNPSZ][a-z]?$/.test(name) ? name : `Script=${name}`;
  return `\\${negative ? 'P' : 'p'}{${property}}`;
}

function take(reader: Reader, length: number, text: string): string {
  reader.at += 1 + length;
  return text;
}
