// Stands before the XML parser and lets no single text, attribute, comment or tag through that is huge: the
// parser collects each whole before it hands it on, and a text of 49 MB would end a thread that may hold 100.
// What is too long is cut, what cannot be cut (a tag, an entity) is refused, and a DOCTYPE is refused as soon
// as it begins. Pure.
import { cutUnits } from '../../reading/cut-text.ts';

/**
 * Of one text, attribute value, comment or CDATA section so much goes through; the limits of what is kept are
 * far below.
 */
const runCharactersMax = 65_536;
/** A tag without its attribute values. */
const tagCharactersMax = 65_536;
/** `&` to `;`: the longest we know is a numeric one. */
const entityCharactersMax = 64;

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
}

/** Passes XML on to `write`, bounded; `refuse` throws a sentence about the report. */
export function createXmlGate(write: (text: string) => void, refuse: (sentence: string) => never): XmlGate {
  const state: State = { place: 'text', closer: '<', run: 0, tag: 0, entity: null, held: '' };
  const read = (text: string, isLast: boolean): void => {
    const piece = state.held + text;
    state.held = '';
    const out: string[] = [];
    for (let at = 0; at < piece.length; ) {
      const next = step(state, piece, at, isLast, out);
      if (typeof next === 'string') {
        // What stands before it first, so that the place in the sentence is right.
        write(out.join(''));
        refuse(next);
      } else {
        at = next;
      }
    }
    write(out.join(''));
  };
  return { write: (text) => read(text, false), end: () => read('', true) };
}

/** Reads on from `at`; answers where to go on, or what is wrong. */
function step(state: State, piece: string, at: number, isLast: boolean, out: string[]): number | string {
  if (state.place === 'tag') {
    return readTag(state, piece, at, out);
  }
  const found = piece.indexOf(state.closer, at);
  // The closer may begin at the end of this piece.
  const hold = found === -1 && !isLast ? beginningOf(state.closer, piece, at) : 0;
  const until = found === -1 ? piece.length - hold : found;
  const problem = passRun(state, piece.slice(at, until), out);
  if (problem !== null) {
    return problem;
  }
  if (found === -1) {
    state.held = piece.slice(until);
    return piece.length;
  }
  return state.place === 'text' ? openMarkup(state, piece, found, isLast, out) : closeRun(state, found, out);
}

/** A run is over: its closer goes through, and a quote leads back into its tag. */
function closeRun(state: State, found: number, out: string[]): number {
  const { closer, place } = state;
  out.push(closer);
  enter(state, place === 'quote' ? 'tag' : 'text', '<');
  return found + closer.length;
}

/** `<` begins a tag, a comment, a CDATA section or an instruction; a few characters more tell which. */
function openMarkup(
  state: State,
  piece: string,
  at: number,
  isLast: boolean,
  out: string[],
): number | string {
  const kinds = [
    ['<!--', 'comment', '-->'],
    ['<![CDATA[', 'cdata', ']]>'],
    ['<?', 'instruction', '?>'],
  ] as const;
  const rest = piece.slice(at, at + 9);
  for (const [opener, place, closer] of kinds) {
    if (rest.startsWith(opener)) {
      out.push(opener);
      enter(state, place, closer);
      return at + opener.length;
    }
    if (opener.startsWith(rest)) {
      // Cut off here the parser says what is missing; otherwise the next piece tells.
      if (isLast) out.push(rest);
      else state.held = rest;
      return piece.length;
    }
  }
  if (rest.startsWith('<!')) {
    return 'has a DOCTYPE, which is not taken';
  }
  out.push('<');
  enter(state, 'tag', '>');
  state.tag = 0;
  return at + 1;
}

const endOfTagPart = /["'>]/g;

/** The part of a tag up to its end or to the next attribute value. */
function readTag(state: State, piece: string, at: number, out: string[]): number | string {
  endOfTagPart.lastIndex = at;
  const found = endOfTagPart.exec(piece);
  const until = found === null ? piece.length : found.index + 1;
  state.tag += until - at;
  if (state.tag > tagCharactersMax) {
    return `has a tag of more than ${tagCharactersMax} characters`;
  }
  out.push(piece.slice(at, until));
  if (found !== null) {
    enter(state, found[0] === '>' ? 'text' : 'quote', found[0] === '>' ? '<' : found[0]);
  }
  return until;
}

/** Lets a run through up to its limit, never ending inside an entity; answers what is wrong, or null. */
function passRun(state: State, text: string, out: string[]): string | null {
  const room = runCharactersMax - state.run;
  state.run += text.length;
  if (state.place !== 'text' && state.place !== 'quote') {
    out.push(cutUnits(text, room));
    return null;
  }
  const kept = withWholeEntities(state, text, room);
  out.push(kept);
  return state.entity !== null && state.entity > entityCharactersMax
    ? 'has an entity that does not end'
    : null;
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
