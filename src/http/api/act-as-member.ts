import { type AuditSource, keySource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { type OpenedUser, openUser } from '../../core/members/open-user.ts';
import type { PersonalRequest } from './route.ts';

/** The member of the token, with what they may see, as the services of the pages want it. */
export async function actAsMember(
  deps: Deps,
  request: PersonalRequest,
): Promise<OpenedUser & { readonly by: AuditSource }> {
  return { ...(await openUser(deps, request.member, request.member.name)), by: keySource(request) };
}
