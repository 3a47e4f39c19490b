// docs/personal-data.md
import { z } from 'zod';
import { collectionArguments } from './collection.ts';

const { page, per_page } = collectionArguments(['last_seen']);

export const userQueryCharactersMax = 300;

export const userExportQuery = z.looseObject({
  before: z
    .string()
    .max(40)
    .describe('Value of next in an earlier export, for the events after it.')
    .optional(),
});

export const usersQuery = z.looseObject({
  page,
  per_page,
  query: z
    .string()
    .trim()
    .min(1)
    .max(userQueryCharactersMax)
    .describe('The whole id, e-mail address, user name or IP address of a user.'),
});
