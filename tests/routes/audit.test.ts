import { describe, expect, it } from '@jest/globals';
import { verifyAuditLog } from '../../src/core/audit/chain.ts';
import { maskKey } from '../../src/core/projects/keys.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp({ domains: ['shop.example'] });

const told = async (afterId = 0) =>
  (await app.deps.store.walkAudit(afterId, 100)).map(({ action, objectName, projectId, actor, network }) => ({
    action,
    objectName,
    projectId,
    actor,
    network,
  }));

describe('the audit log of the API', () => {
  it('lists who changed what with which key', async () => {
    await app.post('/store', { message: 'Mara lives here', platform: 'php' });
    await app.postSecret('/issues/1', { status: 'resolved' }).expect(200);
    const made = await app.postSecret('/domains', { domain: 'new.example' }).expect(201);
    await app.postSecret(`/domains/${made.body.domain_id}`, { bug_reports: true }).expect(200);
    const proof = await app.postSecret('/domain-verifications', { domain: 'example.com' }).expect(201);
    const release = await app.postSecret('/releases', { version: '1.2.3' }).expect(201);
    await app.deleteSecret(`/releases/${release.body.release_id}`).expect(200);
    expect((await told()).map(({ action, objectName }) => [action, objectName])).toEqual([
      ['issue.resolved', expect.stringMatching(/^#1 /)],
      ['domain.added', 'new.example'],
      ['domain.changed', 'new.example'],
      ['domain_verification.created', 'example.com'],
      ['release.deleted', '1.2.3'],
    ]);
    expect(proof.body.domain).toBe('example.com');
    const [key] = (await app.deps.store.listKeys(app.project.id)).filter(({ kind }) => kind === 'secret');
    if (key === undefined) throw new Error('There is no secret key.');
    expect(await told()).toContainEqual(
      expect.objectContaining({
        projectId: app.project.id,
        actor: { kind: 'key', id: key.id, name: maskKey(key) },
        network: '127.0.0.0/24',
      }),
    );
    expect((await verifyAuditLog(app.deps.store)).fault).toBeNull();
  });

  it('has no entries for refusals, reads or sent events', async () => {
    const before = (await app.deps.store.auditHead()).entries;
    await app.postSecret('/issues/99', { status: 'resolved' }).expect(404);
    await app.postSecret('/issues/1', { status: 'resolved', merge: [7] }).expect(400);
    await app.postSecret('/domains', { domain: 'http://x' }).expect(400);
    await app.get('/issues').expect(200);
    await app.post('/store', { message: 'again', platform: 'php' });
    expect(await told(before)).toEqual([]);
  });
});
