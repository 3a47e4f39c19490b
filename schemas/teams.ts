import { z } from 'zod';
import { idList } from './fields.ts';

const name = z.string().min(1).max(100).describe('Name of the team, such as payments.');

export const accessField = idList(1_000)
  .nullish()
  .describe('IDs of the projects to give access to; null for all projects.');

/** The form of a name is checked by the service, for pages too. */
export const teamRequest = z.looseObject({ name, projects: accessField });
export const teamChangeRequest = z.looseObject({ name: name.optional(), projects: accessField });
export const teamMemberRequest = z.looseObject({ member_id: z.int().min(1).describe('ID of the member.') });

export const projectsOfAccess = z
  .array(z.object({ project_id: z.number().int(), name: z.string() }))
  .readonly()
  .nullable();

export const teamView = z.object({
  team_id: z.number().int(),
  name: z.string(),
  members: z.array(z.object({ member_id: z.number().int(), name: z.string() })).readonly(),
  /** Null: all. */
  projects: projectsOfAccess,
});
export type TeamView = Readonly<z.infer<typeof teamView>>;
