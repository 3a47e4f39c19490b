import { hash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ArtifactInspection } from '../core/ports/symbolication-workers.ts';
import { decodeSourceMapText, findMembers, findRootValue } from './json-bytes.ts';
import { parseDebugId, readInlineMap, readScriptComments } from './script-comments.ts';
import { readSourceMap } from './source-map.ts';
import { SourceMapError } from './source-map-error.ts';

const fileBytesMax = 50 * 1024 * 1024;

const noFindings = { debugId: null, sourceMap: null, hasInlineMap: false, refusal: null, warnings: [] };

type Findings = Omit<ArtifactInspection, 'path' | 'size' | 'sha256' | 'wasGzip'>;

/** Gunzips to a file beside it first, if packed. @throws {SourceMapError} over 50 MB, packed or plain. */
export async function inspectArtifact(
  path: string,
  name: string,
  declaredType: string | null,
): Promise<ArtifactInspection> {
  const sent = readFileUpTo(path);
  const wasGzip = sent[0] === 0x1f && sent[1] === 0x8b;
  const plainPath = wasGzip ? await inflateToFile(path) : path;
  const bytes = wasGzip ? readFileUpTo(plainPath) : sent;
  const plainName = (name.split(/[?#]/, 1)[0] ?? '').replace(wasGzip ? /\.gz$/i : '', '');
  return {
    ...inspectBytes(bytes, plainName, declaredType),
    path: plainPath,
    size: bytes.length,
    sha256: hash('sha256', bytes),
    wasGzip,
  };
}

/** The declared type, else by content and file extension. */
function inspectBytes(bytes: Buffer, name: string, declaredType: string | null): Findings {
  const isMap =
    declaredType === null ? name.endsWith('.map') || looksLikeMap(bytes) : declaredType === 'source_map';
  if (isMap) return inspectMap(bytes);
  if (declaredType === 'source') return { type: 'source', ...noFindings };
  const comments = readScriptComments(bytes);
  const isScript =
    declaredType === 'minified_source' ||
    /\.[mc]?js$/i.test(name) ||
    comments.sourceMap !== null ||
    comments.hasInlineMap ||
    comments.debugId !== null;
  if (!isScript) return { type: 'source', ...noFindings };
  return { type: 'minified_source', ...comments, ...inspectInline(bytes, comments.hasInlineMap) };
}

async function inflateToFile(path: string): Promise<string> {
  const plainPath = `${path}.plain`;
  let size = 0;
  async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > fileBytesMax) throw new SourceMapError(`inflated it is larger than ${fileBytesMax} bytes`);
      yield chunk;
    }
  }
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      counted,
      createWriteStream(plainPath, { mode: 0o600 }),
    );
  } catch (error) {
    throw error instanceof SourceMapError ? error : new SourceMapError('it is not valid gzip data');
  }
  return plainPath;
}

/** @throws {SourceMapError} for a file larger than `bytesMax`. */
export function readFileUpTo(path: string, bytesMax: number = fileBytesMax): Buffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > bytesMax) throw new SourceMapError(`it is larger than ${bytesMax} bytes`);
    const bytes = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      const read = readSync(file, bytes, length, size - length, length);
      if (read === 0) throw new SourceMapError('it is cut off');
      length += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function inspectMap(bytes: Buffer): Findings {
  const found = tryMap(bytes);
  return { type: 'source_map', sourceMap: null, hasInlineMap: false, ...found };
}

function inspectInline(bytes: Buffer, hasInlineMap: boolean): { refusal: string | null; warnings: string[] } {
  if (!hasInlineMap) return { refusal: null, warnings: [] };
  const map = readInlineMap(bytes);
  if (map === null) return { refusal: 'its inline map cannot be decoded', warnings: [] };
  const { refusal, warnings } = tryMap(map);
  return { refusal: refusal === null ? null : `its inline map cannot be used: ${refusal}`, warnings };
}

function tryMap(bytes: Buffer): { debugId: string | null; refusal: string | null; warnings: string[] } {
  try {
    const map = readSourceMap(bytes);
    const warnings = map.remarks.map((remark) => `the map is not quite valid: ${remark}`);
    if (!map.hasContents) {
      warnings.push('the map has no sourcesContent: frames are mapped without their lines');
    }
    if (map.strayCount > 0) {
      warnings.push(`${map.strayCount} mappings point at sources or names that are not in the map`);
    }
    return { debugId: parseDebugId(map.debugId), refusal: null, warnings };
  } catch (error) {
    if (!(error instanceof SourceMapError)) throw error;
    return { debugId: null, refusal: error.message, warnings: [] };
  }
}

function looksLikeMap(sent: Buffer): boolean {
  const bytes = decodeSourceMapText(sent);
  if (bytes.length === 0 || !/^\s*\{/.test(bytes.toString('latin1', 0, 256))) return false;
  try {
    const members = findMembers(bytes, findRootValue(bytes));
    return members.has('version') && (members.has('mappings') || members.has('sections'));
  } catch (error) {
    // A malformed or deeply nested map is refused as a map; a script may begin with a brace as well.
    return (
      error instanceof SourceMapError &&
      /"(?:mappings|sections)"\s*:/.test(bytes.toString('latin1', 0, 4_096))
    );
  }
}
