import type { ScreenshotType } from '../store/feedback.ts';

interface ImageFacts {
  readonly contentType: ScreenshotType;
  readonly width: number;
  readonly height: number;
}

export const screenshotsMax = 3;
export const screenshotBytesMax = 5 * 1024 * 1024;
export const screenshotPixelsMax = 40_000_000;

/** From the header of a PNG, JPEG or WebP; null for other content (SVG, HTML) and truncated headers. */
export function readImageInfo(bytes: Buffer): ImageFacts | null {
  const facts = pngFacts(bytes) ?? webpFacts(bytes) ?? jpegFacts(bytes);
  return facts === null || facts.width < 1 || facts.height < 1 ? null : facts;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngFacts(bytes: Buffer): ImageFacts | null {
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).equals(pngSignature);
  if (!isPng || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  return { contentType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Lossy, lossless and extended WebP have the size in different places. */
function webpFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 30) return null;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const of = (width: number, height: number): ImageFacts => ({ contentType: 'image/webp', width, height });
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ': {
      const hasStartCode = bytes.readUIntBE(23, 3) === 0x9d012a;
      return hasStartCode ? of(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff) : null;
    }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return of(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return null;
  }
}

/** Most segments and fill bytes before the size; cameras write a few dozen. */
const jpegStepsMax = 65_536;

/** Walks the segments up to the frame header, which has the size. */
function jpegFacts(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  let position = 2;
  for (let step = 0; step < jpegStepsMax && position + 4 <= bytes.length; step += 1) {
    if (bytes[position] !== 0xff) return null;
    const marker = bytes[position + 1] ?? 0;
    // Fill bytes before a marker.
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (isFrameHeader(marker)) {
      if (position + 9 > bytes.length) return null;
      const height = bytes.readUInt16BE(position + 5);
      return { contentType: 'image/jpeg', width: bytes.readUInt16BE(position + 7), height };
    }
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
    const isPicture = marker === 0xda || marker === 0xd9;
    if (isPicture) return null;
    const length = isBare ? 0 : bytes.readUInt16BE(position + 2);
    if (!isBare && length < 2) return null;
    position += 2 + length;
  }
  return null;
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which share their range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The type of a displayable image (PNG, JPEG, WebP, GIF) by content, else null. */
export function detectImageType(bytes: Buffer): ScreenshotType | 'image/gif' | null {
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'image/gif';
  return readImageInfo(bytes)?.contentType ?? null;
}
