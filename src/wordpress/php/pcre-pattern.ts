// Translates PCRE patterns of schemas (flag u, not anchored) to JavaScript regular expressions.

type Reader = { readonly source: string; at: number };

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

/** Throws SyntaxError on escapes that PCRE does not know. */
function readEscape(reader: Reader, inClass: boolean): string {
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

function readClass(reader: Reader): string {
  const { source } = reader;
  const negated = source.charAt(reader.at + 1) === '^';
  reader.at += negated ? 2 : 1;
  let output = '';
  for (let isFirst = true; isFirst || source.charAt(reader.at) !== ']'; isFirst = false) {
    if (reader.at >= source.length) throw new SyntaxError('missing terminating ]');
    output += classItem(reader);
  }
  reader.at += 1;
  return `[${negated ? '^' : ''}${output}]`;
}

function literal(character: string): string {
  const code = character.charCodeAt(0);
  const isPunctuation = code > 0x20 && code < 0x7f && !/[A-Za-z0-9_]/.test(character);
  return isPunctuation ? `\\x${code.toString(16)}` : character;
}

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

/** Patterns come from route tables, so there are few. */
const compiledMax = 500;

const compiled = new Map<string, RegExp | null>();

/** `rest_validate_json_schema_pattern`: unsupported patterns (recursion, conditions, extended syntax) and invalid
 * UTF-8 match nothing. `$` also matches before a final newline; `\d`, `\w`, `\s` are Unicode-aware. */
export function matchesPattern(pattern: string, text: string): boolean {
  if (!text.isWellFormed()) return false;
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = compile(pattern);
    if (compiled.size < compiledMax) compiled.set(pattern, expression);
  }
  return expression?.test(text) ?? false;
}

function compile(pattern: string): RegExp | null {
  // WordPress escapes every `#`; a `#` already escaped ends PHP's pattern early and makes it invalid.
  if (/(?<!\\)(?:\\\\)*\\#/.test(pattern)) return null;
  try {
    return new RegExp(translate(pattern), 'v');
  } catch {
    return null;
  }
}

/** An open group: its options, and the groups to close with it. */
type Frame = { flags: ReadonlySet<string>; opened: string[] };

type Translator = Reader & { readonly frames: Frame[] };

function translate(source: string): string {
  const reader: Translator = { source, at: 0, frames: [{ flags: new Set(), opened: [] }] };
  let output = '';
  while (reader.at < source.length) output += quantified(reader, piece(reader));
  const [frame, ...unclosed] = reader.frames;
  if (frame === undefined || unclosed.length > 0) throw new SyntaxError('missing )');
  return output + ')'.repeat(frame.opened.length);
}

function piece(reader: Translator): string {
  const { source } = reader;
  const character = String.fromCodePoint(source.codePointAt(reader.at) ?? 0);
  if (character === '\\') {
    return source.startsWith('\\Q', reader.at) ? quoted(reader) : readEscape(reader, false);
  }
  if (character === '[') return readClass(reader);
  if (character === '(') return openGroup(reader);
  reader.at += character.length;
  if (character === ')') return closeGroup(reader);
  if (character === '|') return nextBranch(reader);
  const flags = reader.frames.at(-1)?.flags;
  if (character === '$') return flags?.has('m') ? '(?=\\n|$)' : '(?=\\n?$)';
  if (character === '^') return flags?.has('m') ? '(?=^|(?<=\\n)(?!$))' : '^';
  if (character === '.') return flags?.has('s') ? '[^]' : '[^\\n]';
  if (/^(?:[*+?]|\{\d+(?:,\d*)?\})/.test(source.slice(reader.at - character.length))) {
    throw new SyntaxError('quantifier does not follow a repeatable item');
  }
  return literal(character);
}

/** A possessive quantifier is treated as greedy, which differs in contrived cases only. */
function quantified(reader: Translator, translated: string): string {
  const match = /^(?:[*+?]|\{\d+(?:,\d*)?\})([+?]?)/.exec(reader.source.slice(reader.at));
  if (match === null || translated === '' || reader.source.charAt(reader.at - 1) === '(') return translated;
  if (/^\(\?<?[=!]$|^\|$|\($|:$/.test(translated)) return translated;
  reader.at += match[0].length;
  return translated + (match[1] === '+' ? match[0].slice(0, -1) : match[0]);
}

function quoted(reader: Translator): string {
  const start = reader.at + 2;
  const end = reader.source.indexOf('\\E', start);
  reader.at = end < 0 ? reader.source.length : end + 2;
  return [...reader.source.slice(start, end < 0 ? undefined : end)].map(literal).join('');
}

function openGroup(reader: Translator): string {
  const rest = reader.source.slice(reader.at);
  const outer = reader.frames.at(-1)?.flags ?? new Set<string>();
  const options = /^\(\?([imsnUJx]*)(?:-([imsnUJx]+))?([:)])/.exec(rest);
  if (options !== null) return setOptions(reader, options, outer);
  const name = /^\(\?(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/.exec(rest);
  const lookaround = /^\(\?(?:<?[=!])/.exec(rest);
  const comment = /^\(\?#[^)]*\)/.exec(rest);
  if (comment !== null) {
    reader.at += comment[0].length;
    return '';
  }
  const opening = name?.[0] ?? lookaround?.[0] ?? /^\(\?>/.exec(rest)?.[0] ?? '(';
  if (opening === '(' && /^\([?*]/.test(rest)) throw new SyntaxError('unsupported group');
  reader.at += opening.length;
  reader.frames.push({ flags: outer, opened: [] });
  if (name !== null) return `(?<${name[1] ?? name[2]}>`;
  return opening === '(?>' ? '(?:' : opening;
}

/** `(?i)` applies to the rest of its group, `(?i:…)` to its own content. */
function setOptions(reader: Translator, match: RegExpExecArray, outer: ReadonlySet<string>): string {
  const [text, on = '', off = '', end] = match;
  if (/[nUJx]/.test(on + off)) throw new SyntaxError('unsupported option');
  const flags = new Set([...outer, ...on].filter((flag) => !off.includes(flag)));
  const opening = on.includes('i') ? '(?i:' : off.includes('i') ? '(?-i:' : '(?:';
  reader.at += text.length;
  if (end === ':') {
    reader.frames.push({ flags, opened: [] });
    return opening;
  }
  const frame = reader.frames.at(-1);
  if (frame !== undefined) {
    frame.flags = flags;
    frame.opened.push(opening);
  }
  return opening;
}

function closeGroup(reader: Translator): string {
  const frame = reader.frames.pop();
  if (frame === undefined || reader.frames.length === 0) throw new SyntaxError('unmatched )');
  return ')'.repeat(frame.opened.length + 1);
}

/** Options set in one branch apply to the following branches too. */
function nextBranch(reader: Translator): string {
  const opened = reader.frames.at(-1)?.opened ?? [];
  return `${')'.repeat(opened.length)}|${opened.join('')}`;
}

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
