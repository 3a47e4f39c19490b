// Invitations: a member with role, teams and project access who has not signed in yet, and a link of 7 days.
import { type AuditSource, audited } from '../audit/audit.ts';
import { memberAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, RestError } from '../errors.ts';
import type { Member, ProjectAccess } from '../store/members.ts';
import { invitationMs, signInUrl } from './links.ts';
import { createMember, inviteMember, type MemberFields } from './members.ts';
import { addTeamMember, updateMemberAccess } from './teams.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

export interface InvitationFields extends MemberFields {
  readonly access: ProjectAccess;
  readonly teamIds: readonly number[];
}

/** The link is made by `inviteMember`. Throws 400 as `createMember`, and for an unknown team or project. */
export async function createInvitation(
  deps: ServiceDeps,
  fields: InvitationFields,
  by: AuditSource,
): Promise<Member> {
  const { access, teamIds, ...memberFields } = fields;
  return deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    const member = await createMember(txDeps, memberFields, by);
    const invitedUntilMs = deps.now() + invitationMs;
    await store.extendInvitation(member.id, invitedUntilMs);
    if (!access.hasAllProjects) await updateMemberAccess(txDeps, member, access, by);
    for (const id of new Set(teamIds)) {
      const team = await store.findTeam(id);
      if (team === null) throw createBadRequestError('notifier_team_invalid_id', 'There is no such team.');
      await addTeamMember(txDeps, team, member, by);
    }
    return { ...member, hasAllProjects: access.hasAllProjects, invitedUntilMs };
  });
}

/** Its links end at once. Throws 404 where it was accepted or revoked. */
export const revokeInvitation = audited(async ({ store, now }, member: Member) => {
  const found = await store.findMember(member.id);
  if (found === null || found.invitedUntilMs === null) {
    throw new RestError('notifier_invitation_invalid_id', 'This invitation was accepted or revoked.', 404);
  }
  await store.removeMember(member.id, now());
  const auditEvent = memberAuditEvent(member, 'member.invitation_revoked', `as ${found.role}`);
  return { result: null, auditEvent };
});

export type SentInvitation = Awaited<ReturnType<typeof sendInvitation>>;

/** With a new link: earlier ones end. A mail that could not be sent leaves the invitation as it is. */
export async function sendInvitation(
  deps: ServiceDeps & Pick<Deps, 'notificationSender' | 'randomBytes' | 'log'>,
  member: Member,
  pagesUrl: string,
  by: AuditSource,
) {
  const { token, expiresAtMs } = await inviteMember(deps, member, by);
  const link = signInUrl(pagesUrl, token);
  const isMailed = await mailInvitation(deps, member, { url: link, invitedBy: by.actor.name });
  return { link, expiresAtMs, isMailed };
}

/** Null without a mail server or an address; otherwise whether the mail server took the mail. */
export async function mailInvitation(
  {
    notificationSender,
    now,
    randomBytes,
    log,
  }: Pick<Deps, 'notificationSender' | 'now' | 'randomBytes' | 'log'>,
  member: Member,
  { url, invitedBy }: { readonly url: string; readonly invitedBy: string },
): Promise<boolean | null> {
  if (notificationSender?.canMail !== true || member.email === null) return null;
  const { host, hostname } = new URL(url);
  const sent = await notificationSender.mail({
    to: member.email,
    subject: `${invitedBy} invites you to Notifier at ${host}`.replaceAll(/\s+/g, ' '),
    text: [
      `Hello ${member.name},`,
      '',
      `${invitedBy} invites you as ${member.role} to the errors and monitors at ${host}.`,
      'Open this link and press “Sign in”. It works once, for 7 days:',
      '',
      url,
      '',
    ].join('\n'),
    html: null,
    messageId: `<invitation-${randomBytes(16).toString('hex')}@${hostname}>`,
    atMs: now(),
    stopUrl: null,
  });
  if (!sent.ok) log.warn({ detail: sent.detail }, 'an invitation could not be sent');
  return sent.ok;
}
