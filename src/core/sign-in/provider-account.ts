export interface ProviderAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** Values of SIGN_IN_ROLE_CLAIM; null where no claim decides the role. */
  readonly roleValues: readonly string[] | null;
}

export type SignInFault =
  | 'expired'
  | 'refused'
  | 'failed'
  | 'unreachable'
  | 'unverified_email'
  | 'not_a_member'
  | 'several_members'
  | 'other_account';

/** Why an account of a provider does not sign in. `cause` is for the log. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly fault: SignInFault;
  readonly provider: string;
  readonly email: string | null;

  constructor(fault: SignInFault, provider: string, options: ErrorOptions & { email?: string } = {}) {
    super(`sign-in with ${provider}: ${fault}`, options);
    this.fault = fault;
    this.provider = provider;
    this.email = options.email ?? null;
  }
}
