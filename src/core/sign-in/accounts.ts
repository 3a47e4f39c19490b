import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import type { Member } from '../store/members.ts';
import { viewAccount } from './views.ts';

/** The next sign-in with that account links it again, if its address is still the member's. */
export async function unlinkAccount(
  deps: Pick<Deps, 'store' | 'now' | 'config'>,
  member: Member,
  id: number,
  by: AuditSource,
): Promise<void> {
  await runAudited(deps, by, async ({ store }) => {
    const removed = await store.removeIdentity(member.id, id);
    if (removed === null) {
      throw new RestError('notifier_account_invalid_id', 'There is no such account.', 404);
    }
    const object = { kind: 'member', id: member.id, name: member.name };
    const summary = viewAccount(removed, deps.config.signIn).provider;
    return { result: removed, auditEvent: { action: 'member.account_unlinked', object, summary } };
  });
}
