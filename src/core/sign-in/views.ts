import type { SignInConfig } from '../config/sign-in.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { MemberIdentity, Passkey } from '../store/sign-in.ts';

export interface PasskeyView {
  readonly passkey_id: number;
  readonly name: string;
  readonly created_at: string | null;
  readonly last_used: string | null;
}

export function viewPasskey({ id, name, createdAtMs, usedAtMs }: Passkey): PasskeyView {
  return {
    passkey_id: id,
    name,
    created_at: formatTime(createdAtMs),
    last_used: formatTime(usedAtMs),
  };
}

export interface AccountView {
  readonly account_id: number;
  /** The provider's name, or the issuer where it is no longer configured. */
  readonly provider: string;
  readonly email: string | null;
  readonly created_at: string | null;
  readonly last_used: string | null;
}

export function viewAccount(identity: MemberIdentity, { providers }: SignInConfig): AccountView {
  const { id, issuer, email, createdAtMs, usedAtMs } = identity;
  return {
    account_id: id,
    provider: providers.find((each) => each.issuer === issuer)?.name ?? issuer,
    email,
    created_at: formatTime(createdAtMs),
    last_used: formatTime(usedAtMs),
  };
}
