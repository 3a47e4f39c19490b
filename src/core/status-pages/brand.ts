import { brandImageBytesMax } from '../../../schemas/status-pages.ts';
import { createInvalidParamError } from '../errors.ts';
import { readImageInfo } from '../feedback/image-info.ts';
import { decodeBase64 } from '../feedback/screenshots.ts';
import type { BrandImage, BrandImageKind } from '../store/status-pages.ts';

const pixelsMax = 2_048;

/** Null for the empty text, which removes it. SVG is refused: it may hold scripts. Throws 400. */
export function readBrandImage(kind: BrandImageKind, text: string): BrandImage | null {
  if (text === '') return null;
  const bytes = decodeBase64(text);
  const facts = bytes === null ? null : readImageInfo(bytes);
  const refuse = (requirement: string): Error =>
    createInvalidParamError({ [kind]: `${kind} must be ${requirement}` });
  if (bytes === null || facts === null || facts.contentType === 'image/jpeg') {
    throw refuse('a PNG or WebP image; convert SVG, JPEG and ICO to PNG.');
  }
  const { contentType, width, height } = facts;
  if (bytes.length > brandImageBytesMax) throw refuse('at most 100 KiB; save it smaller.');
  if (Math.max(width, height) > pixelsMax) {
    throw refuse(`at most ${pixelsMax} pixels wide and high; this image has ${width} by ${height}.`);
  }
  if (kind === 'favicon' && width !== height) {
    throw refuse(`as wide as it is high; this image has ${width} by ${height} pixels.`);
  }
  return { contentType, width, height, size: bytes.length, bytes };
}

type Colour = readonly [red: number, green: number, blue: number];

/** Of the public page: `--paper` in src/web/assets/css/base.css. */
const papers = { light: [0xfc, 0xfd, 0xfd], dark: [0x0e, 0x14, 0x18] } as const satisfies Record<
  string,
  Colour
>;
/** WCAG 2.2, 1.4.11 Non-text Contrast: the accent colours lines and buttons, not texts. */
const contrastMin = 3;

/** As `#rrggbb`; null for the empty text. Throws 400 for what cannot be seen on the light or the dark page. */
export function readAccent(text: string): string | null {
  if (text === '') return null;
  const [, digits = ''] = /^#((?:[0-9a-f]{3}){1,2})$/i.exec(text) ?? [];
  if (digits === '') {
    throw createInvalidParamError({ accent: 'accent must be a colour such as #0a7f5c or #0a5.' });
  }
  const hex = (digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits).toLowerCase();
  const colour = colourOf(hex);
  const scheme = weakSchemeOf(colour);
  if (scheme === null) return `#${hex}`;
  const ratio = (Math.floor(contrast(colour, papers[scheme]) * 10) / 10).toFixed(1);
  throw createInvalidParamError({
    accent: `accent must have a contrast of ${contrastMin} to 1 on the ${scheme} page, where #${hex} has ${ratio} to 1. Use ${nearestReadable(colour)}.`,
  });
}

/** White or black, whichever is easier to read on the colour; always over 4.5 to 1. */
export function textColorOn(accent: string): '#fff' | '#000' {
  const colour = colourOf(accent.slice(1));
  return contrast(colour, [255, 255, 255]) >= contrast(colour, [0, 0, 0]) ? '#fff' : '#000';
}

function colourOf(hex: string): Colour {
  const at = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16);
  return [at(0), at(2), at(4)];
}

function weakSchemeOf(colour: Colour): keyof typeof papers | null {
  if (contrast(colour, papers.light) < contrastMin) return 'light';
  return contrast(colour, papers.dark) < contrastMin ? 'dark' : null;
}

/** The same colour, darker or lighter. Ends: halfway between black and white there are readable ones. */
function nearestReadable(colour: Colour): string {
  const towards = weakSchemeOf(colour) === 'light' ? 0 : 255;
  for (let step = 1; ; step += 1) {
    const mixed = colour.map((value) => Math.round(value + ((towards - value) * step) / 32));
    const [red = 0, green = 0, blue = 0] = mixed;
    if (weakSchemeOf([red, green, blue]) === null) {
      return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    }
  }
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
