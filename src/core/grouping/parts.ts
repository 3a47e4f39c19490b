// The parts of a key as data: a page shows them, and a key is made of their text. Part of `ng2`
// (docs/grouping.md, "How a fingerprint comes about").

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
