// Unpacks files from a JSON upload in a worker, in chunks: no string of 50 MB is built.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { UnpackedBody, UnpackedFile } from '../core/ports/symbolication-workers.ts';
import { readFileUpTo } from './inspect-artifact.ts';
import {
  findElements,
  findMembers,
  findRootValue,
  isString,
  readSmallJson,
  type Span,
} from './json-bytes.ts';
import { SourceMapError } from './source-map-error.ts';

const bodyBytesMax = 100 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const backslash = 0x5c;

/** Writes each content of `{release?, dist?, overwrite?, files: [{name, type?, debug_id?, sourcemap?, content |
 * content_base64}]}` to `folder`. @throws {SourceMapError} naming the faulty file, from 0. */
export function unpackJson(
  path: string,
  folder: string,
  limits: { filesMax: number; fileBytesMax: number },
): UnpackedBody {
  const bytes = readFileUpTo(path, bodyBytesMax);
  const top = findMembers(bytes, findRootValue(bytes));
  const listed = top.get('files');
  if (listed === undefined) throw new SourceMapError('"files" is missing');
  const pairs = findElements(bytes, listed, limits.filesMax, 'files');
  const files: UnpackedFile[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const span = { start: pairs[at] ?? 0, end: pairs[at + 1] ?? 0 };
    const target = join(folder, `json-${at / 2}`);
    files.push(unpackFile(bytes, span, target, at / 2, limits.fileBytesMax));
  }
  const member = (name: string): unknown => readSmallJson(bytes, top.get(name)) ?? null;
  const release = ['release', 'version', 'revision', 'appVersion']
    .map(member)
    .find((value) => value !== null);
  return { release: release ?? null, dist: member('dist'), overwrite: member('overwrite'), files };
}

function unpackFile(
  bytes: Buffer,
  span: Span,
  target: string,
  index: number,
  fileBytesMax: number,
): UnpackedFile {
  const members = findMembers(bytes, span);
  const plain = members.get('content');
  const encoded = members.get('content_base64');
  const content = isString(bytes, plain) ? plain : encoded;
  if (!isString(bytes, content)) throw new SourceMapError(`files[${index}] has no content`);
  const size = writeContent(bytes, content, content === encoded, target, index, fileBytesMax);
  const text = (name: string): string | null => {
    const value = readSmallJson(bytes, members.get(name));
    return typeof value === 'string' ? value : null;
  };
  return {
    name: text('name') ?? text('minified_url') ?? text('url'),
    type: text('type'),
    debugId: text('debug_id') ?? text('debugId'),
    sourceMap: text('sourcemap') ?? text('source_map_url'),
    path: target,
    size,
  };
}

function writeContent(
  bytes: Buffer,
  span: Span,
  isBase64: boolean,
  target: string,
  index: number,
  fileBytesMax: number,
): number {
  const file = openSync(target, 'wx', 0o600);
  let size = 0;
  try {
    let carried = '';
    for (const text of piecesOf(bytes, { start: span.start + 1, end: span.end - 1 }, index)) {
      const joined = carried + (isBase64 ? text.replace(/\s+/g, '') : text);
      const cut = joined.length - (isBase64 ? joined.length % 4 : endsInHighHalf(joined) ? 1 : 0);
      carried = joined.slice(cut);
      size += write(file, joined.slice(0, cut), isBase64);
      if (size > fileBytesMax)
        throw new SourceMapError(`files[${index}] is larger than ${fileBytesMax} bytes`);
    }
    size += write(file, carried, isBase64);
    return size;
  } finally {
    closeSync(file);
  }
}

function write(file: number, text: string, isBase64: boolean): number {
  const piece = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
  writeSync(file, piece);
  return piece.length;
}

/** Decodes a JSON string in chunks that split no escape sequence or character. */
function* piecesOf(bytes: Buffer, span: Span, index: number): Generator<string> {
  let start = span.start;
  while (start < span.end) {
    const end = cutBefore(bytes, start, Math.min(start + pieceBytes, span.end), span.end);
    yield decodePiece(bytes, start, end, index);
    start = end;
  }
}

function decodePiece(bytes: Buffer, start: number, end: number, index: number): string {
  try {
    return JSON.parse(`"${bytes.toString('utf8', start, end)}"`);
  } catch {
    throw new SourceMapError(`the content of files[${index}] is not a valid JSON string`);
  }
}

/** The last position up to `limit` outside of escape sequences and characters. */
function cutBefore(bytes: Buffer, start: number, limit: number, end: number): number {
  if (limit === end) return end;
  let cut = limit;
  while (cut > start && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  // An escape sequence has up to six bytes.
  for (let at = Math.max(start, cut - 5); at < cut; at += 1) {
    if (bytes[at] === backslash && isEscapeStart(bytes, start, at)) return at;
  }
  return cut;
}

/** An even number of backslashes before it means that this one is not escaped itself. */
function isEscapeStart(bytes: Buffer, start: number, at: number): boolean {
  let before = at;
  while (before > start && bytes[before - 1] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

function endsInHighHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
