import { hash } from 'node:crypto';
import { cutText } from '../parsing/cut-text.ts';
import type { Grouping } from '../store/events.ts';

const partCharsMax = 2048;
/** Only for display: all parts are hashed. */
const partsShownMax = 100;

export interface GroupingFrame {
  /** Empty where unknown. */
  readonly file: string;
  readonly function: string;
  /** Source lines, at most 120 characters each: the condition before a throw, then the throw. */
  readonly lines: readonly string[];
}

export type GroupingPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'frames';
      readonly type: string | null;
      /** Nearest to the error first. */
      readonly frames: readonly GroupingFrame[];
      readonly message: string;
      readonly codes: readonly string[];
    };

export function textPart(text: string): GroupingPart {
  return { kind: 'text', text };
}

export function partText(part: GroupingPart): string {
  if (part.kind === 'text') return part.text;
  const { type, frames, message, codes } = part;
  const head = type === null ? '' : `${type} @ `;
  const suffix = message === '' ? '' : ` : ${message}`;
  return `${head}${frames.map(frameText).join(' < ')}${suffix}${codesText(codes)}`;
}

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

/** SHA-256, 64 hex, of a grouping without a client's fingerprint. */
export function hashOfParts({ algorithm, source, parts }: Omit<Grouping, 'hash' | 'notes'>): string {
  return sha256([algorithm, source, ...parts]);
}

/** `clientFingerprint` is the fingerprint that the client sent. */
export function buildGrouping(
  algorithm: string,
  base: Components,
  clientFingerprint: readonly string[],
): Grouping {
  const hash = hashOfParts({ algorithm, ...base });
  if (clientFingerprint.length === 0 || (clientFingerprint.length === 1 && isDefault(clientFingerprint[0]))) {
    return { algorithm, ...base, hash };
  }
  const shown = clientFingerprint.slice(0, partsShownMax).map((member) => cutText(member, partCharsMax));
  const unshown =
    clientFingerprint.length > shown.length
      ? [`the first ${shown.length} of ${clientFingerprint.length} parts are shown`]
      : [];
  if (!clientFingerprint.some(isDefault)) {
    const notes = ["the client's fingerprint replaces ours", ...unshown];
    return {
      algorithm,
      source: 'fingerprint',
      parts: shown,
      notes,
      hash: sha256(['fp', ...clientFingerprint]),
    };
  }
  return {
    algorithm,
    source: 'fingerprint+default',
    parts: [...shown, ...base.parts],
    notes: [...base.notes, `{{ default }} stands for ${base.source}`, ...unshown],
    hash: sha256([
      `fp+${algorithm}`,
      ...clientFingerprint.map((member) => (isDefault(member) ? hash : member)),
    ]),
  };
}

function isDefault(member: string | undefined): boolean {
  return member !== undefined && member.length <= 64 && /^\{\{\s*default\s*\}\}$/.test(member.trim());
}

/** Not spread into arguments: clients may send hundreds of thousands of parts. */
function sha256(texts: readonly string[]): string {
  return hash('sha256', texts.join('\0'));
}
