// What a script says about its own map: the comments at its end and an inline map.
import { cutText } from '../core/reading/cut-text.ts';
import { utf8Text } from './text.ts';

// Only these last bytes are searched for a debug id: five lines of comments, and room for a long last line.
const tailBytes = 64 * 1024;
const referenceCharactersMax = 2_048;
const debugIdLines = 5;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface ScriptComments {
  /** What `sourceMappingURL` says, as written; null for none and for an inline map. */
  readonly sourceMap: string | null;
  readonly hasInlineMap: boolean;
  readonly debugId: string | null;
}

/** Reads the `sourceMappingURL` and `debugId` comments of a script (ECMA-426 and its debug id proposal). */
export function readScriptComments(sent: Buffer): ScriptComments {
  const bytes = utf8Text(sent);
  const reference = lastReference(bytes);
  const hasInlineMap = reference?.startsWith('data:') ?? false;
  return {
    sourceMap: hasInlineMap || reference === null ? null : cutText(reference, referenceCharactersMax),
    hasInlineMap,
    debugId: debugIdOf(bytes),
  };
}

/** The map inside a script's `data:` comment, or null where there is none that can be read. */
export function inlineMap(sent: Buffer): Buffer | null {
  const bytes = utf8Text(sent);
  const place = lastReferencePlace(bytes);
  if (place === null) return null;
  const comma = bytes.indexOf(0x2c, place.start);
  if (comma === -1 || comma >= place.end) return null;
  const head = bytes.toString('latin1', place.start, comma);
  if (!head.startsWith('data:')) return null;
  const body = bytes.toString('latin1', comma + 1, place.end);
  return head.endsWith(';base64') ? Buffer.from(body, 'base64') : percentDecoded(body);
}

/** A debug id as it is kept: lower case with dashes; null for anything that is not a UUID. */
export function debugIdFrom(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const bare = /^[0-9a-f]{32}$/i.test(text)
    ? text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : text;
  return uuid.test(bare) ? bare.toLowerCase() : null;
}

function lastReference(bytes: Buffer): string | null {
  const place = lastReferencePlace(bytes);
  if (place === null) return null;
  const end = Math.min(place.end, place.start + referenceCharactersMax);
  return bytes.toString('utf8', place.start, end).trim();
}

/**
 * Where the value of the last `//# sourceMappingURL=` stands; the comment must begin its line's last comment.
 */
function lastReferencePlace(bytes: Buffer): { start: number; end: number } | null {
  const word = 'sourceMappingURL=';
  for (let at = bytes.lastIndexOf(word); at > 0; at = bytes.lastIndexOf(word, at - 1)) {
    if (/(?:\/\/|\/\*)[#@][ \t]*$/.test(bytes.toString('latin1', Math.max(0, at - 16), at))) {
      const start = at + word.length;
      return { start, end: endOfReference(bytes, start) };
    }
  }
  return null;
}

/** A reference ends at white space, at a quote or at the end of a block comment. */
function endOfReference(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20 || byte === 0x22 || byte === 0x27) break;
    if (byte === 0x2a && bytes[at + 1] === 0x2f) break;
    at += 1;
  }
  return at;
}

/** The comment counts, not the snippet that some tools also write: two ids in one file do happen. */
function debugIdOf(bytes: Buffer): string | null {
  const tail = bytes.toString('utf8', Math.max(0, bytes.length - tailBytes));
  const lines = tail
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .slice(-debugIdLines);
  for (const line of lines.reverse()) {
    const found = /^[ \t]*\/\/[#@][ \t]*debugId=([0-9a-fA-F-]{32,36})[ \t]*$/.exec(line);
    const id = debugIdFrom(found?.[1]);
    if (id !== null) return id;
  }
  return null;
}

function percentDecoded(text: string): Buffer | null {
  try {
    return Buffer.from(decodeURIComponent(text), 'utf8');
  } catch {
    return null;
  }
}
