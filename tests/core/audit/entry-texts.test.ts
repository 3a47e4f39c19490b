import { describe, expect, it } from '@jest/globals';
import type { IssueChangeRequest } from '../../../schemas/issues.ts';
import {
  domainAuditEvent,
  issueAuditEvent,
  issueChangeAuditEvent,
  keyAuditEvent,
  keyChangeAuditEvent,
  keyRotationAuditEvent,
} from '../../../src/core/audit/events.ts';
import type { Domain } from '../../../src/core/store/domains.ts';
import type { Project, ProjectKey } from '../../../src/core/store/projects.ts';

const atMs = Date.UTC(2026, 10, 27, 9, 5);

describe('an issue in audit entries', () => {
  it('has its number and type, and not its message', () => {
    const nameOf = (title: string) =>
      issueAuditEvent({ id: 7, title, projectId: 1 }, 'issue.commented').object.name;
    expect(nameOf('TypeError: card of Ann: 4111')).toBe('#7 TypeError');
    expect(nameOf('E'.repeat(60))).toBe(`#7 ${'E'.repeat(60)}`);
    expect(nameOf('E'.repeat(61))).toBe(`#7 ${'E'.repeat(60)}`);
  });

  it.each<[Partial<IssueChangeRequest>, string, string]>([
    [{ merge: [2, 3] }, 'issue.merged', '#2, #3'],
    [{ undo_merge: 4 }, 'issue.unmerged', 'merge 4 undone'],
    [{ status: 'resolved', in: 'now' }, 'issue.resolved', ''],
    [{ status: 'resolved', in: 'next_release' }, 'issue.resolved', 'in the next release'],
    [{ status: 'resolved', in: 'release', release: 'shop@1' }, 'issue.resolved', 'in shop@1'],
    [{ status: 'ignored', until: 'forever' }, 'issue.ignored', 'forever'],
    [{ status: 'ignored', until: 'date', date: '2026-12-01T08:00:00Z' }, 'issue.ignored', 'until 2026-12-01'],
    [{ status: 'ignored', until: 'count', count: 5 }, 'issue.ignored', 'until 5 more events'],
    [{ status: 'ignored', until: 'users', users: 6 }, 'issue.ignored', 'until 6 more users'],
    [{ status: 'ignored', until: 'users' }, 'issue.ignored', 'until users'],
    [{ status: 'unresolved' } as Partial<IssueChangeRequest>, 'issue.reopened', ''],
  ])('%j is %s, %p', (asked, action, summary) => {
    const project = { id: 1, name: 'shop' } as Project;
    const issue = { id: 7, title: 'TypeError: x', projectId: 1 };
    const act = issueChangeAuditEvent(issue, project, asked as IssueChangeRequest);
    expect(act).toEqual({
      object: { kind: 'issue', id: 7, name: '#7 TypeError' },
      projectId: 1,
      action,
      summary,
    });
  });
});

describe('a key in audit entries', () => {
  const key: ProjectKey = {
    id: 3,
    projectId: 1,
    kind: 'secret',
    prefix: 'sk_',
    lastFour: 'abcd',
    imported: false,
    label: '',
    publicKey: null,
    scopes: ['ci', 'read', 'admin'],
    allowedOrigins: [],
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
  };

  it.each<[Partial<ProjectKey>, string]>([
    [{}, 'secret'],
    [{ label: 'CI' }, 'secret, “CI”'],
    [{ scopes: ['ci', 'read'] }, 'secret, scopes ci, read'],
    [{ kind: 'public', scopes: ['ingest'] }, 'public'],
    [
      { kind: 'public', scopes: ['ingest'], allowedOrigins: ['https://a.example', 'https://b.example'] },
      'public, from https://a.example https://b.example',
    ],
    [{ expiresAtMs: atMs }, 'secret, expires 2026-11-27 09:05 UTC'],
  ])('%j is recorded as %p', (parts, summary) => {
    expect(keyAuditEvent({ ...key, ...parts }, 'key.created')).toEqual({
      action: 'key.created',
      object: { kind: 'key', id: 3, name: 'sk_…abcd' },
      projectId: 1,
      summary,
    });
  });

  it('is recorded as changed where a field differs', () => {
    expect(keyChangeAuditEvent(key, { ...key, lastUsedAtMs: 5 })).toBeNull();
    for (const parts of [
      { label: 'CI' },
      { scopes: ['ci'] as const },
      { allowedOrigins: ['https://a.example'] },
      { expiresAtMs: 5 },
    ]) {
      expect(keyChangeAuditEvent(key, { ...key, ...parts })).toMatchObject({ action: 'key.changed' });
    }
  });

  it('is rotated, and may stay valid for a while', () => {
    const made = { prefix: 'sk_', lastFour: 'wxyz' };
    expect(keyRotationAuditEvent(key, made, null).summary).toBe('by sk_…wxyz');
    expect(keyRotationAuditEvent(key, made, atMs).summary).toBe(
      'by sk_…wxyz; the old one expires 2026-11-27 09:05 UTC',
    );
  });
});

describe('a domain in audit entries', () => {
  it('has its flags', () => {
    const domain = {
      id: 2,
      projectId: 1,
      host: 'a.example',
      bugReports: true,
      errors: false,
      sampling: 0.5,
    } as Domain;
    expect(domainAuditEvent(domain, 'domain.changed')).toEqual({
      action: 'domain.changed',
      object: { kind: 'domain', id: 2, name: 'a.example' },
      projectId: 1,
      summary: 'bug reports on, errors off, sampling 0.5',
    });
    const off = { ...domain, bugReports: false, errors: true };
    expect(domainAuditEvent(off, 'domain.added').summary).toBe('bug reports off, errors on, sampling 0.5');
    expect(domainAuditEvent(off, 'domain.removed').summary).toBe('');
  });
});
