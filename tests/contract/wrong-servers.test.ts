import { describe, expect, it } from '@jest/globals';
import { runSuite } from '../../src/contract/run-suite.ts';
import { wholeSuite } from '../../src/contract/suite/whole.ts';
import { openTestApp } from '../support/app.ts';
import { allOrSome, fullOrShort, inFull, isFull, nightlyOrFull, rows } from '../support/test-level.ts';
import { caught, targetWords } from './support/run.ts';
import { startWrongServer, type Wrong, type WrongKeys } from './support/wrong-server.ts';
import { wrongServers } from './support/wrong-servers.ts';

const domain = 'shop.example';
const smallLimits = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '40',
  RATE_LIMIT_VERIFY_PER_ADDRESS_PER_MINUTE: '5',
};

/** Only what is required can fail, so only that is asked: the other checks would triple the requests. */
const requiredSuite = {
  requests: wholeSuite.requests,
  checks: wholeSuite.checks.filter((check) => check.severity === 'required'),
};

/**
 * The names of the required checks that fail before a wrong server; of `checks` alone where they are given.
 */
async function failedBefore(
  wrong: Wrong,
  options: { env?: Record<string, string>; checks?: readonly string[] | undefined } = {},
): Promise<string[]> {
  const { env = smallLimits, checks } = options;
  const judged = requiredSuite.checks.filter((check) => checks?.includes(check.name) ?? true);
  return before(wrong, env, async (url, keys) => {
    const target = {
      ...keys,
      siteUrl: new URL(url),
      domainGiven: true,
      domainOff: 'notifier-contract.invalid',
    };
    const own = {
      proofDomain: 'notifier-contract.example.com',
      releaseVersion: 'contract-1',
      run: 'a'.repeat(32),
    };
    const report = await runSuite({
      target: { ...target, ...own },
      suite: { ...requiredSuite, checks: judged },
      expectLimits: true,
      now: Date.now,
      sleep: () => Promise.reject(new Error('nothing here is to wait')),
    });
    return report.results.filter((each) => each.outcome.result === 'failed').map((each) => each.check.name);
  });
}

/**
 * Each check asks for what it needs, so few are quick. What must hold of every answer needs answers of all
 * kinds.
 */
function checksThatCatch(wrong: Wrong): readonly string[] {
  const catching = requiredSuite.checks.filter((check) => wrong.caughtBy.includes(check.name));
  if (catching.every((check) => check.every === undefined)) return wrong.caughtBy;
  // All but those that reach limits, which ask hundreds of times.
  return requiredSuite.checks.filter((check) => check.limits !== true).map((check) => check.name);
}

/** A server that forgets one of these limits is asked for so long that the long form alone does it. */
const slow = ['no limit on /store', 'no limit on /envelope'];
const asked = (): readonly Wrong[] =>
  allOrSome(
    wrongServers.filter((wrong) => isFull() || !slow.includes(wrong.name)),
    fullOrShort(32, 24),
  );

async function before<T>(
  wrong: Wrong,
  env: Record<string, string>,
  ask: (url: string, keys: WrongKeys) => Promise<T>,
): Promise<T> {
  const app = await openTestApp({ env, domains: [domain] });
  const keys = { publicKey: app.publicKey, secretKey: app.secretKey, domain };
  const proxy = await startWrongServer(app.origin, wrong, keys);
  try {
    return await ask(proxy.url, keys);
  } finally {
    await proxy.close();
    await app.close();
  }
}

describe('deliberately wrong servers', () => {
  inFull(it)('the proxy alone fails no check', async () => {
    expect(await failedBefore({ name: 'right', caughtBy: [] })).toEqual([]);
  });

  it.each(rows(() => asked().map((wrong) => [wrong.name, wrong] as const)))(
    '%s fails its check',
    async (_name, wrong) => {
      const failed = await failedBefore(wrong, { checks: nightlyOrFull(undefined, checksThatCatch(wrong)) });
      expect(failed).toEqual(expect.arrayContaining([...wrong.caughtBy]));
    },
  );

  it('the command names the failed check, and exits with 1', async () => {
    const wrong = wrongServers.find((each) => each.name === 'issue_id as text') ?? { name: '', caughtBy: [] };
    const { code, out } = await before(wrong, smallLimits, (url, keys) =>
      caught([...targetWords(url, keys), '--expect-limits']),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/✗ §2 +store-answers-issue-id +.*\n +issue_id is "\d+", not of type integer/);
    expect(out).toMatch(/\n1 of \d+ required checks fail: /);
  });

  inFull(it)('a server without 429 fails every check of a limit', async () => {
    const limits = wholeSuite.checks.filter((check) => check.group === 'Limits').map((check) => check.name);
    const options = { env: { RATE_LIMITS: 'off' }, checks: limits };
    expect(await failedBefore({ name: 'no 429 ever', caughtBy: [] }, options)).toEqual(limits);
  });

  it('cover each required check', () => {
    const held = new Set(wrongServers.flatMap((wrong) => wrong.caughtBy));
    expect(requiredSuite.checks.map((check) => check.name).filter((name) => !held.has(name))).toEqual([]);
  });
});
