// Stands before the XML parser and lets no single text, attribute, comment or tag through that is huge: the
// parser collects each whole before it hands it on, and a text of 49 MB would end a thread that may hold 100.
// What is too long is cut, a tag that is too long is refused, and a DOCTYPE is refused as soon as it begins.
// Pure.
import { cutUnits, cutUnitsBefore } from '../../../reading/cut-text.ts';
import {
  hasReference,
  referenceAtEnd,
  withoutForbiddenReferences,
  withWrittenAmpersands,
} from './xml-characters.ts';

/**
 * Of one text, attribute value, comment or CDATA section so much goes through; the limits of what is kept are
 * far below.
 */
const runCharactersMax = 65_536;
/**
 * Of a text of which the end is kept, so much of the end goes through too: enough for 16 KiB of it if every
 * character is written as an entity.
 */
const tailCharactersMax = 196_608;
/** A tag without its attribute values. */
const tagCharactersMax = 65_536;
/** `&` to `;`: the longest we know is a numeric one. */
const entityCharactersMax = 64;

export interface XmlGateEvents {
  /** Throws a sentence about the report. */
  refuse(sentence: string): never;
  /** Whether of the text that is open the end is wanted: all before it has been written. */
  keepsEnd(): boolean;
  /** References to characters that XML forbids were taken out. */
  forbiddenRemoved(): void;
  /** An `&` that begins no reference was taken as the character itself. */
  ampersandForgiven(): void;
}

export interface XmlGate {
  write(text: string): void;
  /** Lets go what was held back to see how it goes on. */
  end(): void;
}

type Place = 'text' | 'tag' | 'quote' | 'comment' | 'cdata' | 'instruction';

interface State {
  place: Place;
  /** What closes the place: a quote, `-->`, `]]>`, `?>`. */
  closer: string;
  /** Characters of the present run, or of the present tag. */
  run: number;
  tag: number;
  /** Characters since an `&` that no `;` has followed. */
  entity: number | null;
  held: string;
  /** Whether the end of the present run is kept; null until it is longer than what goes through. */
  keepsEnd: boolean | null;
  tail: string;
}

/** Where the pieces go that are let through. */
interface Output {
  readonly pieces: string[];
  readonly events: XmlGateEvents;
  /** Writes the pieces on. */
  flush(): void;
}

/** Passes XML on to `write`, bounded and without references to characters that XML forbids. */
export function createXmlGate(write: (text: string) => void, events: XmlGateEvents): XmlGate {
  const state: State = {
    place: 'text',
    closer: '<',
    run: 0,
    tag: 0,
    entity: null,
    held: '',
    keepsEnd: null,
    tail: '',
  };
  const read = (text: string, isLast: boolean): void => {
    const piece = state.held + text;
    state.held = '';
    const pieces: string[] = [];
    const flush = (): void => {
      write(pieces.join(''));
      pieces.length = 0;
    };
    const out: Output = { pieces, events, flush };
    for (let at = 0; at < piece.length; ) {
      const next = step(state, piece, at, isLast, out);
      if (typeof next === 'string') {
        // What stands before it first, so that the place in the sentence is right.
        flush();
        events.refuse(next);
      } else {
        at = next;
      }
    }
    flush();
  };
  return { write: (text) => read(text, false), end: () => read('', true) };
}

/** Reads on from `at`; answers where to go on, or what is wrong. */
function step(state: State, piece: string, at: number, isLast: boolean, out: Output): number | string {
  if (state.place === 'tag') {
    return readTag(state, piece, at, out);
  }
  const found = piece.indexOf(state.closer, at);
  const isMarkedUp = state.place === 'text' || state.place === 'quote';
  // The closer may begin at the end of this piece, or a reference that goes on in the next.
  const hold =
    found !== -1 || isLast
      ? 0
      : isMarkedUp
        ? referenceAtEnd(piece.slice(at))
        : beginningOf(state.closer, piece, at);
  const until = found === -1 ? piece.length - hold : found;
  const run = piece.slice(at, until);
  const written = isMarkedUp ? withWrittenAmpersands(run) : run;
  if (written !== run) out.events.ampersandForgiven();
  const clean = isMarkedUp && hasReference(written) ? withoutForbiddenReferences(written) : written;
  if (clean !== written) out.events.forbiddenRemoved();
  passRun(state, clean, out);
  if (found === -1) {
    state.held = piece.slice(until);
    return piece.length;
  }
  passTail(state, out);
  return state.place === 'text' ? openMarkup(state, piece, found, isLast, out) : closeRun(state, found, out);
}

/** A run is over: its closer goes through, and a quote leads back into its tag. */
function closeRun(state: State, found: number, out: Output): number {
  const { closer, place } = state;
  out.pieces.push(closer);
  enter(state, place === 'quote' ? 'tag' : 'text', '<');
  return found + closer.length;
}

/** `<` begins a tag, a comment, a CDATA section or an instruction; a few characters more tell which. */
function openMarkup(state: State, piece: string, at: number, isLast: boolean, out: Output): number | string {
  const kinds = [
    ['<!--', 'comment', '-->'],
    ['<![CDATA[', 'cdata', ']]>'],
    ['<?', 'instruction', '?>'],
  ] as const;
  const rest = piece.slice(at, at + 9);
  for (const [opener, place, closer] of kinds) {
    if (rest.startsWith(opener)) {
      out.pieces.push(opener);
      enter(state, place, closer);
      return at + opener.length;
    }
    if (opener.startsWith(rest)) {
      // Cut off here the parser says what is missing; otherwise the next piece tells.
      if (isLast) out.pieces.push(rest);
      else state.held = rest;
      return piece.length;
    }
  }
  if (rest.startsWith('<!')) {
    return 'has a DOCTYPE, which is not taken';
  }
  out.pieces.push('<');
  enter(state, 'tag', '>');
  state.tag = 0;
  return at + 1;
}

const endOfTagPart = /["'>]/g;

/** The part of a tag up to its end or to the next attribute value. */
function readTag(state: State, piece: string, at: number, out: Output): number | string {
  endOfTagPart.lastIndex = at;
  const found = endOfTagPart.exec(piece);
  const until = found === null ? piece.length : found.index + 1;
  state.tag += until - at;
  if (state.tag > tagCharactersMax) {
    return `has a tag of more than ${tagCharactersMax} characters`;
  }
  out.pieces.push(piece.slice(at, until));
  if (found !== null) {
    enter(state, found[0] === '>' ? 'text' : 'quote', found[0] === '>' ? '<' : found[0]);
  }
  return until;
}

/** Lets a run through up to its limit, never ending inside an entity. */
function passRun(state: State, text: string, out: Output): void {
  const room = runCharactersMax - state.run;
  state.run += text.length;
  if (state.place !== 'text' && state.place !== 'quote') {
    const kept = cutUnits(text, room);
    out.pieces.push(kept);
    if (state.place === 'cdata') keepTail(state, text.slice(kept.length), out);
    return;
  }
  const kept = withWholeEntities(state, text, room);
  out.pieces.push(kept);
  if (state.place === 'text') keepTail(state, text.slice(kept.length), out);
}

/** Holds the end of what did not go through, where it is wanted. */
function keepTail(state: State, rest: string, out: Output): void {
  if (rest === '') return;
  if (state.keepsEnd === null) {
    out.flush();
    state.keepsEnd = out.events.keepsEnd();
  }
  if (!state.keepsEnd) return;
  state.tail += rest;
  if (state.tail.length > 2 * tailCharactersMax) state.tail = cutUnitsBefore(state.tail, tailCharactersMax);
}

/** Lets the end of a run through. */
function passTail(state: State, out: Output): void {
  out.pieces.push(cutUnitsBefore(state.tail, tailCharactersMax));
  state.tail = '';
}

/**
 * As much of a text as there is room for; an entity begun before the limit goes through to its end, none
 * begins after it.
 */
function withWholeEntities(state: State, text: string, room: number): string {
  if (room <= 0 && state.entity === null) {
    return '';
  }
  let kept = cutUnits(text, room);
  if (kept.length < text.length) {
    const opened = kept.lastIndexOf('&');
    const inside =
      opened > kept.lastIndexOf(';') || (opened === -1 && state.entity !== null && !kept.includes(';'));
    const ends = inside ? text.indexOf(';', kept.length) : -1;
    if (inside) {
      kept = ends === -1 ? text.slice(0, kept.length + entityCharactersMax + 1) : text.slice(0, ends + 1);
    }
  }
  noteEntity(state, kept);
  return kept;
}

function noteEntity(state: State, kept: string): void {
  const opened = kept.lastIndexOf('&');
  const closed = kept.lastIndexOf(';');
  if (opened > closed) {
    state.entity = kept.length - opened;
  } else if (closed !== -1) {
    state.entity = null;
  } else if (state.entity !== null) {
    state.entity += kept.length;
  }
}

function enter(state: State, place: Place, closer: string): void {
  state.place = place;
  state.closer = closer;
  state.run = 0;
  state.entity = null;
  state.keepsEnd = null;
  state.tail = '';
}

/** How many characters at the end of a piece may be the beginning of the closer. */
function beginningOf(closer: string, piece: string, from: number): number {
  for (let length = Math.min(closer.length - 1, piece.length - from); length > 0; length -= 1) {
    if (closer.startsWith(piece.slice(piece.length - length))) {
      return length;
    }
  }
  return 0;
}
