/** A longer cluster is unreadable and may be split. */
const clusterUnitsMax = 64;
/** How far back a certain cluster boundary is searched; flags are pairs counted from the first. */
const lookBehindUnitsMax = 1024;
/** No code point below joins the previous one, except LF after CR (Unicode Standard Annex 29). */
const joiningFrom = 0x300;

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** At most `codePointsMax` code points from the start. */
export function cutText(text: string, codePointsMax: number): string {
  if (text.length <= codePointsMax) return text;
  const end = unitsOf(text, codePointsMax);
  return end === text.length ? text : text.slice(0, lastClusterBoundary(text, end));
}

/** At most `bytesMax` bytes of UTF-8 from the start. */
export function cutBytes(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  if (bytesMax <= 0) return '';
  // A UTF-16 unit takes at least one byte, so further units cannot fit.
  const prefix = text.length > bytesMax ? text.slice(0, bytesMax) : text;
  const buffer = new Uint8Array(bytesMax);
  const { read } = utf8.encodeInto(prefix, buffer);
  return read === text.length ? text : text.slice(0, lastClusterBoundary(text, read));
}

/** At most `codePointsMax` code points from the end. */
export function cutTextFromEnd(text: string, codePointsMax: number): string {
  if (text.length <= codePointsMax) return text;
  let start = text.length;
  for (let left = codePointsMax; left > 0 && start > 0; left -= 1) start -= isPairAt(text, start - 2) ? 2 : 1;
  return sliceFromCluster(text, start);
}

/** The text from the first cluster boundary at or after `start`. */
function sliceFromCluster(text: string, start: number): string {
  const boundary = lastClusterBoundary(text, start);
  return boundary === start ? text.slice(start) : text.slice(nextClusterBoundary(text, boundary));
}

/** At most `unitsMax` UTF-16 units from the start, to bound memory. */
export function cutUtf16Units(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, lastClusterBoundary(text, Math.max(0, unitsMax)));
}

export function cutUtf16UnitsFromEnd(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : sliceFromCluster(text, text.length - unitsMax);
}

/** Does not count a long text to its end. */
export function isLongerThan(text: string, codePointsMax: number): boolean {
  return text.length > codePointsMax && unitsOf(text, codePointsMax) < text.length;
}

const utf8 = new TextEncoder();

function unitsOf(text: string, codePoints: number): number {
  const { length } = text;
  let at = 0;
  for (let left = codePoints; left > 0 && at < length; left -= 1) {
    at += (text.charCodeAt(at) & 0xfc00) === 0xd800 && isPairAt(text, at) ? 2 : 1;
  }
  return at;
}

function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** The last cluster boundary up to `end`. */
function lastClusterBoundary(text: string, end: number): number {
  if (end <= 0 || end >= text.length || isBetween(text, end)) return end;
  const from = certainBoundaryBefore(text, end);
  const cluster = clusterAt(text, from, end);
  return cluster === null || end - cluster.start > clusterUnitsMax
    ? betweenCodePoints(text, end)
    : cluster.start;
}

function nextClusterBoundary(text: string, start: number): number {
  const cluster = clusterAt(text, start, start);
  return cluster === null ? start : start + cluster.length;
}

/** A fast check that is true for most text. */
function isBetween(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)];
  return before < joiningFrom && after < joiningFrom && !(before === 0x0d && after === 0x0a);
}

function certainBoundaryBefore(text: string, end: number): number {
  const first = Math.max(0, end - lookBehindUnitsMax);
  for (let at = end - 1; at > first; at -= 1) if (isBetween(text, at)) return at;
  return betweenCodePoints(text, first);
}

function clusterAt(text: string, from: number, index: number): { start: number; length: number } | null {
  const found = characters.segment(text.slice(from, index + clusterUnitsMax)).containing(index - from);
  return found === undefined ? null : { start: from + found.index, length: found.segment.length };
}

function betweenCodePoints(text: string, index: number): number {
  return index > 0 && isPairAt(text, index - 1) ? index - 1 : index;
}
