import { roleIncludes } from '../members/permissions.ts';
import { viewPersonalToken } from '../members/views.ts';
import { passkeySiteOf } from '../sign-in/passkeys.ts';
import { viewAccount, viewPasskey } from '../sign-in/views.ts';
import type { Member } from '../store/members.ts';
import { ownSessions } from './members.ts';
import { invalidPageInput, type RequestContext } from './request-context.ts';

export type SignInSettingsModel = Awaited<ReturnType<typeof signInSettingsModel>>;

export async function signInSettingsModel(context: RequestContext) {
  const { deps, currentUser, pagesUrl } = context;
  const id = currentUser.memberId;
  const passkeys = id === null ? [] : await deps.store.listPasskeys(id);
  const accounts = id === null ? [] : await deps.store.listIdentities(id);
  return {
    your_passkeys: passkeys.map(viewPasskey),
    your_accounts: accounts.map((each) => viewAccount(each, deps.config.signIn)),
    no_passkeys:
      id === null ? ('token' as const) : passkeySiteOf(pagesUrl) === null ? ('address' as const) : null,
    /** For admins. */
    workspace: roleIncludes(currentUser.role, 'admin') ? workspaceSignIn(context) : null,
  };
}

function workspaceSignIn({ deps, pagesUrl }: RequestContext) {
  const { providers, joinDomains, defaultRole, roleClaim } = deps.config.signIn;
  return {
    providers: providers.map(({ id, name, issuer }) => ({
      name,
      issuer,
      callback_url: `${pagesUrl}/sign-in/callback/${id}`,
    })),
    mail: deps.notificationSender?.canMail === true,
    join_domains: joinDomains,
    default_role: defaultRole,
    role_claim: roleClaim,
  };
}

export type SessionsModel = Awaited<ReturnType<typeof sessionsModel>>;

export async function sessionsModel(context: RequestContext) {
  return { your_sessions: await ownSessions(context) };
}

export { type TokenScope, tokenScopes } from '../store/members.ts';

export type TokensModel = Awaited<ReturnType<typeof tokensModel>>;

/** Shown only in the response of the action that created it. */
export interface CreatedTokenModel {
  readonly name: string;
  readonly text: string;
}

export async function tokensModel({ deps, currentUser, nowMs }: RequestContext) {
  const id = currentUser.memberId;
  const tokens = id === null ? [] : await deps.store.listPersonalTokens(id);
  return { your_tokens: tokens.map((each) => viewPersonalToken(each, nowMs)), is_member: id !== null };
}

export interface NewPasskeyModel {
  /** JSON for the browser. */
  readonly options: string;
  readonly name: string;
}

export async function suggestPasskeyName(context: RequestContext): Promise<string> {
  return (await findThisBrowser(context)) ?? 'Passkey';
}

export async function findThisBrowser(context: RequestContext): Promise<string | null> {
  return (await ownSessions(context)).find((session) => session.is_this)?.browser ?? null;
}

/** The member who is signed in; 400 for the workspace token, which is nobody's. */
export async function signedInMember({ deps, currentUser }: RequestContext): Promise<Member> {
  const member = currentUser.memberId === null ? null : await deps.store.findMember(currentUser.memberId);
  if (member === null)
    throw invalidPageInput('Sign in as a member first: this is not possible with the workspace token.');
  return member;
}

export function requirePasskeySite({ pagesUrl }: RequestContext) {
  const site = passkeySiteOf(pagesUrl);
  if (site !== null) return site;
  throw invalidPageInput('Browsers allow passkeys only on https pages with a host name, and on localhost.');
}
