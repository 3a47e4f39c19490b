// Finds the name of the function around a position in a source text; source maps have token names only.
interface EnclosingFunction {
  /** The declared name, else the variable, property or method it is assigned to; else null. */
  readonly name: string | null;
  /** Offset where the function begins; identifies it. */
  readonly start: number;
}

interface Scope {
  readonly kind: 'function' | 'arrow' | 'class' | 'object' | 'block' | 'group';
  /** The closing bracket; '' for an arrow function without braces, which ends with its surroundings. */
  readonly close: string;
  readonly name: string | null;
  readonly start: number;
  /** Name for a function that begins here. */
  binding: string | null;
  /** JSX attribute whose value begins here: `onClick={() => buy()}`. */
  attribute: string | null;
  /** The name of `const NAME` until `=`; a type may stand between. */
  declared: string | null;
  /** A `function` or `class` before its body. */
  coming: { kind: 'function' | 'class'; name: string | null; start: number } | null;
  /** The token before the last parentheses: a method's name. */
  called: Token | null;
  /** Start of the current statement, argument or member. */
  first: number | null;
}

/** `'module'` outside of functions; null where brackets do not match. Linear in `offset`. */
export function findEnclosingFunction(text: string, offset: number): EnclosingFunction | 'module' | null {
  const scopes: Scope[] = [scopeOf('block', '', null, 0)];
  const wantsNext = beginsFunction(text, offset);
  let depth = 0;
  let before: Token | null = null;
  for (const token of scriptTokens(text)) {
    if (token.start >= offset && (depth === 0 || !wantsNext)) {
      closeArrows(scopes, token, before);
      if (!wantsNext) break;
      depth = scopes.length;
    }
    if (!take(scopes, token, before)) return null;
    before = token;
    const top = scopes.at(-1) as Scope;
    if (depth > 0 && (scopes.length < depth || (scopes.length > depth && isFunction(top)))) break;
  }
  const found = scopes.findLast(isFunction);
  return found === undefined ? 'module' : { name: found.name, start: found.start };
}

/** Some minifiers map code inside a function to its first token; creating a function cannot fail itself. */
function beginsFunction(text: string, offset: number): boolean {
  return /^(?:export\s+)?(?:default\s+)?(?:async\s+(?:function\b|[\w$#]+\s*(?:\(|=>)|\()|function\b|\([^()]{0,200}\)\s*=>|[\w$]+\s*=>)/.test(
    text.slice(offset, offset + 300),
  );
}

function isFunction(scope: Scope): boolean {
  return scope.kind === 'function' || scope.kind === 'arrow';
}

function scopeOf(kind: Scope['kind'], close: string, name: string | null, start: number): Scope {
  return {
    kind,
    close,
    name,
    start,
    binding: null,
    attribute: null,
    declared: null,
    coming: null,
    called: null,
    first: null,
  };
}

/** Processes a token; false for an unmatched closing bracket. */
function take(scopes: Scope[], token: Token, before: Token | null): boolean {
  closeArrows(scopes, token, before);
  const scope = scopes.at(-1) as Scope;
  if (/^[)\]}]$/.test(token.text)) return close(scopes, token);
  if (token.kind === 'name') {
    readName(scope, token, before);
  } else if (token.kind === 'literal') {
    scope.first ??= token.start;
  } else if (token.text === '{' || token.text === '${') {
    openBrace(scopes, token, before);
  } else if (token.text === '(' || token.text === '[') {
    scope.first ??= token.start;
    if (token.text === '(') scope.called = before;
    scopes.push(scopeOf('group', token.text === '(' ? ')' : ']', null, token.start));
  } else {
    readPunctuation(scopes, scope, token, before);
  }
  return true;
}

function readName(scope: Scope, { text, start, isFirstOfLine }: Token, before: Token | null): void {
  const isMember = before?.text === '.' || before?.text === '?.';
  // A line break ends a statement in code without semicolons.
  if (isFirstOfLine && !isMember && endsValue(before) && scope.kind !== 'group') renew(scope);
  scope.first ??= start;
  if (isMember) return;
  if (text === 'function' || text === 'class') {
    scope.coming = { kind: text, name: scope.binding ?? scope.attribute, start: scope.first };
    scope.called = null;
  } else if (scope.coming !== null && (before?.text === scope.coming.kind || before?.text === '*')) {
    if (text !== 'extends') scope.coming.name = text;
  } else if (/^(?:const|let|var)$/.test(before?.text ?? '')) {
    scope.declared = text;
  }
}

function readPunctuation(scopes: Scope[], scope: Scope, { text, start }: Token, before: Token | null): void {
  const beforeName = before?.kind === 'name' ? before.text : null;
  // `class` and `function` can be names of members and attributes.
  if (/^[:=]$/.test(text) && beforeName === scope.coming?.kind) scope.coming = null;
  const endsMember = text === ',' && scope.coming === null && scope.kind !== 'class';
  if (text === ';' || endsMember) {
    renew(scope);
  } else if (text === '=>') {
    const begin = scope.first ?? start;
    scopes.push(scopeOf('arrow', '', scope.binding ?? scope.attribute, begin));
  } else {
    scope.first ??= start;
    if (/^(?:\?\?|&&|\|\|)?=$/.test(text)) {
      scope.binding = scope.declared ?? beforeName;
      scope.declared = null;
    } else if (text === ':' && scope.kind === 'object') {
      scope.binding = beforeName;
    }
  }
}

function openBrace(scopes: Scope[], token: Token, before: Token | null): void {
  const scope = scopes.at(-1) as Scope;
  const start = scope.first ?? token.start;
  scope.first ??= token.start;
  if (before?.text === '=>' && scope.kind === 'arrow') {
    scopes[scopes.length - 1] = scopeOf('function', '}', scope.name, scope.start);
    return;
  }
  const { coming } = scope;
  const isOfType = /^[:<|&]$/.test(before?.text ?? '');
  const isFunctionBody = !isOfType && scope.called !== null;
  if (coming !== null && (coming.kind === 'class' ? !isOfType : isFunctionBody)) {
    scope.coming = null;
    scopes.push(scopeOf(coming.kind, '}', coming.name, coming.start));
    return;
  }
  const isMember = scope.kind === 'class' || scope.kind === 'object';
  const isStatement =
    /^(?:if|for|while|switch|with)$/.test(scope.called?.text ?? '') && scope.kind !== 'class';
  if (isMember && isFunctionBody && !isStatement && scope.binding === null) {
    scopes.push(scopeOf('function', '}', methodName(scope), start));
    return;
  }
  const isValue =
    (isOfType && scope.called !== null) ||
    token.text === '${' ||
    scope.kind === 'group' ||
    (before?.text === ':' && scope.kind === 'object') ||
    /^(?:[=?(,[<>]|&&|\|\||\?\?|\.\.\.|return|default|yield|await|in|of|case|extends)$/.test(
      before?.text ?? '',
    );
  const opened = scopeOf(isValue ? 'object' : 'block', '}', null, start);
  if (before?.text === '=') opened.attribute = scope.binding;
  scopes.push(opened);
}

function methodName({ called, name }: Scope): string | null {
  if (called === null || called.kind !== 'name') return null;
  if (called.text !== 'constructor') return called.text;
  return name === null ? 'constructor' : `new ${name}`;
}

/** The end of a function body, class body or block ends the statement it is in. */
function close(scopes: Scope[], { text }: Token): boolean {
  const closed = scopes.pop() as Scope;
  if (closed.close !== text || scopes.length === 0) return false;
  const scope = scopes.at(-1) as Scope;
  const isMethod = closed.kind === 'function' && (scope.kind === 'class' || scope.kind === 'object');
  if (isMethod || closed.kind === 'block') renew(scope);
  return true;
}

function closeArrows(scopes: Scope[], token: Token, before: Token | null): void {
  const ends =
    /^[,;)\]}]$/.test(token.text) ||
    (token.isFirstOfLine &&
      endsValue(before) &&
      token.kind !== 'mark' &&
      !/^(?:instanceof|in|of|as|satisfies)$/.test(token.text));
  if (!ends) return;
  while (scopes.at(-1)?.kind === 'arrow') scopes.pop();
}

function endsValue(before: Token | null): boolean {
  if (before === null) return true;
  if (before.kind === 'mark') return /^[)\]}]$/.test(before.text);
  return !/^(?:return|typeof|case|in|of|do|else|throw|new|delete|void|instanceof|yield|await|async|const|let|var|export|default|static|get|set|extends|as|satisfies)$/.test(
    before.text,
  );
}

function renew(scope: Scope): void {
  scope.binding = null;
  scope.attribute = null;
  scope.declared = null;
  scope.called = null;
  scope.coming = null;
  scope.first = null;
}

// Tokenizer for JavaScript, TypeScript and JSX, only as exact as brackets and names need. Linear.

interface Token {
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
function* scriptTokens(text: string): Generator<Token, undefined, undefined> {
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
      const delimiter = text.startsWith('${', at) ? '${' : '`';
      const isHole = delimiter === '${';
      if (isHole) braces.push(true);
      const [start, end] = [at, at + delimiter.length];
      before = {
        kind: isHole ? 'mark' : 'literal',
        text: isHole ? delimiter : '',
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
