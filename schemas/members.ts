import { z } from 'zod';

const memberRoles = ['viewer', 'member', 'admin'] as const;

/** What is not given stays. */
export const ownSettingsRequest = z.looseObject({
  time_zone: z.string().min(1).max(100).describe('Time zone of the pages, such as Europe/Berlin.').optional(),
  default_view: z
    .string()
    .min(1)
    .max(20)
    .describe('The view that Issues begins with: name of a built-in view, or ID of a saved one.')
    .optional(),
  shortcuts: z.boolean().describe('Whether single letters are shortcuts of the pages.').optional(),
});

export const ownSettingsView = z.object({
  member_id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(memberRoles),
  time_zone: z.string(),
  default_view: z.string(),
  shortcuts: z.boolean(),
});
export type OwnSettingsView = z.infer<typeof ownSettingsView>;
