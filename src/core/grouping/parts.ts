// The parts of a key as data: a page shows them, and a key is made of their text. Part of `ng2`
// (docs/grouping.md, "How a fingerprint comes about").
import { hash } from 'node:crypto';
import { cutText } from '../reading/cut-text.ts';
import type { Grouping } from '../store/events.ts';

const partCharsMax = 2048;
/** Parts of a client's fingerprint that the explanation shows; all of them make the hash. */
const partsShownMax = 100;

/** A frame as a key writes it. */
export interface GroupingFrame {
  /** Empty where it is not known, as is the function. */
  readonly file: string;
  readonly function: string;
  /** Lines of source that count, each at most 120 characters: the condition above a throw, then its own. */
  readonly lines: readonly string[];
}

/** One part: a text as it is, or where an exception or a thread broke. */
export type GroupingPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'frames';
      /** The type of the exception; null for a thread. */
      readonly type: string | null;
      /** The frame nearest the fault first. */
      readonly frames: readonly GroupingFrame[];
      /** What of the message counts beside the frames; empty where nothing does. */
      readonly message: string;
      /** Codes and places that the message names. */
      readonly codes: readonly string[];
    };

/** A part that is a text. */
export function textPart(text: string): GroupingPart {
  return { kind: 'text', text };
}

/** The text of a part, of which a key is made. */
export function partText(part: GroupingPart): string {
  if (part.kind === 'text') return part.text;
  const { type, frames, message, codes } = part;
  const head = type === null ? '' : `${type} @ `;
  const said = message === '' ? '' : ` : ${message}`;
  return `${head}${frames.map(frameText).join(' < ')}${said}${codesText(codes)}`;
}

/** Codes as they stand behind a type or behind frames. */
export function codesText(codes: readonly string[]): string {
  return codes.length === 0 ? '' : ` [${codes.join(' ')}]`;
}

function frameText({ file, function: name, lines }: GroupingFrame): string {
  return [file || '(no file)', name || '(anonymous)', ...lines].join(' · ');
}

interface Components {
  readonly source: string;
  readonly parts: readonly string[];
  readonly notes: readonly string[];
}

/** The hash of a grouping without a fingerprint of the client's. */
export function hashOfParts({ algorithm, source, parts }: Omit<Grouping, 'hash' | 'notes'>): string {
  return sha256([algorithm, source, ...parts]);
}

/** The grouping that a rule of that name makes of its components and of the client's own fingerprint. */
export function groupingOf(algorithm: string, base: Components, own: readonly string[]): Grouping {
  const hash = hashOfParts({ algorithm, ...base });
  if (own.length === 0 || (own.length === 1 && isDefault(own[0]))) {
    return { algorithm, ...base, hash };
  }
  const shown = own.slice(0, partsShownMax).map((member) => cutText(member, partCharsMax));
  const unshown =
    own.length > shown.length ? [`the first ${shown.length} of ${own.length} parts are shown`] : [];
  if (!own.some(isDefault)) {
    const notes = ["the client's fingerprint replaces ours", ...unshown];
    return { algorithm, source: 'fingerprint', parts: shown, notes, hash: sha256(['fp', ...own]) };
  }
  return {
    algorithm,
    source: 'fingerprint+default',
    parts: [...shown, ...base.parts],
    notes: [...base.notes, `{{ default }} stands for ${base.source}`, ...unshown],
    hash: sha256([`fp+${algorithm}`, ...own.map((member) => (isDefault(member) ? hash : member))]),
  };
}

function isDefault(member: string | undefined): boolean {
  return member !== undefined && member.length <= 64 && /^\{\{\s*default\s*\}\}$/.test(member.trim());
}

/** A client may send hundreds of thousands of parts: more than a call takes as arguments. */
function sha256(texts: readonly string[]): string {
  return hash('sha256', texts.join('\0'));
}
