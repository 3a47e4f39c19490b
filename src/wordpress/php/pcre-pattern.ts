// Patterns of schemas as PHP runs them (PCRE, flag u, not anchored), in JavaScript's regular expressions.
// Escapes and character classes are pcre-classes.ts.
import { literal, type Reader, readClass, readEscape } from './pcre-classes.ts';

/** How many compiled patterns are kept; patterns come from route tables, so there are few. */
const compiledMax = 500;

const compiled = new Map<string, RegExp | null>();

/**
 * Whether a text fits a pattern as `rest_validate_json_schema_pattern` says (`preg_match('#…#u')`). Text that
 * is not valid UTF-8 and patterns that do not compile fit nothing. `$` also matches before a final newline,
 * `.` is anything but a newline, `\d`, `\w` and `\s` go by Unicode. Recursion, conditions and extended syntax
 * are not supported and count as patterns that do not compile.
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
  // WordPress escapes every `#`; one that was escaped already ends PHP's pattern early, which makes it
  // invalid.
  if (/(?<!\\)(?:\\\\)*\\#/.test(pattern)) return null;
  try {
    return new RegExp(translate(pattern), 'v');
  } catch {
    return null;
  }
}

/** A group that is open: the options that hold in it, and what closing it has to close as well. */
type Frame = { flags: ReadonlySet<string>; opened: string[] };

type Translator = Reader & { readonly frames: Frame[] };

function translate(source: string): string {
  const reader: Translator = { source, at: 0, frames: [{ flags: new Set(), opened: [] }] };
  let out = '';
  while (reader.at < source.length) out += quantified(reader, piece(reader));
  const [frame, ...unclosed] = reader.frames;
  if (frame === undefined || unclosed.length > 0) throw new SyntaxError('missing )');
  return out + ')'.repeat(frame.opened.length);
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

/**
 * The piece with the quantifier after it. A possessive one is taken as greedy: it differs in contrived cases
 * only.
 */
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
  const look = /^\(\?(?:<?[=!])/.exec(rest);
  const comment = /^\(\?#[^)]*\)/.exec(rest);
  if (comment !== null) {
    reader.at += comment[0].length;
    return '';
  }
  const opening = name?.[0] ?? look?.[0] ?? /^\(\?>/.exec(rest)?.[0] ?? '(';
  if (opening === '(' && /^\([?*]/.test(rest)) throw new SyntaxError('unsupported group');
  reader.at += opening.length;
  reader.frames.push({ flags: outer, opened: [] });
  if (name !== null) return `(?<${name[1] ?? name[2]}>`;
  return opening === '(?>' ? '(?:' : opening;
}

/** `(?i)` changes what follows in its group, `(?i:…)` what it holds. */
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

/** Options set in one branch hold in the following ones, too. */
function nextBranch(reader: Translator): string {
  const opened = reader.frames.at(-1)?.opened ?? [];
  return `${')'.repeat(opened.length)}|${opened.join('')}`;
}
