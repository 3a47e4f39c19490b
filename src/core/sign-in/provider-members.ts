// Finds the member of an account: by issuer and subject, else by verified e-mail address, else a new one.
import { type AuditSource, writeAuditEntry } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { ProviderConfig, SignInConfig } from '../config/sign-in.ts';
import type { Deps } from '../deps.ts';
import { createMember, isFreeName, updateMemberRole } from '../members/members.ts';
import { providerSessionMs, type SignedIn, type SignInOrigin, startSession } from '../members/sessions.ts';
import { cutText } from '../parsing/cut-text.ts';
import { type Member, type MemberIdentity, type Role, roles } from '../store/members.ts';
import { type ProviderAccount, SignInFailure } from './provider-account.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config'>;

const nameCharactersMax = 80;
const subjectCharactersMax = 255;

/** @throws {SignInFailure} */
export async function signInWithAccount(
  deps: ServiceDeps,
  provider: ProviderConfig,
  account: ProviderAccount,
  origin: SignInOrigin,
): Promise<SignedIn> {
  // A longer one is not kept in part: two accounts could then be the same.
  if (account.subject === '' || account.subject.length > subjectCharactersMax) {
    throw new SignInFailure('failed', provider.name);
  }
  return deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    const member = await memberOf(txDeps, provider, account, origin);
    const role = roleOf(deps.config.signIn, account);
    if (role !== null && role !== member.role) {
      await updateMemberRole(txDeps, member, role, providerSource(provider, origin));
    }
    const method = `with ${provider.name}`;
    const signedIn = await startSession(txDeps, { memberId: member.id }, origin, method, providerSessionMs);
    if (signedIn === null) throw new SignInFailure('not_a_member', provider.name);
    return signedIn;
  });
}

async function memberOf(
  deps: ServiceDeps,
  provider: ProviderConfig,
  account: ProviderAccount,
  origin: SignInOrigin,
): Promise<Member> {
  const { store } = deps;
  const known = await store.findIdentity(account.issuer, account.subject);
  if (known !== null) {
    const member = await store.findMember(known.memberId);
    if (member === null) throw new SignInFailure('not_a_member', provider.name, withEmail(account.email));
    await store.touchIdentity(known.id, account.email, deps.now());
    return member;
  }
  const email = verifiedEmail(provider, account);
  const [member, another] = await store.listMembersByEmail(email);
  if (another !== undefined) throw new SignInFailure('several_members', provider.name, { email });
  if (member !== undefined) {
    await linkAccount(deps, provider, account, member, origin);
    return member;
  }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  // Who was removed needs an admin to come back.
  if (!deps.config.signIn.joinDomains.includes(domain) || (await store.hasRemovedMember(email))) {
    throw new SignInFailure('not_a_member', provider.name, { email });
  }
  const name = await freeName(deps, { name: account.name, email });
  const role = roleOf(deps.config.signIn, account) ?? deps.config.signIn.defaultRole;
  const joined = await createMember(deps, { name, email, role }, providerSource(provider, origin));
  await linkAccount(deps, provider, account, joined, origin);
  return joined;
}

/** ASCII only: other letters may look like, or fold to, those of somebody else's address. */
function verifiedEmail({ name }: ProviderConfig, { email, isEmailVerified }: ProviderAccount): string {
  const isPlain = email !== null && email.length <= 254 && /^[!#-;=?A-~]+@[!#-;=?A-~]+$/.test(email);
  if (!isPlain || !isEmailVerified) throw new SignInFailure('unverified_email', name, withEmail(email));
  return email;
}

function withEmail(email: string | null): { email?: string } {
  return email === null ? {} : { email };
}

async function linkAccount(
  deps: ServiceDeps,
  provider: ProviderConfig,
  { issuer, subject, email }: ProviderAccount,
  member: Member,
  origin: SignInOrigin,
): Promise<MemberIdentity> {
  const atMs = deps.now();
  const identity = { memberId: member.id, issuer, subject, email, createdAtMs: atMs, usedAtMs: atMs };
  const linked = await deps.store.addIdentity(identity);
  // The member has another account there, so the address now belongs to somebody else.
  if (linked === null) throw new SignInFailure('other_account', provider.name, withEmail(email));
  const summary = `${provider.name}, by its verified e-mail address`;
  const auditEvent = memberAuditEvent(member, 'member.account_linked', summary);
  await writeAuditEntry(deps, providerSource(provider, origin), auditEvent);
  return linked;
}

/** The provider's name for them; the address if that is taken. */
async function freeName(deps: ServiceDeps, account: { name: string | null; email: string }): Promise<string> {
  const plain = (account.name ?? '').replaceAll(/\p{C}/gu, ' ').trim();
  const name = cutText(plain, nameCharactersMax);
  return name !== '' && (await isFreeName(deps, name)) ? name : cutText(account.email, nameCharactersMax);
}

function roleOf({ roles: mapped, defaultRole }: SignInConfig, account: ProviderAccount): Role | null {
  const { roleValues } = account;
  if (roleValues === null) return null;
  const grantedRoles = mapped.filter(([value]) => roleValues.includes(value)).map(([, role]) => role);
  return grantedRoles.reduce<Role>(
    (best, role) => (roles.indexOf(role) > roles.indexOf(best) ? role : best),
    defaultRole,
  );
}

function providerSource({ name }: ProviderConfig, { network, requestId }: SignInOrigin): AuditSource {
  return { actor: { kind: 'system', id: null, name }, network, requestId };
}
