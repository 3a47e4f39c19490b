// Limits text, attributes, comments and tags before the XML parser, which buffers each whole: a 49 MB text
// would exceed the 100 MB of a worker. Too long texts are cut, too long tags and DOCTYPEs refused.
import { cutUtf16Units, cutUtf16UnitsFromEnd } from '../../../parsing/cut-text.ts';

/** For one text, attribute value, comment or CDATA section; stored texts are much shorter. */
const runCharactersMax = 65_536;
/** For output, whose end is kept: enough for 16 KiB if every character is an entity. */
const tailCharactersMax = 196_608;
/** Without attribute values. */
const tagCharactersMax = 65_536;
/** `&` to `;`. */
const entityCharactersMax = 64;

interface XmlLimiterEvents {
  refuse(sentence: string): never;
  /** Whether the end of the current text is kept. Everything before it has been written. */
  keepsEnd(): boolean;
  forbiddenRemoved(): void;
  ampersandForgiven(): void;
}

type MarkupContext = 'text' | 'tag' | 'quote' | 'comment' | 'cdata' | 'instruction';

type State = ReturnType<typeof createState>;

function createState() {
  return {
    context: 'text' as MarkupContext,
    /** A quote, `-->`, `]]>` or `?>`. */
    closer: '<',
    run: 0,
    tag: 0,
    entity: null as number | null,
    pending: '',
    keepsEnd: null as boolean | null,
    tail: '',
  };
}

interface Output {
  readonly pieces: string[];
  readonly events: XmlLimiterEvents;
  flush(): void;
}

export function createXmlLimiter(write: (text: string) => void, events: XmlLimiterEvents) {
  const state = createState();
  const read = (text: string, isLast: boolean): void => {
    const piece = state.pending + text;
    state.pending = '';
    const pieces: string[] = [];
    const flush = (): void => {
      write(pieces.join(''));
      pieces.length = 0;
    };
    const output: Output = { pieces, events, flush };
    for (let at = 0; at < piece.length; ) {
      const next = step(state, piece, at, isLast, output);
      if (typeof next === 'string') {
        // Write earlier text first, so that the parser's position is correct.
        flush();
        events.refuse(next);
      } else {
        at = next;
      }
    }
    flush();
  };
  return { write: (text: string) => read(text, false), end: () => read('', true) };
}

/** Returns the next position, or an error sentence. */
function step(state: State, piece: string, at: number, isLast: boolean, output: Output): number | string {
  if (state.context === 'tag') {
    return readTag(state, piece, at, output);
  }
  const found = piece.indexOf(state.closer, at);
  const isMarkedUp = state.context === 'text' || state.context === 'quote';
  // The closer or a reference may continue in the next piece.
  const heldBack =
    found !== -1 || isLast
      ? 0
      : isMarkedUp
        ? incompleteReferenceLength(piece.slice(at))
        : beginningOf(state.closer, piece, at);
  const until = found === -1 ? piece.length - heldBack : found;
  const run = piece.slice(at, until);
  const written = isMarkedUp ? escapeLoneAmpersands(run) : run;
  if (written !== run) output.events.ampersandForgiven();
  const clean = isMarkedUp && hasReference(written) ? removeForbiddenReferences(written) : written;
  if (clean !== written) output.events.forbiddenRemoved();
  passRun(state, clean, output);
  if (found === -1) {
    state.pending = piece.slice(until);
    return piece.length;
  }
  passTail(state, output);
  return state.context === 'text'
    ? openMarkup(state, piece, found, isLast, output)
    : closeRun(state, found, output);
}

function closeRun(state: State, found: number, output: Output): number {
  const { closer, context } = state;
  output.pieces.push(closer);
  enter(state, context === 'quote' ? 'tag' : 'text', '<');
  return found + closer.length;
}

function openMarkup(state: State, piece: string, at: number, isLast: boolean, output: Output) {
  const kinds = [
    ['<!--', 'comment', '-->'],
    ['<![CDATA[', 'cdata', ']]>'],
    ['<?', 'instruction', '?>'],
  ] as const;
  const rest = piece.slice(at, at + 9);
  for (const [opener, context, closer] of kinds) {
    if (rest.startsWith(opener)) {
      output.pieces.push(opener);
      enter(state, context, closer);
      return at + opener.length;
    }
    if (opener.startsWith(rest)) {
      // At the end of the input the parser reports what is missing.
      if (isLast) output.pieces.push(rest);
      else state.pending = rest;
      return piece.length;
    }
  }
  if (rest.startsWith('<!')) {
    return 'has a DOCTYPE, which is not taken';
  }
  output.pieces.push('<');
  enter(state, 'tag', '>');
  state.tag = 0;
  return at + 1;
}

const endOfTagPart = /["'>]/g;

function readTag(state: State, piece: string, at: number, output: Output): number | string {
  endOfTagPart.lastIndex = at;
  const found = endOfTagPart.exec(piece);
  const until = found === null ? piece.length : found.index + 1;
  state.tag += until - at;
  if (state.tag > tagCharactersMax) {
    return `has a tag of more than ${tagCharactersMax} characters`;
  }
  output.pieces.push(piece.slice(at, until));
  if (found !== null) {
    enter(state, found[0] === '>' ? 'text' : 'quote', found[0] === '>' ? '<' : found[0]);
  }
  return until;
}

/** Never ends inside an entity. */
function passRun(state: State, text: string, output: Output): void {
  const remaining = runCharactersMax - state.run;
  state.run += text.length;
  if (state.context !== 'text' && state.context !== 'quote') {
    const shortened = cutUtf16Units(text, remaining);
    output.pieces.push(shortened);
    if (state.context === 'cdata') keepTail(state, text.slice(shortened.length), output);
    return;
  }
  const shortened = withWholeEntities(state, text, remaining);
  output.pieces.push(shortened);
  if (state.context === 'text') keepTail(state, text.slice(shortened.length), output);
}

function keepTail(state: State, rest: string, output: Output): void {
  if (rest === '') return;
  if (state.keepsEnd === null) {
    output.flush();
    state.keepsEnd = output.events.keepsEnd();
  }
  if (!state.keepsEnd) return;
  state.tail += rest;
  if (state.tail.length > 2 * tailCharactersMax)
    state.tail = cutUtf16UnitsFromEnd(state.tail, tailCharactersMax);
}

function passTail(state: State, output: Output): void {
  output.pieces.push(cutUtf16UnitsFromEnd(state.tail, tailCharactersMax));
  state.tail = '';
}

/** An entity that begins before the limit is written whole. */
function withWholeEntities(state: State, text: string, remaining: number): string {
  if (remaining <= 0 && state.entity === null) {
    return '';
  }
  let shortened = cutUtf16Units(text, remaining);
  if (shortened.length < text.length) {
    const opened = shortened.lastIndexOf('&');
    const isInsideEntity =
      opened > shortened.lastIndexOf(';') ||
      (opened === -1 && state.entity !== null && !shortened.includes(';'));
    const ends = isInsideEntity ? text.indexOf(';', shortened.length) : -1;
    if (isInsideEntity) {
      shortened =
        ends === -1 ? text.slice(0, shortened.length + entityCharactersMax + 1) : text.slice(0, ends + 1);
    }
  }
  noteEntity(state, shortened);
  return shortened;
}

function noteEntity(state: State, shortened: string): void {
  const opened = shortened.lastIndexOf('&');
  const closed = shortened.lastIndexOf(';');
  if (opened > closed) {
    state.entity = shortened.length - opened;
  } else if (closed !== -1) {
    state.entity = null;
  } else if (state.entity !== null) {
    state.entity += shortened.length;
  }
}

function enter(state: State, context: MarkupContext, closer: string): void {
  state.context = context;
  state.closer = closer;
  state.run = 0;
  state.entity = null;
  state.keepsEnd = null;
  state.tail = '';
}

function beginningOf(closer: string, piece: string, from: number): number {
  for (let length = Math.min(closer.length - 1, piece.length - from); length > 0; length -= 1) {
    if (closer.startsWith(piece.slice(piece.length - length))) {
      return length;
    }
  }
  return 0;
}

// Removes characters that XML forbids, also as references. References to a surrogate pair become one.

/** Some tools write these into messages. */
const forbiddenControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function removeControlCharacters(text: string, removed: () => void): string {
  const clean = text.replaceAll(forbiddenControls, '');
  if (clean.length !== text.length) removed();
  return clean;
}

const one = `&#(?:[xX][0-9a-fA-F]{1,12}|[0-9]{1,12});`;
const inARow = new RegExp(`(?:${one})+`, 'g');
const each = new RegExp(one, 'g');
/** References to 0xd800 to 0xdbff. */
const highHalf = String.raw`&#(?:[xX]0{0,6}[dD][89abAB][0-9a-fA-F]{2}|0{0,6}5(?:529[6-9]|5[3-9]\d\d|6[0-2]\d\d|63[01]\d));`;
/** An incomplete reference, or a high surrogate whose other half may follow. */
const atEnd = new RegExp(`(?:${highHalf})?(?:&[#a-zA-Z0-9]{0,14})?$`);
const atEndCharactersMax = 32;

/** An `&` that begins no reference that XML knows: `&nbsp;` of HTML is text, for no document type is read. */
const loneAmpersand = /&(?!(?:lt|gt|amp|apos|quot|#[0-9]{1,12}|#[xX][0-9a-fA-F]{1,12});)/g;

function escapeLoneAmpersands(text: string): string {
  return text.includes('&') ? text.replaceAll(loneAmpersand, '&amp;') : text;
}

function hasReference(text: string): boolean {
  return text.includes('&#');
}

function incompleteReferenceLength(text: string): number {
  return atEnd.exec(text.slice(-atEndCharactersMax))?.[0].length ?? 0;
}

function removeForbiddenReferences(text: string): string {
  return text.replaceAll(inARow, (row) => {
    const references = row.match(each) ?? [];
    if (references.every((reference) => isAllowed(numberOf(reference)))) return row;
    return charactersOf(references.map(numberOf))
      .filter(isAllowed)
      .map((code) => `&#${code};`)
      .join('');
  });
}

function numberOf(reference: string): number {
  const digits = reference.slice(2, -1);
  return /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
}

function charactersOf(numbers: readonly number[]): number[] {
  const joined: number[] = [];
  for (const number of numbers) {
    const before = joined.at(-1) ?? 0;
    const isPair = before >= 0xd800 && before < 0xdc00 && number >= 0xdc00 && number < 0xe000;
    if (isPair) joined[joined.length - 1] = 0x10000 + (before - 0xd800) * 0x400 + (number - 0xdc00);
    else joined.push(number);
  }
  return joined;
}

/** `Char` in XML 1.0. */
function isAllowed(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}
