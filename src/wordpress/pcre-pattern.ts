// Patterns of schemas as PHP runs them (PCRE, flag u, not anchored), in JavaScript's regular expressions.

const compiled = new Map<string, RegExp | null>();

/** How many compiled patterns are kept; patterns come from route tables, so there are few. */
const compiledMax = 500;

/**
 * Whether a text fits a pattern as PHP's `preg_match('#…#u')` says. Text that is not valid UTF-8 and patterns that do
 * not compile fit nothing. `$` also matches before a final newline, `.` all but a newline, `\s` only ASCII blanks.
 */
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
  const flags = /^\(\?([imsx]+)\)/.exec(pattern)?.[1] ?? '';
  // Extended syntax and unknown letters have no counterpart.
  if (flags.includes('x')) return null;
  const source = pattern.slice(flags === '' ? 0 : flags.length + 3);
  try {
    return new RegExp(translate(source, flags), `u${flags.includes('i') ? 'i' : ''}`);
  } catch {
    return null;
  }
}

type Reader = { readonly source: string; readonly flags: string; at: number };

/** Rewrites what PCRE spells or means otherwise, piece by piece. */
function translate(source: string, flags: string): string {
  const reader: Reader = { source, flags, at: 0 };
  let out = '';
  while (reader.at < source.length) out += piece(reader);
  return out;
}

function piece(reader: Reader): string {
  const { source, flags } = reader;
  const character = source.charAt(reader.at);
  if (character === '\\') return escapeSequence(reader, false);
  if (character === '[') return characterClass(reader);
  if (character === '(') return group(reader);
  if (character === '{' || character === '}' || character === ']') return brace(reader);
  reader.at += 1;
  if (character === '$') return flags.includes('m') ? '(?=\\n|(?![^]))' : '(?=\\n?(?![^]))';
  if (character === '^') return flags.includes('m') ? '(?<=(?<![^])|\\n(?=[^]))' : '(?<![^])';
  if (character === '.') return flags.includes('s') ? '[^]' : '[^\\n]';
  // A possessive quantifier never gives back; as a greedy one it accepts the same texts in all but contrived cases.
  if (character === '+' && /[*+?}]/.test(source.charAt(reader.at - 2)) && !isEscaped(source, reader.at - 2))
    return '';
  return character;
}

function isEscaped(source: string, at: number): boolean {
  let slashes = 0;
  while (source.charAt(at - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** `{2,3}` is a quantifier; any other brace or lone bracket is the character itself. */
function brace(reader: Reader): string {
  const quantifier = /^\{\d+(?:,\d*)?\}/.exec(reader.source.slice(reader.at))?.[0];
  const text = quantifier ?? `\\${reader.source.charAt(reader.at)}`;
  reader.at += quantifier?.length ?? 1;
  return text;
}

function group(reader: Reader): string {
  const rest = reader.source.slice(reader.at);
  const spellings: ReadonlyArray<readonly [RegExp, string]> = [
    [/^\(\?P?<([A-Za-z_]\w*)>/, '(?<$1>'],
    [/^\(\?'([A-Za-z_]\w*)'/, '(?<$1>'],
    [/^\(\?>/, '(?:'],
    [/^\(\?#[^)]*\)/, ''],
    [/^\(\?(?:[:=!]|<[=!])/, '$&'],
  ];
  for (const [form, replacement] of spellings) {
    const match = form.exec(rest)?.[0];
    if (match === undefined) continue;
    reader.at += match.length;
    return match.replace(form, replacement);
  }
  reader.at += 1;
  return '(';
}

const shorthand: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\t\\n\\v\\f\\r ',
  h: '\\t \\u00a0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000',
  v: '\\n\\v\\f\\r\\u0085\\u2028\\u2029',
};

const anchors: Readonly<Record<string, string>> = {
  A: '(?<![^])',
  z: '(?![^])',
  Z: '(?=\\n?(?![^]))',
  b: '\\b',
  B: '\\B',
  R: '(?:\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029])',
  N: '[^\\n]',
};

/** An escape outside or inside a class; what it does not know it takes for the character itself. */
function escapeSequence(reader: Reader, inClass: boolean): string {
  const rest = reader.source.slice(reader.at + 1);
  const letter = rest.charAt(0);
  const take = (length: number, text: string) => {
    reader.at += 1 + length;
    return text;
  };
  const set = Object.hasOwn(shorthand, letter) ? shorthand[letter] : undefined;
  if (set !== undefined) return take(1, inClass ? set : `[${set}]`);
  const negated = Object.hasOwn(shorthand, letter.toLowerCase())
    ? shorthand[letter.toLowerCase()]
    : undefined;
  // Inside a class only JavaScript's own negations can stand; they differ from PCRE's beyond ASCII for \S alone.
  if (negated !== undefined) return take(1, inClass ? `\\${letter}` : `[^${negated}]`);
  if (!inClass && Object.hasOwn(anchors, letter)) return take(1, anchors[letter] ?? '');
  const point = /^(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{0,2})|o\{([0-7]+)\}|(0[0-7]{0,2}))/.exec(rest);
  if (point !== null) return take(point[0].length, codePoint(point));
  const property = /^[pP](?:\{(\^?)(\w+)\}|([A-Z]))/.exec(rest);
  if (property !== null) return take(property[0].length, propertyOf(letter, property));
  const reference = /^(?:k[{<'](\w+)[}>']|g\{?(\d+)\}?|([1-9]\d*))/.exec(rest);
  if (!inClass && reference !== null) {
    return take(
      reference[0].length,
      reference[1] === undefined ? `\\${reference[2] ?? reference[3]}` : `\\k<${reference[1]}>`,
    );
  }
  if (letter === 'Q') {
    const end = rest.indexOf('\\E');
    return take(end < 0 ? rest.length : end + 2, literal(rest.slice(1, end < 0 ? undefined : end)));
  }
  if (letter === 'E') return take(1, '');
  const control = { a: '\\x07', e: '\\x1b', f: '\\f', n: '\\n', r: '\\r', t: '\\t', b: '\\x08' }[letter];
  return take(
    Math.max(1, letterLength(rest)),
    control ?? literal(String.fromCodePoint(rest.codePointAt(0) ?? 0x5c)),
  );
}

const letterLength = (rest: string) => ((rest.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);

function codePoint(match: RegExpExecArray): string {
  const [, braced, hex, octalBraced, octal] = match;
  const value = Number.parseInt(
    braced ?? hex ?? octalBraced ?? octal ?? '0',
    (octalBraced ?? octal) ? 8 : 16,
  );
  return `\\u{${(value || 0).toString(16)}}`;
}

function propertyOf(letter: string, match: RegExpExecArray): string {
  const [, caret, long, short] = match;
  const negative = (letter === 'P') !== (caret === '^');
  const name = long ?? short ?? '';
  const isCategory = /^[CLMNPSZ][a-z]?$/.test(name);
  if (name === 'Any') return negative ? '[]' : '[^]';
  return `\\${negative ? 'P' : 'p'}{${isCategory ? name : `Script=${name}`}}`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' ? '\\x2d' : `\\${character}`,
  );
}

const posix: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: '0-9A-Za-z',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  blank: '\\t ',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
  word: '0-9A-Za-z_',
  cntrl: '\\x00-\\x1f\\x7f',
  print: ' -~',
  graph: '!-~',
};

function characterClass(reader: Reader): string {
  const { source } = reader;
  let out = '[';
  reader.at += 1;
  if (source.charAt(reader.at) === '^') {
    out += '^';
    reader.at += 1;
  }
  for (let first = true; ; first = false) {
    if (reader.at >= source.length) throw new SyntaxError('missing terminating ]');
    const character = source.charAt(reader.at);
    if (character === ']' && !first) break;
    const named = /^\[:(\w+):\]/.exec(source.slice(reader.at));
    if (named !== null) {
      out += posix[named[1] ?? ''] ?? '';
      reader.at += named[0].length;
    } else if (character === '\\') out += escapeSequence(reader, true);
    else {
      // A hyphen after a shorthand is itself; JavaScript's flag u would refuse it there.
      const isPlainHyphen =
        character === '-' &&
        (/\\[dwshvDWSHV]$/.test(source.slice(0, reader.at)) ||
          /^-\\[dwshvDWSHV]/.test(source.slice(reader.at)));
      out += '[](){}/|^'.includes(character) || isPlainHyphen ? literal(character) : character;
      reader.at += 1;
    }
  }
  reader.at += 1;
  return `${out}]`;
}
