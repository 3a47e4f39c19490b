// The suite against a server that keeps the specification and nothing else: what we decided differs, and fails nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PlainServer, startPlainServer } from './support/plain-server.ts';
import { caught, named, runChecks, targetWords } from './support/run.ts';

const keys = { publicKey: 'pk_plain_0001', secretKey: 'sk_plain_0001', domain: 'shop.example' };

describe('a server that decides otherwise', () => {
  let server: PlainServer;

  beforeAll(async () => {
    server = await startPlainServer({ ...keys, requestsMax: 40 });
  });
  afterAll(() => server.close());

  it('fails nothing that is required, limits included', async () => {
    const { code, checks } = await runChecks(server.url, keys, ['--expect-limits']);
    expect(named(checks, 'failed')).toEqual([]);
    expect(code).toBe(0);
    expect(named(checks, 'not-observed')).toEqual(
      expect.arrayContaining(['artifacts-refuse-public-key', 'decision-sentry-door']),
    );
    expect(named(checks, 'differs')).toEqual(
      expect.arrayContaining(['wordpress-no-robots', 'decision-store-created', 'decision-event-id-form']),
    );
  });
});

describe('the words of the command', () => {
  it.each([
    ['no server', []],
    ['no key', ['--url', 'http://127.0.0.1:9']],
    ['an address that is none', ['--url', 'nonsense']],
    ['an unknown option', ['--nonsense']],
    ['an unknown verb', ['nonsense']],
    ['an unknown format', [...targetWords('http://127.0.0.1:9', keys), '--format', 'pdf']],
  ])('with %s are answered by the usage and 2', async (_what, argv) => {
    const { code, err, out } = await caught(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: notifier contract');
  });

  it('--help prints the usage and answers 0', async () => {
    expect(await caught(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--expect-limits'),
    });
  });

  it('a server that cannot be reached is said once, and is 1', async () => {
    const { code, err } = await caught(targetWords('http://127.0.0.1:9', keys));
    expect(code).toBe(1);
    expect(err).toMatch(/^127\.0\.0\.1:9 gave no answer: .*ECONNREFUSED/);
  });
});
