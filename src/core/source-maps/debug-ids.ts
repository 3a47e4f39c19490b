import type { NormalizedEvent } from '../../../schemas/event.ts';
import { normalizeFileName } from './artifact-names.ts';

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
