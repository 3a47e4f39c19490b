// Pieces that several request schemas share: texts with a limit, dates, addresses, small metadata. Zod and nothing else.
import { z } from 'zod';

/** A text of at most `charactersMax` characters, counted as WordPress counts (code points, not UTF-16 units). */
export function text(charactersMax: number) {
  return z
    .string()
    .refine((value) => value.length <= charactersMax || [...value].length <= charactersMax, {
      error: `must be at most ${charactersMax} characters long.`,
    })
    .meta({ maxLength: charactersMax });
}

/** ISO 8601, or seconds or milliseconds since 1970; which of them is read, and the calendar checked, by `parseMoment`. */
export const moment = z.union([z.string(), z.number()]);

/** An event id as it is sent: 32 hex of any case, or the dashed form of 36 (D-28). */
export const eventIdPattern = '^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';

export const urlCharactersMax = 2048;
export const metadataKeysMax = 50;
export const metadataBytesMax = 16_384;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** An object of scalars: at most 50 names and 16 KiB as JSON. */
export const metadata = z
  .record(z.string(), scalar)
  .refine((value) => Object.keys(value).length <= metadataKeysMax, {
    error: `metadata must have at most ${metadataKeysMax} properties.`,
  })
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= metadataBytesMax, {
    error: `metadata must be at most ${metadataBytesMax} bytes long as JSON.`,
  });
