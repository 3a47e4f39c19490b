import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommandContext, parseCommandArgs } from '../../src/cli/command.ts';
import { domainVerifyCommand, waitForVerification } from '../../src/cli/commands/domains.ts';
import { toCommandError } from '../../src/cli/schema-options.ts';
import { createVerification } from '../../src/core/domains/verifications.ts';
import type { DomainCheckClient } from '../../src/core/ports/domain-check-client.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let published: string[];
beforeEach(async () => {
  published = [];
  const prober: DomainCheckClient = {
    texts: async (name) =>
      name.startsWith('_notifier-challenge.') && published.length > 0
        ? { ok: true, found: published }
        : { ok: false, code: 'no_record' },
    aliases: async () => ({ ok: false, code: 'no_record' }) as const,
    page: async () => ({ ok: false, code: 'unreachable' }),
  };
  app = await openTestApp({ deps: { domainCheckClient: prober } });
});
afterEach(async () => {
  await app.close();
});

const run = async (...argv: string[]) => {
  let out = '';
  let err = '';
  const context: CommandContext = {
    env: {},
    isTerminal: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    deps: async () => app.deps,
  };
  // A refusal is said as every command's is.
  const code = await domainVerifyCommand
    .run(context, parseCommandArgs(domainVerifyCommand, argv))
    .catch((error: unknown) => {
      throw toCommandError(error);
    });
  return { code, out, err };
};

describe('domain verify', () => {
  it('shows what to publish and checks once', async () => {
    const { code, out } = await run('münchen.de', '--wait', '0');
    expect(code).toBe(1);
    expect(out).toContain('münchen.de (xn--mnchen-3ya.de)');
    expect(out).toContain('Name   _notifier-challenge.xn--mnchen-3ya.de');
    expect(out).toContain('https://xn--mnchen-3ya.de/.well-known/notifier-verification.txt');
    expect(out).toContain('<meta name="notifier-site-verification"');
    expect(out).toContain('no_record: The verification token is not published there yet.');
    expect(out).toContain('is not verified yet');
  });

  it('says that the domain is verified, and by which method', async () => {
    const { proof } = await createVerification(app.deps, app.project, { domain: 'example.com' }, null);
    published = [`token=${proof.token}`];
    const first = await run('example.com', '--json');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({ status: 'verified', verified_by: 'dns_txt' });
    expect(first.err).toContain('example.com is verified by dns_txt');
    expect((await run('example.com')).out).toContain('already verified');
  });

  it('prints only the verification as JSON, also while it is pending, with exit code 1', async () => {
    const { code, out, err } = await run('example.com', '--wait', '0', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { domain: 'example.com', status: 'pending' }]);
    expect(err).toContain('is not verified yet');
  });

  it('refuses in one sentence', async () => {
    await expect(run('localhost')).rejects.toThrow('The domain is reserved and cannot be verified.');
    await expect(run('example.com', '--method', 'smoke')).rejects.toThrow('--method must be one of');
    await expect(run('example.com', '--wait', 'long')).rejects.toThrow('--wait must be a number of minutes.');
  });
});

describe('waiting', () => {
  it('checks every 15 seconds, prints each change once, and ends once verified', async () => {
    const { proof } = await createVerification(
      app.deps,
      app.project,
      { domain: 'example.com', method: 'dns_txt' },
      null,
    );
    let out = '';
    let looks = 0;
    const found = await waitForVerification(
      app.deps,
      app.project,
      proof,
      {
        out: (text) => {
          out += text;
        },
        isTerminal: false,
      },
      {
        waitMs: 600_000,
        sleep: async (milliseconds) => {
          looks += 1;
          app.advance(milliseconds);
          if (looks === 3) published = ['token=other'];
          if (looks === 5) published = [`token=${proof.token}`];
        },
      },
    );
    expect(found.status).toBe('verified');
    expect(looks).toBe(5);
    expect(out.match(/no_record|mismatch|found/g)).toEqual(['no_record', 'mismatch', 'found']);
  });

  it('ends at its timeout', async () => {
    const { proof } = await createVerification(
      app.deps,
      app.project,
      { domain: 'example.com', method: 'dns_txt' },
      null,
    );
    let looks = 0;
    const found = await waitForVerification(
      app.deps,
      app.project,
      proof,
      { out: () => {}, isTerminal: false },
      {
        waitMs: 60_000,
        sleep: async (milliseconds) => {
          looks += 1;
          app.advance(milliseconds);
        },
      },
    );
    expect(found.status).toBe('pending');
    expect(looks).toBe(4);
  });
});
