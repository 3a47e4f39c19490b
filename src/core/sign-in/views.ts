import { audited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
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
export const unlinkAccount = audited(
  async ({ store, config }: Pick<Deps, 'store' | 'now' | 'config'>, member: Member, id: number) => {
    const result = await store.removeIdentity(member.id, id);
    if (result === null) {
      throw new RestError('notifier_account_invalid_id', 'There is no such account.', 404);
    }
    const { provider } = viewAccount(result, config.signIn);
    return { result, auditEvent: memberAuditEvent(member, 'member.account_unlinked', provider) };
  },
);
