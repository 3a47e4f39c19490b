import type { FeedbackRequest, FeedbackWarning } from '../../../schemas/feedback.ts';
import { createInvalidParamError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { UploadedImage } from '../ports/prepared-data.ts';
import type { Screenshot } from '../store/feedback.ts';
import { readImageInfo, screenshotBytesMax, screenshotPixelsMax, screenshotsMax } from './image-info.ts';

export interface FeedbackFile {
  readonly filename: string;
  readonly bytes: Buffer;
}

const nameCharactersMax = 100;

export function collectImages(
  sent: NonNullable<FeedbackRequest['screenshots']>,
  files: readonly FeedbackFile[],
): UploadedImage[] {
  return [
    ...sent.map(({ data, name }) => ({ bytes: decodeBase64(data), name: name ?? '' })),
    ...files.map(({ bytes, filename }) => ({ bytes, name: filename })),
  ];
}

/** At most three PNG, JPEG or WebP, 5 MiB and 40 megapixels each. Throws 400; `lenient` drops with a warning. */
export function validateScreenshots(
  images: readonly UploadedImage[],
  options: { lenient: boolean },
): { screenshots: Screenshot[]; warnings: FeedbackWarning[] } {
  const warnings: FeedbackWarning[] = [];
  const refuse = (message: string): void => {
    if (!options.lenient) throw createInvalidParamError({ screenshots: message });
    warnings.push({ code: 'invalid_screenshot', field: 'screenshots', message });
  };
  if (images.length > screenshotsMax) refuse(`screenshots must contain at most ${screenshotsMax} items.`);
  const screenshots: Screenshot[] = [];
  for (const { bytes, name } of images.slice(0, screenshotsMax)) {
    const facts = bytes === null ? null : readImageInfo(bytes);
    if (bytes === null) {
      refuse('screenshots must be base64 or a data: URL.');
    } else if (bytes.length > screenshotBytesMax) {
      refuse(`screenshots must be at most ${screenshotBytesMax} bytes each.`);
    } else if (facts === null) {
      refuse('screenshots must be PNG, JPEG or WebP images.');
    } else if (facts.width * facts.height > screenshotPixelsMax) {
      refuse('screenshots must have at most 40 megapixels each.');
    } else {
      screenshots.push({ ...facts, name: baseName(name), bytes });
    }
  }
  return { screenshots, warnings };
}

/** Base64 with or without `data:…;base64,`; null otherwise. */
export function decodeBase64(data: string): Buffer | null {
  const comma = data.startsWith('data:') ? data.indexOf(',') : -1;
  if (data.startsWith('data:') && (comma < 0 || comma > 200 || !data.slice(0, comma).endsWith(';base64'))) {
    return null;
  }
  const text = data.slice(comma + 1).replaceAll(/[\r\n]/g, '');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.slice(0, text.length - padding);
  // A search for one wrong character, because matching megabytes as a whole can overflow V8's stack.
  return digits === '' || /[^A-Za-z0-9+/]/.test(digits) ? null : Buffer.from(text, 'base64');
}

function baseName(name: string): string | null {
  const base =
    name
      .split(/[\\/]/)
      .at(-1)
      ?.replaceAll(/[\u0000-\u001f\u007f]/g, '')
      .trim() ?? '';
  return base === '' ? null : cutText(base.toWellFormed(), nameCharactersMax);
}
