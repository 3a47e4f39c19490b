import { toLocalPath } from '../../parsing/web-url.ts';
import type { Role } from '../../store/members.ts';
import type { RequestContext } from '../request-context.ts';
import { type ActionPreview, monitoringActionPreviews } from './monitoring-previews.ts';

export const settingsActionPreviews: Readonly<Record<string, ActionPreview>> = {
  '/projects': {
    title: 'Create project',
    what: 'It would get a public and a secret key, shown once, and setup instructions for the SDKs.',
  },
  '/projects/{project_id}/rename': {
    title: 'Rename project',
    what: 'It would have this name on every page. Its keys and URLs stay the same.',
  },
  '/projects/{project_id}/settings': {
    title: 'Edit data and privacy settings',
    what: 'Redaction and storage of IP addresses would change for all new events.',
  },
  '/projects/{project_id}/filters': {
    title: 'Change inbound filters',
    what: 'New events of these releases, messages and addresses would be dropped before they are stored.',
  },
  '/projects/{project_id}/filters/switch': {
    title: 'Turn inbound filter on or off',
    what: 'It would apply to new events. Filtered events are counted, and not stored.',
  },
  '/projects/{project_id}/delete': {
    title: 'Delete project',
    what: 'It would be deleted with its issues, events, releases, test runs and artifacts. You have to enter its name first.',
  },
  '/projects/{project_id}/keys': {
    title: 'Create key',
    what: 'The new key would be shown once. It works at once, beside the existing keys.',
  },
  '/projects/{project_id}/keys/{key_id}/change': {
    title: 'Edit key',
    what: 'Its scopes, origins and expiry would apply from the next request. The key itself stays the same.',
  },
  '/projects/{project_id}/keys/{key_id}/rotate': {
    title: 'Rotate key',
    what: 'A new key would be shown once, and the old one would stay valid for the chosen time.',
  },
  '/projects/{project_id}/keys/{key_id}/revoke': {
    title: 'Revoke key',
    what: 'Requests with this key would be refused from then on.',
  },
  '/domains': {
    title: 'Add domain',
    what: 'It would be pending verification. The page shows the DNS record, file or meta tag to publish.',
  },
  '/domains/{domain_id}/switches': {
    title: 'Edit domain settings',
    what: 'Errors, bug reports and the sample rate would change within a minute.',
  },
  '/domains/{domain_id}/remove': {
    title: 'Remove domain',
    what: 'New data from it would be refused. Existing data stays.',
  },
  '/domains/{domain_id}/proof': {
    title: 'Verify domain',
    what: 'A token would be created, to be published as a DNS record, file or meta tag within seven days.',
  },
  '/domains/{domain_id}/check': {
    title: 'Check domain now',
    what: 'The DNS record, file and meta tag would be checked at once, and the result recorded.',
  },
  '/domains/{domain_id}/token': {
    title: 'Create new token',
    what: 'Verification would start again with a new token; the old one would no longer be accepted.',
  },
  '/domains/{domain_id}/revoke': {
    title: 'Revoke verification',
    what: 'The domain would be unverified, and not checked again until verification is restarted.',
  },
  '/settings': {
    title: 'Save settings',
    what: 'Times on pages would be in your time zone.',
  },
  '/test-runs/cases/{case_id}/quarantine': {
    title: 'Quarantine test',
    what: 'Its failures would not fail the verdict of a release until the chosen day.',
  },
  '/test-runs/cases/{case_id}/quarantine/{quarantine_id}/remove': {
    title: 'End quarantine',
    what: 'Its failures would count again at once.',
  },
  '/projects/{project_id}/ownership': {
    title: 'Save ownership rules',
    what: 'New issues would be suggested or assigned to the owners that the rules name.',
  },
  '/members': {
    title: 'Invite member',
    what: 'They would sign in with a link that works once and is shown only to you.',
  },
  '/members/{member_id}/link': {
    title: 'Create sign-in link',
    what: 'It would be shown once and work once. An earlier link would stop working.',
  },
  '/members/{member_id}/withdraw': {
    title: 'Revoke sign-in link',
    what: 'Nobody could sign in with it any more.',
  },
  '/members/{member_id}/role': {
    title: 'Change role',
    what: 'Viewers can read, members can work with issues, admins can manage projects and members. It would apply from their next request.',
  },
  '/members/{member_id}/remove': {
    title: 'Remove member',
    what: 'Their sessions and links would end at once. Their entries in the audit log stay.',
  },
  '/members/passkeys/new': {
    title: 'Add a passkey',
    what: 'Your browser would ask for your fingerprint, face or PIN.',
  },
  '/members/passkeys': {
    title: 'Create passkey',
    what: 'You could sign in with it from then on.',
  },
  '/members/passkeys/{passkey_id}/rename': {
    title: 'Rename passkey',
    what: 'It would have this name in your list.',
  },
  '/members/passkeys/{passkey_id}/remove': {
    title: 'Delete passkey',
    what: 'It could no longer be used to sign in.',
  },
  '/members/accounts/{account_id}/unlink': {
    title: 'Unlink account',
    what: 'The next sign-in with it would need your verified e-mail address again.',
  },
  '/members/tokens': {
    title: 'Create API token',
    what: 'The token would be shown once. It could do what you may, within its scopes.',
  },
  '/members/tokens/{token_id}/delete': {
    title: 'Revoke API token',
    what: 'Requests with it would be refused from then on.',
  },
  '/members/{member_id}/tokens/{token_id}/delete': {
    title: 'Revoke API token of member',
    what: 'Requests of that member with it would be refused from then on.',
  },
  '/members/{member_id}/sessions/{session_id}/end': {
    title: 'Revoke session of member',
    what: 'That browser of the member would have to sign in again.',
  },
  '/members/{member_id}/sessions/end': {
    title: 'Revoke all sessions',
    what: 'The member would be signed out on every device.',
  },
  '/members/{member_id}/invitation-link': {
    title: 'Copy link',
    what: 'Shows a new invitation link, once. The earlier link would no longer work, and the 7 days would start again.',
  },
  '/members/{member_id}/resend': {
    title: 'Resend invitation',
    what: 'Mails a new link, valid for 7 days. The earlier link would no longer work.',
  },
  '/members/{member_id}/revoke': {
    title: 'Revoke invitation',
    what: 'The link would no longer work, and the name would be free again.',
  },
  '/members/{member_id}/access': {
    title: 'Change project access',
    what: 'They would see the chosen projects and those of their teams only, from their next request.',
  },
  '/members/teams': {
    title: 'New team',
    what: 'Creates the team. Its members would see its projects besides their own.',
  },
  '/members/teams/{team_id}/rename': {
    title: 'Rename team',
    what: 'The team would have the new name everywhere.',
  },
  '/members/teams/{team_id}/access': {
    title: 'Change project access of team',
    what: 'The members of the team would see these projects besides their own, from their next request.',
  },
  '/members/teams/{team_id}/add': {
    title: 'Add member',
    what: 'The member would see the projects of the team, from their next request.',
  },
  '/members/teams/{team_id}/leave': {
    title: 'Remove from team',
    what: 'The member would keep their own access and that of their other teams.',
  },
  '/members/teams/{team_id}/delete': {
    title: 'Delete team',
    what: 'Its members would keep their own access only.',
  },
  '/members/sessions/{session_id}/end': {
    title: 'Revoke session',
    what: 'That browser would have to sign in again.',
  },
  '/members/sessions/end-others': {
    title: 'Revoke all other sessions',
    what: 'Only this browser would stay signed in.',
  },
};

export const issueActionPreviews: Readonly<Record<string, ActionPreview>> = {
  '/issues/bulk': {
    title: 'Change several issues',
    what: 'The selected issues would be resolved, ignored, assigned or merged, each with an entry in its activity. This could be undone for a minute.',
  },
  '/issues/bulk/{bulk_id}/undo': {
    title: 'Undo',
    what: 'The issues would be as they were before, unless they have changed since then.',
  },
  '/issues/views': {
    title: 'Save view',
    what: 'The search would be a tab of your list of issues.',
  },
  '/issues/views/default': {
    title: 'Make view default',
    what: 'Your list of issues would begin with it.',
  },
  '/issues/views/{view_id}': {
    title: 'Save changes to view',
    what: 'The view would show what this search finds.',
  },
  '/issues/views/{view_id}/share': {
    title: 'Share view',
    what: 'Everyone would have it among their views.',
  },
  '/issues/views/{view_id}/delete': {
    title: 'Delete view',
    what: 'The view would be gone. Issues stay.',
  },
  '/issues/{id}/resolve': {
    title: 'Resolve issue',
    what: 'It would be resolved. An event of a later release would reopen it as regressed.',
  },
  '/issue-links/{token}': {
    title: 'Resolve or ignore issue',
    what: 'The link in the message would be used up. Each works once, for 7 days.',
  },
  '/issues/{id}/reopen': {
    title: 'Reopen issue',
    what: 'It would be unresolved again.',
  },
  '/issues/{id}/ignore': {
    title: 'Ignore issue',
    what: 'It would be ignored until the chosen date or number of events or users. Its events are still counted.',
  },
  '/issues/{id}/merge': {
    title: 'Merge issue',
    what: 'Its events, including future ones, would become part of the other issue. The merge can be undone.',
  },
  '/issues/{id}/undo-merge': {
    title: 'Undo merge',
    what: 'It would be a separate issue again, with its own events.',
  },
  '/issues/{id}/split': {
    title: 'Split issue',
    what: 'The selected fingerprints would become a new issue, together with their stored events.',
  },
  '/issues/{id}/assign': {
    title: 'Assign issue',
    what: 'It would be assigned to them in every list and filter.',
  },
  '/issues/{id}/links': {
    title: 'Link tracker issue',
    what: 'The address would be shown on the issue and in the API.',
  },
  '/issues/{id}/links/{link_id}/remove': {
    title: 'Remove link',
    what: 'It would no longer be shown. The other tracker is not changed.',
  },
  '/issues/{id}/comments': {
    title: 'Comment on issue',
    what: 'The comment would appear in the activity with your name.',
  },
  '/issues/{id}/comments/{comment_id}/remove': {
    title: 'Delete comment',
    what: 'It would be removed from the activity. Only its author and admins can do that.',
  },
  '/issues/{id}/delete': {
    title: 'Delete issue',
    what: 'It would be deleted with its events and merged issues; user feedback stays. The next event of the same error would create a new issue.',
  },
  '/users/{user_hash}/email': {
    title: 'Reveal e-mail address',
    what: 'The address would be shown once, and this would be recorded in the audit log.',
  },
  '/users/{user_hash}/erase': {
    title: 'Erase user data',
    what: 'The id, e-mail, name and address would be removed from events, tags and feedback. Counts stay. You have to enter the id first.',
  },
  '/feedback': {
    title: 'Change state of selected feedback',
    what: 'The selected feedback would be open, resolved or spam. Spam is not counted.',
  },
  '/feedback/{feedback_id}/state': {
    title: 'Change feedback state',
    what: 'It would be open, resolved or spam. Spam is not counted.',
  },
  '/feedback/{feedback_id}/contact': {
    title: 'Reveal e-mail address of feedback',
    what: 'The address of the reporter would be shown once, and recorded as shown in the audit log.',
  },
  '/feedback/{feedback_id}/delete': {
    title: 'Delete feedback',
    what: 'It would be deleted with its screenshots.',
  },
};

export type ActionPreviewModel = Awaited<ReturnType<typeof actionPreviewModel>>;

const previewEntries = Object.entries({
  ...issueActionPreviews,
  ...settingsActionPreviews,
  ...monitoringActionPreviews,
}).map(([path, would]) => ({
  path,
  would,
  parts: path.split('/'),
}));

const nothingKnown: ActionPreview = {
  title: 'Change something',
  what: 'In your own workspace this would be done and recorded in the audit log.',
};

export function findActionPreview(
  address: string,
): { readonly path: string; readonly would: ActionPreview } | null {
  const segments = address.split('/');
  const fitting = previewEntries.filter(
    ({ parts }) =>
      parts.length === segments.length &&
      parts.every((part, at) => part === segments[at] || (part.startsWith('{') && segments[at] !== '')),
  );
  // Fixed words win over parameters: `/alert-channels/rules/new` is not a rule.
  return fitting.toSorted((one, other) => countPathParams(one.path) - countPathParams(other.path))[0] ?? null;
}

function countPathParams(path: string): number {
  return path.split('{').length;
}

/** `roleOf`: who may do the action that has a path, or open the page. */
export async function actionPreviewModel(
  { query }: RequestContext,
  roleOf: (path: string) => Role | undefined,
) {
  const action = query.get('act') ?? '';
  const found = findActionPreview(action);
  const { title, what } = found?.would ?? nothingKnown;
  const needs = roleOf(found?.path ?? '') ?? 'member';
  return { act: found === null ? '' : action, title, what, needs, back: toLocalPath(query.get('back')) };
}
