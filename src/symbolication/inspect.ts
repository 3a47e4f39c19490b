// Reads an uploaded file: what it is, what it says of its map, and whether a map would be of use. Runs in a worker.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { membersOf, wholeValue } from './json-bytes.ts';
import { MapRefused } from './map-refused.ts';
import { debugIdFrom, inlineMap, readScriptComments } from './script.ts';
import { readSourceMap } from './source-map.ts';
import type { InspectAnswer } from './tasks.ts';
import { mapText } from './text.ts';

export const fileBytesMax = 50 * 1024 * 1024;

const nothing = { debugId: null, sourceMap: null, hasInlineMap: false, refusal: null, warnings: [] };

/**
 * Tells the type of a file: as declared, else by content (JSON with `version` and `mappings` or `sections` is a map, as
 * is a name in .map; a name ending in .js, .mjs or .cjs or a script's comment a script, anything else a source), and reads it as such.
 */
export function inspectFile(path: string, name: string, declaredType: string | null): InspectAnswer {
  const bytes = readWhole(path);
  const plainName = name.split(/[?#]/, 1)[0] ?? '';
  const isMap =
    declaredType === null ? plainName.endsWith('.map') || looksLikeMap(bytes) : declaredType === 'source_map';
  if (isMap) return inspectMap(bytes);
  if (declaredType === 'source') return { type: 'source', ...nothing };
  const comments = readScriptComments(bytes);
  const isScript =
    declaredType === 'minified_source' ||
    /\.[mc]?js$/i.test(plainName) ||
    comments.sourceMap !== null ||
    comments.hasInlineMap ||
    comments.debugId !== null;
  if (!isScript) return { type: 'source', ...nothing };
  return { type: 'minified_source', ...comments, ...inspectInline(bytes, comments.hasInlineMap) };
}

/** The whole file; 50 MB at most, which the caller has counted already. */
export function readWhole(path: string, bytesMax: number = fileBytesMax): Buffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > bytesMax) throw new MapRefused(`it is larger than ${bytesMax} bytes`);
    const bytes = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      const read = readSync(file, bytes, length, size - length, length);
      if (read === 0) throw new MapRefused('it is cut off');
      length += read;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function inspectMap(bytes: Buffer): InspectAnswer {
  const found = tryMap(bytes);
  return { type: 'source_map', sourceMap: null, hasInlineMap: false, ...found };
}

function inspectInline(bytes: Buffer, hasInlineMap: boolean): { refusal: string | null; warnings: string[] } {
  if (!hasInlineMap) return { refusal: null, warnings: [] };
  const map = inlineMap(bytes);
  if (map === null) return { refusal: 'its inline map cannot be decoded', warnings: [] };
  const { refusal, warnings } = tryMap(map);
  return { refusal: refusal === null ? null : `its inline map cannot be used: ${refusal}`, warnings };
}

function tryMap(bytes: Buffer): { debugId: string | null; refusal: string | null; warnings: string[] } {
  try {
    const map = readSourceMap(bytes);
    const warnings: string[] = [];
    if (!map.hasContents)
      warnings.push('the map has no sourcesContent: frames are mapped without their lines');
    if (map.strayCount > 0) {
      warnings.push(`${map.strayCount} mappings point at sources or names that are not in the map`);
    }
    return { debugId: debugIdFrom(map.debugId), refusal: null, warnings };
  } catch (error) {
    if (!(error instanceof MapRefused)) throw error;
    return { debugId: null, refusal: error.message, warnings: [] };
  }
}

function looksLikeMap(sent: Buffer): boolean {
  const bytes = mapText(sent);
  if (bytes.length === 0 || !/^\s*\{/.test(bytes.toString('latin1', 0, 256))) return false;
  try {
    const members = membersOf(bytes, wholeValue(bytes));
    return members.has('version') && (members.has('mappings') || members.has('sections'));
  } catch (error) {
    // A broken or nested map is still a map, and is refused as one; a script may begin with a brace as well.
    return (
      error instanceof MapRefused && /"(?:mappings|sections)"\s*:/.test(bytes.toString('latin1', 0, 4_096))
    );
  }
}
