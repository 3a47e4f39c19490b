// Names under which the file of a frame may have been uploaded (docs/source-maps.md, "How a map is found").

import type { NormalizedEvent } from '../../../schemas/event.ts';
import { matchesPattern } from '../parsing/search-text-form.ts';
import { scrubFilePath } from '../scrub/text.ts';

/** URL with query, without, `~/path` with query, without. `app:///x` and paths are `~/x`. */
export function listNameCandidates(address: string): string[] {
  const file = address.split('#', 1)[0] ?? '';
  if (file === '') return [];
  if (file.startsWith('~/')) return distinct([file, withoutQuery(file)]);
  const web = /^(https?):\/\/[^/?]+/i.exec(file);
  if (web !== null) {
    const path = rooted(file.slice(web[0].length));
    return distinct([file, withoutQuery(file), `~${path}`, `~${withoutQuery(path)}`]);
  }
  const path = rooted(file.replace(/^(?:app|file):\/\/\/?/i, '').replace(/^(?:\.\/)+/, ''));
  return distinct([`~${path}`, `~${withoutQuery(path)}`]);
}

/** Percent-decoded except for `%2F`, `%3F`, `%23`, `%25`, `%2A`, `%5C`, control characters and invalid UTF-8. NFC,
 * because macOS file names are decomposed and URLs are not. */
export function normalizeFileName(name: string): string {
  return name
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodedRun(run) ?? run.replace(/%../g, decodedByte))
    .normalize('NFC');
}

/** Names of the map of a script that has no reference or was not uploaded. */
export function listMapNameCandidates(address: string): string[] {
  return listNameCandidates(address).map((name) => addSuffixBeforeQuery(name, '.map'));
}

/** Resolves a `sourceMappingURL` against the script's address. */
export function resolveSourceMapUrl(reference: string, scriptAddress: string): string {
  if (reference.startsWith('~/') || reference.includes('*')) return reference;
  const base = baseOf(scriptAddress);
  return URL.canParse(reference, base) ? fromBase(new URL(reference, base).href) : reference;
}

/** `*` matches any characters; queries are ignored. */
export function matchesWildcardName(pattern: string, name: string): boolean {
  return matchesPattern(withoutQuery(name), withoutQuery(pattern).split('*'));
}

export function addSuffixBeforeQuery(name: string, suffix: string): string {
  const query = name.indexOf('?');
  return query === -1 ? name + suffix : name.slice(0, query) + suffix + name.slice(query);
}

const pathBase = 'app:///';

function baseOf(address: string): string {
  if (/^https?:\/\//i.test(address)) return address;
  return pathBase + rooted(address.replace(/^(?:~|(?:app|file):\/\/)/i, '')).slice(1);
}

function fromBase(address: string): string {
  return address.startsWith(pathBase) ? `~/${address.slice(pathBase.length)}` : address;
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function withoutQuery(name: string): string {
  return name.split('?', 1)[0] ?? name;
}

function decodedRun(run: string): string | null {
  try {
    return decodeURIComponent(run).replace(/[\x00-\x1f\x7f%/?#*\\]/g, percentEncoded);
  } catch {
    return null;
  }
}

function decodedByte(byte: string): string {
  return decodedRun(byte) ?? byte.toUpperCase();
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** In normal form and scrubbed, as names are stored. */
function distinct(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => scrubFilePath(normalizeFileName(name))))];
}

const imagesMax = 1_000;

/** Lower case with dashes, from either form; null if it is not a UUID. */
export function parseDebugId(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const bare = text.trim().toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(bare)) return null;
  return [bare.slice(0, 8), bare.slice(8, 12), bare.slice(12, 16), bare.slice(16, 20), bare.slice(20)].join(
    '-',
  );
}

/** Debug id by file name (as in `normalizeFileName`) from `debug_meta.images`; at most 1,000 images. */
export function collectDebugIds(event: NormalizedEvent): Map<string, string> {
  const images: unknown = event.debug_meta?.['images'];
  const ids = new Map<string, string>();
  if (!Array.isArray(images)) return ids;
  for (const image of images.slice(0, imagesMax)) {
    if (typeof image !== 'object' || image === null || image.type !== 'sourcemap') continue;
    const id = parseDebugId(image.debug_id);
    if (id !== null && typeof image.code_file === 'string') ids.set(normalizeFileName(image.code_file), id);
  }
  return ids;
}
