import { z } from 'zod';

/** Settings that are not given stay as they are. */
export const ownershipRequest = z.looseObject({
  rules: z
    .string()
    .max(20_000)
    .describe('The ownership rules, one a line, such as path:src/checkout/* #payments.')
    .optional(),
  codeowners: z
    .string()
    .max(100_000)
    .describe('A CODEOWNERS file; its lines become rules before the others.')
    .optional(),
  auto_assignment: z.boolean().describe('Assign new issues to their first owner.').optional(),
  repository: z
    .string()
    .max(2_048)
    .describe('URL of the repository, starting with https://; empty for none.')
    .optional(),
});

export const ownershipView = z.object({
  rules: z.string(),
  auto_assignment: z.boolean(),
  repository: z.string(),
});
export type OwnershipView = z.infer<typeof ownershipView>;
