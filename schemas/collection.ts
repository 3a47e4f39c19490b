import { z } from 'zod';

const perPageMax = 100;

/** As in WordPress's collections. The first of `orderBy` is the default. */
export function collectionArguments<const Names extends readonly [string, ...string[]]>(orderBy: Names) {
  return {
    page: z.int().min(1).default(1).describe('Current page of the collection.'),
    per_page: z
      .int()
      .min(1)
      .max(perPageMax)
      .default(10)
      .describe('Maximum number of items to be returned in result set.'),
    search: z.string().max(200).describe('Limit results to those matching a string.').optional(),
    order: z.enum(['asc', 'desc']).default('desc').describe('Order sort attribute ascending or descending.'),
    orderby: z.enum(orderBy).default(orderBy[0]).describe('Sort collection by attribute.'),
  };
}
