// Tokenizer for JavaScript, TypeScript and JSX, only as exact as brackets and names need. Linear.

export interface Token {
  /** `name` includes keywords; `mark` is punctuation; `literal` is a string, number or regular expression. */
  readonly kind: 'name' | 'mark' | 'literal';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isFirstOfLine: boolean;
}

const blanks = /(?:\s+|\/\/[^\n]*)+/y;
/** All non-ASCII characters count as letters. */
const name = /[#A-Za-z_$\xaa-\uffff][\w$\xaa-\uffff]*/y;
const number = /\.?\d[\w.]*/y;
const quoted = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const pattern = /\/(?![*/])(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
const marks = /=>|\?\.(?!\d)|\.\.\.|[=!]==?|[<>]=|&&=?|\|\|=?|\?\?=?|[-+*/%&|^]=|\+\+|--|[\s\S]/y;

/** Keywords before a regular expression (rather than a division). */
const operators = /^(?:return|typeof|case|in|of|do|else|throw|new|delete|void|instanceof|yield|await)$/;

/** Template literals yield `` ` `` and `${` … `}` as brackets, so that their expressions are tokenized. */
export function* scriptTokens(text: string): Generator<Token, undefined, undefined> {
  let at = 0;
  let before: Token | null = null;
  /** For each open brace: whether it is a template's `${`. */
  const braces: boolean[] = [];
  const read = readerOf(text);
  while (at < text.length) {
    const blanksStart = at;
    at = blanksEnd(text, at, read);
    const isFirstOfLine = blanksStart === 0 || text.slice(blanksStart, at).includes('\n');
    if (at >= text.length) return;
    const start = at;
    const kind = kindAt(text, at, before, read);
    at = kind.end;
    const token: Token = {
      kind: kind.kind,
      text: kind.kind === 'literal' ? '' : text.slice(start, at),
      start,
      end: at,
      isFirstOfLine,
    };
    yield token;
    before = token;
    if (token.text === '{') braces.push(false);
    const endsHole = token.text === '}' && braces.pop() === true;
    if (token.text === '`' || endsHole) {
      at = read(templateText, at);
      const mark = text.startsWith('${', at) ? '${' : '`';
      const isHole = mark === '${';
      if (isHole) braces.push(true);
      const [start, end] = [at, at + mark.length];
      before = {
        kind: isHole ? 'mark' : 'literal',
        text: isHole ? mark : '',
        start,
        end,
        isFirstOfLine: false,
      };
      yield before;
      at = end;
    }
  }
}

/** Returns the end of the match at `at`, or `at` if there is none. */
type Read = (expression: RegExp, at: number) => number;

/** Remembers failed searches for a closing quote, so that the whole stays linear. */
function readerOf(text: string): Read {
  const hopelessUntil = new Map<string, number>();
  return (expression, at) => {
    const isClosed = expression === quoted || expression === pattern;
    const opening = text[at] as string;
    if (isClosed && at < (hopelessUntil.get(opening) ?? 0)) return at;
    expression.lastIndex = at;
    if (expression.test(text)) return expression.lastIndex;
    if (isClosed) {
      const lineEnd = text.indexOf('\n', at);
      hopelessUntil.set(opening, lineEnd === -1 ? text.length : lineEnd);
    }
    return at;
  };
}

/** Skips white space and comments; an unclosed comment extends to the end. */
function blanksEnd(text: string, from: number, read: Read): number {
  let at = read(blanks, from);
  while (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    if (end === -1) return text.length;
    at = read(blanks, end + 2);
  }
  return at;
}

function kindAt(
  text: string,
  at: number,
  before: Token | null,
  read: Read,
): { kind: Token['kind']; end: number } {
  const first = text[at] as string;
  if (first === '"' || first === "'") {
    const end = read(quoted, at);
    // An apostrophe in JSX text.
    return end > at ? { kind: 'literal', end } : { kind: 'mark', end: at + 1 };
  }
  if (first === '/' && beginsPattern(before)) {
    const end = read(pattern, at);
    if (end > at) return { kind: 'literal', end };
  }
  const nameEnd = read(name, at);
  if (nameEnd > at) return { kind: 'name', end: nameEnd };
  const numberEnd = read(number, at);
  if (numberEnd > at) return { kind: 'literal', end: numberEnd };
  return { kind: 'mark', end: read(marks, at) };
}

/** Whether a slash begins a regular expression; after `<` and mostly after `}` it does not. */
function beginsPattern(before: Token | null): boolean {
  if (before === null) return true;
  if (before.kind === 'literal') return false;
  if (before.kind === 'name') return operators.test(before.text);
  return !/^(?:[)\]}<]|\+\+|--)$/.test(before.text);
}
