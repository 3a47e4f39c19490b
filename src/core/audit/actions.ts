// What the audit history tells of, and the words it is told in: a sentence of who, this, and what it was done
// to. A new act gets a line here.

/** Each action with its verb: "Mara Feld *resolved* #1043". */
const auditActions = {
  'issue.resolved': 'resolved',
  'issue.reopened': 'reopened',
  'issue.ignored': 'ignored',
  'issue.merged': 'merged others into',
  'issue.unmerged': 'took apart',
  'issue.split': 'split',
  'issue.assigned': 'assigned',
  'issue.commented': 'commented on',
  'issue.comment_removed': 'removed a comment on',
  'issue.deleted': 'deleted the issue',
  'feedback.changed': 'changed the report',
  'feedback.deleted': 'deleted the report',
  'feedback.contact_seen': 'looked at the contact of',
  'project.created': 'made the project',
  'project.renamed': 'renamed the project',
  'project.changed': 'changed the project',
  'project.regrouped': 'grouped anew the project',
  'project.deleted': 'deleted the project',
  'key.created': 'made the key',
  'key.changed': 'changed the key',
  'key.rotated': 'replaced the key',
  'key.revoked': 'revoked the key',
  'domain.added': 'added the domain',
  'domain.changed': 'changed the domain',
  'domain.removed': 'removed the domain',
  'proof.created': 'asked for a proof of',
  'proof.checked': 'looked for the proof of',
  'proof.deleted': 'took back the proof of',
  'release.created': 'made the release',
  'release.changed': 'changed the release',
  'release.deleted': 'deleted the release',
  'deploy.created': 'deployed',
  'artifact.deleted': 'deleted the artifact',
  'monitor.created': 'made the monitor',
  'incident.opened': 'opened the incident',
  'incident.acknowledged': 'acknowledged the incident',
  'incident.updated': 'wrote about the incident',
  'incident.resolved': 'resolved the incident',
  'channel.created': 'made the alert channel',
  'status_page.created': 'made the status page',
  'member.added': 'added',
  'member.changed': 'changed the role of',
  'member.removed': 'removed',
  'member.link_made': 'made a sign-in link for',
  'member.link_withdrawn': 'took back the link of',
  'session.signed_in': 'signed in',
  'session.signed_out': 'signed out',
  'session.ended': 'ended sessions of',
  'sign_in.refused': 'was refused at the door',
  'token.rotated': 'replaced the workspace token',
  'retention.run': 'removed old events of',
  'audit.exported': 'took the audit history away',
  'backup.made': 'made the backup',
  'export.made': 'took everything away to',
  'import.made': 'took over',
} as const satisfies Readonly<Record<string, string>>;

export type AuditAction = keyof typeof auditActions;

/** The verb of an action; of one that a newer program wrote, its own name. */
export function verbOf(action: string): string {
  return auditActions[action as AuditAction] ?? action;
}
