import { z } from 'zod';

const sorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const;

const name = z.string().max(240).describe('Name of the view, 1 to 60 characters.');
const query = z.string().max(4_000).describe('The search, up to 1,000 characters; empty for all issues.');
const sort = z.enum(sorts).describe('Order of the issues.');
const shared = z.boolean().describe('Whether all members see the view.');

/** The lengths are checked by the service, for pages too. */
export const savedViewRequest = z.looseObject({
  name,
  query: query.default(''),
  sort: sort.default('last_seen'),
  shared: shared.default(false),
});

export const savedViewChangeRequest = z.looseObject({
  name: name.optional(),
  query: query.optional(),
  sort: sort.optional(),
  shared: shared.optional(),
});

export const savedViewView = z.object({
  saved_view_id: z.number().int(),
  name: z.string(),
  query: z.string(),
  sort: z.enum(sorts),
  shared: z.boolean(),
  own: z.boolean(),
  created_at: z.string(),
});
export type SavedViewView = z.infer<typeof savedViewView>;
