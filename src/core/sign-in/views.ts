import { type AuditSource, runAudited } from '../audit/audit.ts';
import type { SignInConfig } from '../config/sign-in.ts';
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Member, MemberIdentity, Passkey } from '../store/members.ts';

export function viewPasskey({ id, name, createdAtMs, usedAtMs }: Passkey) {
  return {
    passkey_id: id,
    name,
    created_at: formatTime(createdAtMs),
    last_used: formatTime(usedAtMs),
  };
}

export function viewAccount(identity: MemberIdentity, { providers }: SignInConfig) {
  const { id, issuer, email, createdAtMs, usedAtMs } = identity;
  return {
    account_id: id,
    /** The provider's name, or the issuer where it is no longer configured. */
    provider: providers.find((each) => each.issuer === issuer)?.name ?? issuer,
    email,
    created_at: formatTime(createdAtMs),
    last_used: formatTime(usedAtMs),
  };
}

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
