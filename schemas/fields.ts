import { z } from 'zod';

export function intBetween(min: number, max: number) {
  return z.int().min(min).max(max);
}

/** A boolean that may be left out. */
export const flag = z.boolean().nullish();

export function idList(max: number) {
  return z.array(z.int().min(1)).max(max);
}

/** Counts code points, like WordPress. */
export function limitedText(charactersMax: number) {
  return z
    .string()
    .refine((value) => value.length <= charactersMax || [...value].length <= charactersMax, {
      error: tooLongMessage(charactersMax, 'characters'),
      params: { code: 'rest_too_long' },
    })
    .meta({ maxLength: charactersMax });
}

/** WordPress's message: `must be at most 2,048 characters long.` */
export function tooLongMessage(count: number, unit: 'characters' | 'bytes'): string {
  return `must be at most ${count.toLocaleString('en-US')} ${unit} long.`;
}

export function tooManyPropertiesMessage(count: number): string {
  return `must contain at most ${count.toLocaleString('en-US')} properties.`;
}

/** ISO 8601, or seconds or milliseconds since 1970; `parseTime` validates it. */
export const dateOrTimestamp = z.union([z.string(), z.number()]);

/** 32 hex digits, or a UUID. */
export const eventIdPattern = '^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';

export const urlCharactersMax = 2048;
export const metadataKeysMax = 50;
export const metadataBytesMax = 16_384;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** An object of scalars: at most 50 members and 16 KiB as JSON. */
export const metadata = z
  .record(z.string(), scalar)
  .refine((value) => Object.keys(value).length <= metadataKeysMax, {
    error: tooManyPropertiesMessage(metadataKeysMax),
    params: { code: 'rest_too_many_properties' },
    abort: true,
  })
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= metadataBytesMax, {
    error: tooLongMessage(metadataBytesMax, 'bytes'),
  });

const perPageMax = 100;

/** As in WordPress's collections. The first of `orderBy` is the default. */
export function collectionArguments<const Names extends readonly [string, ...string[]]>(orderBy: Names) {
  return {
    page: z.int().min(1).default(1).describe('Current page of the collection.'),
    per_page: intBetween(1, perPageMax)
      .default(10)
      .describe('Maximum number of items to be returned in result set.'),
    search: z.string().max(200).describe('Limit results to those matching a string.').optional(),
    order: z.enum(['asc', 'desc']).default('desc').describe('Order sort attribute ascending or descending.'),
    orderby: z.enum(orderBy).default(orderBy[0]).describe('Sort collection by attribute.'),
  };
}
