import { z } from 'zod';
import { accessField, projectsOfAccess } from './teams.ts';

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

export const memberRequest = z.looseObject({
  name: z.string().min(1).max(320).describe('Name of the member, 1 to 80 characters.'),
  role: z.enum(memberRoles).describe('Role of the member.'),
  email: z.string().max(254).nullish().describe('Where the invitation is sent.'),
  projects: accessField,
  teams: z.array(z.int().min(1)).max(200).describe('IDs of the teams to join.').optional(),
});

export const memberChangeRequest = z.looseObject({
  role: z.enum(memberRoles).describe('The new role.').optional(),
  projects: accessField,
});

export const memberView = z.object({
  member_id: z.number().int(),
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(memberRoles),
  created_at: z.string().nullable(),
  created_by: z.string(),
  last_seen: z.string().nullable(),
  sessions: z.number().int(),
  link_ends_at: z.string().nullable(),
  is_you: z.boolean(),
  teams: z.array(z.string()).readonly(),
  /** Own ones, without those of teams; null: all. */
  projects: projectsOfAccess,
  sign_in: z.array(z.string()).readonly(),
  /** Of an invitation that was not accepted yet. */
  invited_until: z.string().nullable(),
});

export const sessionView = z.object({
  session_id: z.number().int(),
  browser: z.string(),
  network: z.string().describe('Network of the address.'),
  signed_in_by: z.string().describe('Completes "signed in …"; empty if it was not recorded.'),
  created_at: z.string().nullable(),
  last_used: z.string().nullable(),
  ends_at: z.string().nullable(),
  is_this: z.boolean().describe('The session that asks; never one of a token.'),
});
export type SessionView = Readonly<z.infer<typeof sessionView>>;

export const invitedMemberView = memberView.extend({
  mailed: z
    .boolean()
    .nullable()
    .describe(
      'Whether the link was mailed; null where no mail was tried. The workspace shows one to hand over.',
    ),
});
