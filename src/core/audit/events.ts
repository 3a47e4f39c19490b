import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import { cutText } from '../parsing/cut-text.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { scrubVersion } from '../scrub/record.ts';
import type { Domain, DomainVerification } from '../store/domains.ts';
import type { Issue } from '../store/issues.ts';
import { type Project, type ProjectKey, secretScopes } from '../store/projects.ts';
import type { AuditAction } from './actions.ts';
import type { AuditEvent } from './audit.ts';

const typeCharactersMax = 60;
const originsCharactersMax = 200;

type AuditedIssue = Pick<Issue, 'id' | 'title' | 'projectId'>;

/** Number and type only: the message may hold personal data, and the audit log outlives the issue. */
export function issueAuditEvent(
  { id, title, projectId }: AuditedIssue,
  action: AuditAction,
  summary = '',
): AuditEvent {
  const name = `#${id} ${cutText(title.split(': ')[0] ?? '', typeCharactersMax)}`;
  return { action, object: { kind: 'issue', id, name }, projectId, summary };
}

export function issueChangeAuditEvent(
  issue: AuditedIssue,
  project: Project,
  changes: IssueChangeRequest,
): AuditEvent {
  // The release is user text: scrub it as in the issue.
  const release = changes.release === undefined ? undefined : scrubVersion(changes.release, project);
  return issueAuditEvent(issue, ...issueActionAndSummary({ ...changes, release }));
}

function issueActionAndSummary(changes: IssueChangeRequest): [action: AuditAction, summary: string] {
  const { merge, undo_merge: undone, status } = changes;
  if (merge !== undefined) return ['issue.merged', merge.map((id) => `#${id}`).join(', ')];
  if (undone !== undefined) return ['issue.unmerged', `merge ${undone} undone`];
  if (status === 'resolved') return ['issue.resolved', resolvedIn(changes)];
  return status === 'ignored' ? ['issue.ignored', ignoredUntil(changes)] : ['issue.reopened', ''];
}

function resolvedIn({ release, in: when }: IssueChangeRequest): string {
  if (release !== undefined) return `in ${release}`;
  return when === 'next_release' ? 'in the next release' : '';
}

function ignoredUntil({ until, date, count, users }: IssueChangeRequest): string {
  if (until === 'forever') return 'forever';
  if (until === 'date' && date !== undefined) return `until ${date.slice(0, 10)}`;
  if (until === 'count' && count !== undefined) return `until ${count} more events`;
  if (until === 'users' && users !== undefined) return `until ${users} more users`;
  return until === undefined ? '' : `until ${until}`;
}

export function memberAuditEvent(
  { id, name }: { readonly id: AuditEvent['object']['id']; readonly name: string },
  action: AuditAction,
  summary = '',
): AuditEvent {
  return { action, object: { kind: 'member', id, name }, summary };
}

export function keyAuditEvent(
  key: ProjectKey,
  action: 'key.created' | 'key.changed' | 'key.rotated' | 'key.revoked',
  summary = keySummary(key),
): AuditEvent {
  const object = { kind: 'key', id: key.id, name: `${key.prefix}…${key.lastFour}` };
  return { action, object, projectId: key.projectId, summary };
}

export function keyChangeAuditEvent(before: ProjectKey, after: ProjectKey): AuditEvent | null {
  const text = ({ label, scopes, allowedOrigins, expiresAtMs }: ProjectKey): string =>
    JSON.stringify([label, scopes, allowedOrigins, expiresAtMs]);
  return text(before) === text(after) ? null : keyAuditEvent(after, 'key.changed');
}

function keySummary({ kind, label, scopes, allowedOrigins, expiresAtMs }: ProjectKey): string {
  const isNarrow = kind === 'secret' && scopes.length < secretScopes.length;
  return [
    kind,
    label === '' ? null : `“${label}”`,
    isNarrow ? `scopes ${scopes.join(', ')}` : null,
    allowedOrigins.length === 0 ? null : `from ${cutText(allowedOrigins.join(' '), originsCharactersMax)}`,
    expiresAtMs === null ? null : `expires ${minuteText(expiresAtMs)}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function minuteText(atMs: number): string {
  return `${formatTime(atMs).slice(0, 16).replace('T', ' ')} UTC`;
}

export function keyRotationAuditEvent(
  oldKey: ProjectKey,
  newKey: Pick<ProjectKey, 'prefix' | 'lastFour'>,
  endsAtMs: number | null,
): AuditEvent {
  const ends = endsAtMs === null ? '' : `; the old one expires ${minuteText(endsAtMs)}`;
  return keyAuditEvent(oldKey, 'key.rotated', `by ${newKey.prefix}…${newKey.lastFour}${ends}`);
}

export function domainAuditEvent(
  domain: Domain,
  action: 'domain.added' | 'domain.changed' | 'domain.removed',
): AuditEvent {
  const { id, host, projectId, bugReports, errors, sampling } = domain;
  const reports = `bug reports ${bugReports ? 'on' : 'off'}`;
  const summary = `${reports}, errors ${errors ? 'on' : 'off'}, sampling ${sampling}`;
  return {
    action,
    object: { kind: 'domain', id, name: host },
    projectId,
    summary: action === 'domain.removed' ? '' : summary,
  };
}

/** Without the text of the feedback, which may hold personal data. */
export function feedbackAuditEvent(
  reportId: number,
  projectId: number,
  action: Extract<AuditAction, `feedback.${string}`> = 'feedback.deleted',
  summary = '',
): AuditEvent {
  const object = { kind: 'feedback', id: reportId, name: String(reportId) };
  return { action, object, projectId, summary };
}

export function verificationAuditEvent(
  proof: Pick<DomainVerification, 'id' | 'domain' | 'projectId'>,
  action: Extract<AuditAction, `domain_verification.${string}`>,
  summary = '',
): AuditEvent {
  const object = { kind: 'proof', id: proof.id, name: proof.domain };
  return { action, object, projectId: proof.projectId, summary };
}

export function projectAuditEvent(
  project: Pick<Project, 'id' | 'name'>,
  action: Extract<AuditAction, `project.${string}`>,
  summary = '',
): AuditEvent {
  const object = { kind: 'project', id: project.id, name: project.name };
  return { action, object, projectId: project.id, summary };
}
