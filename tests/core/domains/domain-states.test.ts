import { describe, expect, it } from '@jest/globals';
import {
  applyCheckOutcome,
  expireIfDue,
  markRevoked,
  renewVerification,
} from '../../../src/core/domains/verification-states.ts';
import type { DomainVerification } from '../../../src/core/store/domains.ts';

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 10, 21);
const middle = 0.5;
const failed = { failure: 'timeout' } as const;
const proved = { verifiedBy: 'dns_txt' } as const;

const pending: DomainVerification = renewVerification(
  {
    id: 'dv_x',
    projectId: 1,
    domain: 'example.com',
    scope: 'host',
    method: 'any',
    label: null,
    token: '',
    tokenIssuedAtMs: 0,
    status: 'revoked',
    createdAtMs: startMs,
    expiresAtMs: null,
    verifiedAtMs: null,
    verifiedBy: null,
    lastCheckedAtMs: null,
    nextCheckAtMs: null,
    failures: 9,
    failingSinceMs: 5,
    lastError: 'tls',
  },
  'token',
  startMs,
  middle,
);
const verified = applyCheckOutcome(pending, proved, startMs + hourMs, middle);

describe('a pending verification', () => {
  it('starts again with its token and a week', () => {
    expect(pending).toMatchObject({
      status: 'pending',
      token: 'token',
      expiresAtMs: startMs + 168 * hourMs,
      failures: 0,
      failingSinceMs: null,
      lastError: null,
    });
  });

  it('stays pending, however often it fails', () => {
    let proof = pending;
    for (let hour = 0; hour < 167; hour += 1) {
      proof = applyCheckOutcome(proof, failed, startMs + hour * hourMs, middle);
    }
    expect(proof.status).toBe('pending');
  });

  it('expires after a week, not before', () => {
    const endMs = startMs + 168 * hourMs;
    expect(expireIfDue(pending, endMs - 1).status).toBe('pending');
    expect(expireIfDue(pending, endMs)).toMatchObject({ status: 'expired', nextCheckAtMs: null });
  });
});

describe('a verified domain', () => {
  it('has its time and method, and no expiry', () => {
    expect(verified).toMatchObject({
      status: 'verified',
      verifiedBy: 'dns_txt',
      verifiedAtMs: startMs + hourMs,
      expiresAtMs: null,
      failures: 0,
    });
    expect(expireIfDue(verified, startMs + 10_000 * hourMs)).toBe(verified);
  });

  it('is re-checked after a day, a tenth more or less', () => {
    const waitMs = (chance: number) =>
      (applyCheckOutcome(pending, proved, startMs, chance).nextCheckAtMs ?? 0) - startMs;
    expect(waitMs(0)).toBe(21.6 * hourMs);
    expect(waitMs(middle)).toBe(24 * hourMs);
    expect(waitMs(1)).toBe(26.4 * hourMs);
  });

  it('is failing after one failure, re-checked after six hours, and keeps since when it was verified', () => {
    const failing = applyCheckOutcome(verified, failed, startMs + 25 * hourMs, middle);
    expect(failing).toMatchObject({
      status: 'failing',
      failures: 1,
      lastError: 'timeout',
      verifiedAtMs: verified.verifiedAtMs,
      nextCheckAtMs: startMs + 31 * hourMs,
    });
  });
});

describe('a failing verification', () => {
  const failTimes = (times: number, everyMs: number): DomainVerification => {
    let proof = verified;
    for (let time = 0; time < times; time += 1) {
      proof = applyCheckOutcome(proof, failed, startMs + time * everyMs, middle);
    }
    return proof;
  };

  it.each([
    [2, 100, 'failing'],
    [3, 35, 'failing'],
    [3, 36, 'lapsed'],
    [12, 6, 'failing'],
    [13, 6, 'lapsed'],
  ] as const)('after %i failures, one every %i hours, is %s', (times, hours, status) => {
    expect(failTimes(times, hours * hourMs).status).toBe(status);
  });

  it('counts from zero after a recovery', () => {
    const once = applyCheckOutcome(verified, failed, startMs, middle);
    const recovered = applyCheckOutcome(once, proved, startMs + hourMs, middle);
    const twice = applyCheckOutcome(recovered, failed, startMs + 100 * hourMs, middle);
    expect(twice).toMatchObject({ failures: 1, failingSinceMs: startMs + 100 * hourMs, status: 'failing' });
  });
});

describe('a verification that has ended', () => {
  const lapsed = { ...verified, status: 'lapsed' as const };
  it.each([[lapsed], [expireIfDue(pending, startMs + 200 * hourMs)], [markRevoked(verified)]])(
    'changes by no check',
    (proof) => {
      expect(applyCheckOutcome(proof, proved, startMs, middle)).toBe(proof);
    },
  );
});
