import { describe, expect, it } from '@jest/globals';
import {
  applyCheckOutcome,
  markRevoked,
  renewVerification,
} from '../../src/core/domains/verification-states.ts';
import type { DomainVerification, VerificationCheck } from '../../src/core/store/domains.ts';
import { databases, startMs, storeForEachTest } from './support/databases.ts';

const hourMs = 3_600_000;
const limits = { proofsMax: 5 };

const blank = (id: string, parts: Partial<DomainVerification> = {}): DomainVerification =>
  renewVerification(
    {
      id: `dv_${id}`,
      projectId: 1,
      domain: 'example.com',
      scope: 'host',
      method: 'any',
      label: 'Shop',
      token: '',
      tokenIssuedAtMs: 0,
      status: 'pending',
      createdAtMs: startMs,
      expiresAtMs: null,
      verifiedAtMs: null,
      verifiedBy: null,
      lastCheckedAtMs: null,
      nextCheckAtMs: null,
      failures: 0,
      failingSinceMs: null,
      lastError: null,
      ...parts,
    },
    `token-${id}`,
    parts.tokenIssuedAtMs ?? startMs,
    0.5,
  );

describe.each(databases)('domain verifications on $name', (database) => {
  const store = storeForEachTest(database);

  it('have every field, and nothing of another project', async () => {
    const proof = blank('a');
    expect(await store.insertDomainVerification(proof, limits)).toEqual({ proof, created: true });
    expect(await store.findDomainVerification(1, 'dv_a')).toEqual(proof);
    expect(await store.findDomainVerification(2, 'dv_a')).toBeNull();
    const verified = applyCheckOutcome(proof, { verifiedBy: 'html_meta' }, startMs + 5, 0.5);
    expect(await store.saveDomainVerification(verified, proof)).toBe(true);
    expect(await store.findDomainVerification(1, 'dv_a')).toEqual(verified);
    const failing = applyCheckOutcome(verified, { failure: 'status_404' }, startMs + 6, 0.5);
    expect(await store.saveDomainVerification(failing, verified)).toBe(true);
    expect(await store.listDomainVerifications(1)).toEqual([failing]);
  });

  it('keep the newest checks of each, and none that began in an earlier state', async () => {
    const [one, other] = [blank('a'), blank('b', { domain: 'other.com' })];
    await store.insertDomainVerification(one, limits);
    await store.insertDomainVerification(other, limits);
    const lookAt = (atMs: number): VerificationCheck => ({
      atMs,
      isManual: atMs % 2 === 1,
      outcome: 'status_404',
      status: 'pending',
      found: [
        { type: 'dns_txt', code: 'nxdomain' },
        { type: 'http_file', code: 'status_404' },
      ],
    });
    for (let at = 1; at <= 53; at += 1) await store.addVerificationCheck(one, lookAt(at));
    await store.addVerificationCheck(other, lookAt(7));
    const kept = await store.listVerificationChecks(one);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toEqual(lookAt(53));
    expect(kept.map(({ atMs }) => atMs).slice(-2)).toEqual([5, 4]);
    expect(await store.listVerificationChecks(other)).toEqual([lookAt(7)]);
    expect(await store.listVerificationChecks({ ...other, projectId: 2 })).toEqual([]);

    const verified = applyCheckOutcome(other, { verifiedBy: 'dns_txt' }, startMs + 5, 0.5);
    const found: VerificationCheck = {
      atMs: startMs + 5,
      isManual: false,
      outcome: 'ok',
      status: 'verified',
      found: [{ type: 'dns_txt', code: 'ok' }],
    };
    expect(await store.saveDomainVerification(verified, other, found)).toBe(true);
    expect(await store.saveDomainVerification(verified, other, found)).toBe(false);
    expect(await store.listVerificationChecks(other)).toEqual([found, lookAt(7)]);
  });

  it('return an active one, and renew one that has ended', async () => {
    const first = blank('a');
    await store.insertDomainVerification(first, limits);
    expect(await store.insertDomainVerification(blank('b'), limits)).toEqual({
      proof: first,
      created: false,
    });
    await store.saveDomainVerification(markRevoked(first), first);
    const again = await store.insertDomainVerification(
      blank('c', { tokenIssuedAtMs: startMs + hourMs, label: null }),
      limits,
    );
    expect(again).toMatchObject({
      created: true,
      proof: { id: 'dv_a', token: 'token-c', status: 'pending', label: null },
    });
    const late = await store.insertDomainVerification(
      blank('d', { tokenIssuedAtMs: startMs + 200 * hourMs }),
      limits,
    );
    expect(late).toMatchObject({ created: true, proof: { id: 'dv_a', token: 'token-d' } });
  });

  it('makes one of many that are isManual for at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.insertDomainVerification(blank(`p${index}`), limits)),
    );
    expect(all.filter((each) => each?.created)).toHaveLength(1);
    expect(new Set(all.map((each) => each?.proof.id)).size).toBe(1);
  });

  it('are limited in number', async () => {
    for (let made = 0; made < 5; made += 1) {
      await store.insertDomainVerification(blank(`m${made}`, { domain: `m${made}.com` }), limits);
    }
    expect(await store.insertDomainVerification(blank('x', { domain: 'x.com' }), limits)).toBeNull();
    expect(await store.insertDomainVerification(blank('y', { domain: 'm3.com' }), limits)).toMatchObject({
      created: false,
    });
  });

  it('take the first of two concurrent writes', async () => {
    const proof = blank('a');
    await store.insertDomainVerification(proof, limits);
    const [one, other] = await Promise.all([
      store.saveDomainVerification(markRevoked(proof), proof),
      store.saveDomainVerification(applyCheckOutcome(proof, { verifiedBy: 'dns_txt' }, startMs, 0.5), proof),
    ]);
    expect([one, other].filter(Boolean)).toHaveLength(1);
  });

  it('return due ones once', async () => {
    await store.insertDomainVerification(blank('a', { domain: 'a.com' }), limits);
    await store.insertDomainVerification(blank('b', { domain: 'b.com' }), limits);
    expect(await store.claimDueVerifications(startMs, hourMs, 10)).toEqual([]);
    const nowMs = startMs + 2 * hourMs;
    const claims = await Promise.all([
      store.claimDueVerifications(nowMs, hourMs, 10),
      store.claimDueVerifications(nowMs, hourMs, 10),
    ]);
    expect(
      claims
        .flat()
        .map((proof) => proof.id)
        .sort(),
    ).toEqual(['dv_a', 'dv_b']);
    expect(await store.claimDueVerifications(nowMs + hourMs, hourMs, 1)).toHaveLength(1);
  });
});
