import { describe, expect, it } from '@jest/globals';
import { recheckDueVerifications, startRecheckLoop } from '../../../src/core/domains/recheck-loop.ts';
import { createVerification } from '../../../src/core/domains/verifications.ts';
import type { DomainCheckClient } from '../../../src/core/ports/domain-check-client.ts';
import { openTestApp } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';

const hourMs = 3_600_000;
let asked: string[];
let answer: DomainCheckClient['texts'];
const app = forEachTest(() => {
  asked = [];
  answer = async () => ({ ok: false, code: 'timeout' });
  const prober: DomainCheckClient = {
    texts: (name) => {
      if (name.startsWith('_notifier-challenge.')) asked.push(name.slice('_notifier-challenge.'.length));
      return answer(name);
    },
    aliases: async () => ({ ok: false, code: 'no_record' }) as const,
    page: async () => ({ ok: false, code: 'unreachable' }),
  };
  return openTestApp({ deps: { domainCheckClient: prober }, env: { RATE_LIMITS: 'on' } });
});

const make = async (domain: string) =>
  (await createVerification(app.deps, app.project, { domain, method: 'dns_txt' }, null)).proof;

describe('a run of re-checks', () => {
  it('takes ten at a time, those that waited longest first', async () => {
    for (let made = 0; made < 12; made += 1) {
      await make(`a${made}.com`);
      app.advance(hourMs);
    }
    app.advance(2 * hourMs);
    expect(await recheckDueVerifications(app.deps)).toBe(10);
    expect(asked.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `a${index}.com`).toSorted());
    expect(await recheckDueVerifications(app.deps)).toBe(2);
    expect(await recheckDueVerifications(app.deps)).toBe(0);
  });

  it('leaves for later what the budget of the minute does not cover', async () => {
    const proof = await make('busy.com');
    app.advance(2 * hourMs);
    const { takeDomainCheck: takeCheck } = await import('../../../src/core/domains/verifications.ts');
    for (let taken = 0; taken < 30; taken += 1) takeCheck(app.deps, 'busy.com', taken);
    expect(await recheckDueVerifications(app.deps)).toBe(0);
    expect(asked).toEqual([]);
    app.advance(10 * 60_000);
    expect(await recheckDueVerifications(app.deps)).toBe(1);
    expect((await app.deps.store.findDomainVerification(app.project.id, proof.id))?.lastError).toBe(
      'timeout',
    );
    expect(await app.deps.store.listVerificationChecks(proof)).toEqual([
      {
        atMs: app.deps.now(),
        isManual: false,
        outcome: 'timeout',
        status: 'pending',
        found: [{ type: 'dns_txt', code: 'timeout' }],
      },
    ]);
  });

  it('goes on when one of its checks throws', async () => {
    await make('bad.com');
    await make('good.com');
    app.advance(2 * hourMs);
    const store = {
      ...app.deps.store,
      saveDomainVerification: async (...args: Parameters<typeof app.deps.store.saveDomainVerification>) => {
        if (args[0].domain === 'bad.com') throw new Error('no space left');
        return await app.deps.store.saveDomainVerification(...args);
      },
    };
    const told: string[] = [];
    const log = { ...app.deps.log, error: (_fields: object, message: string) => void told.push(message) };
    expect(await recheckDueVerifications({ ...app.deps, store, log })).toBe(1);
    expect(told).toEqual(['re-check failed']);
  });
});

describe('the periodic job', () => {
  it('checks what is due, and stops after the current run', async () => {
    const proof = await make('example.com');
    app.advance(2 * hourMs);
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    answer = async () => {
      started.resolve();
      await release.promise;
      return { ok: true, found: [`token=${proof.token}`] };
    };
    const loop = startRecheckLoop(app.deps, { tickMs: 1 });
    await started.promise;
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    release.resolve();
    await stopping;
    // The wildcard question answers the same, so it is no proof; what matters is that the round ended.
    expect((await app.deps.store.findDomainVerification(app.project.id, proof.id))?.lastError).toBe(
      'mismatch',
    );
  });
});
