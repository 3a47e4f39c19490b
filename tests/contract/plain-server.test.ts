import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';
import { startPlainServer } from './support/plain-server.ts';
import { caught, named, runChecks, targetWords } from './support/run.ts';

const keys = { publicKey: 'pk_plain_0001', secretKey: 'sk_plain_0001', domain: 'shop.example' };

describe('a server that decides otherwise', () => {
  const server = shared(() => startPlainServer({ ...keys, requestsMax: 40 }));

  inFull(it)('passes every required check, limits included', async () => {
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

describe('the arguments of the command', () => {
  it.each([
    ['no server', []],
    ['no key', ['--url', 'http://127.0.0.1:9']],
    ['an address that is none', ['--url', 'nonsense']],
    ['a password in the address', ['--url', 'http://a:b@127.0.0.1:9']],
    ['an unknown option', ['--nonsense']],
    ['an unknown verb', ['nonsense']],
    ['an unknown format', [...targetWords('http://127.0.0.1:9', keys), '--format', 'pdf']],
  ])('%s: prints the usage, exit code 2', async (_what, argv) => {
    const { code, err, out } = await caught(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/Usage: .*notifier contract --url|See notifier contract --help/);
  });

  it('--help prints the usage, exit code 0', async () => {
    expect(await caught(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--expect-limits'),
    });
  });

  it('an unreachable server is reported once, exit code 1', async () => {
    const { code, err } = await caught(['--url', 'http://127.0.0.1:9', '--public-key', keys.publicKey], {
      TARGET_SECRET_KEY: keys.secretKey,
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^127\.0\.0\.1:9 gave no answer: .*ECONNREFUSED/);
  });

  it('a secret key as an argument is deprecated', async () => {
    const { code, err } = await caught(targetWords('http://127.0.0.1:9', keys));
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Deprecated: .* given with --secret-key, .* Set TARGET_SECRET_KEY in the environment\.\n/,
    );
  });

  it('a server that redirects is reported once', async () => {
    const { code, err } = await withServer(
      (_request, response) =>
        response.writeHead(301, { Location: 'https://shop.example/wp-json/notifier/v1' }).end(),
      (url) => caught(targetWords(url, keys)),
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('use it as --url: https://shop.example/wp-json/notifier/v1'),
    });
  });

  it('a server that goes away is not retried for ever', async () => {
    let asked = 0;
    const { code, checks } = await withServer(
      (request, response) => {
        asked += 1;
        if (asked === 1) response.end('{}');
        else request.socket.destroy();
      },
      (url) => runChecks(url, keys),
    );
    expect(code).toBe(1);
    expect(asked).toBe(4);
    expect(checks.find((check) => check.name === 'deploys-accepts')?.reason).toBe(
      'the server no longer answers',
    );
  });
});

async function withServer<T>(listener: RequestListener, ask: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
