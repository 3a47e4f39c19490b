import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CompatibilityProfile } from '../../schemas/compatibility-profile.ts';
import { parseProfile } from '../../src/compatibility/profile-lookup.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { recordedRoutes } from '../wordpress/record/ours.ts';
import { pluginSource } from '../wordpress/record/plugin.ts';
import { startWordPress, type WordPressSite, wordpressPrograms } from '../wordpress/record/site.ts';
import { caught, type Keys, named, runChecks, targetWords } from './support/run.ts';

const keys: Keys = { publicKey: 'pk_original_0001', secretKey: 'sk_original_0001', domain: 'shop.example' };
const plugin = join(import.meta.dirname, 'support/original-plugin.php');
const isInstalled = existsSync('/usr/share/wordpress/wp-load.php');

interface Difference {
  readonly id: string;
  readonly part: string;
  readonly volatile: boolean;
  readonly covered: boolean;
}

describeWithPrograms(
  'the contract against a real WordPress',
  isInstalled ? wordpressPrograms : [...wordpressPrograms, 'wordpress'],
  () => {
    let site: WordPressSite;
    let folder: string;
    let dialect: CompatibilityProfile;
    const file = (name: string) => join(folder, name);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'notifier-contract-'));
      const ownKeys = `const ANOTHER_PUBLIC_KEY = '${keys.publicKey}';\nconst ANOTHER_SECRET_KEY = '${keys.secretKey}';\n`;
      site = await startWordPress({ muPlugin: `${await readFile(plugin, 'utf8')}\n${ownKeys}` });
    });
    afterAll(async () => {
      await site?.stop();
      await rm(folder, { recursive: true });
    });

    it('passes every required check, and every one of WordPress’s conventions', async () => {
      const { code, checks } = await runChecks(site.origin, keys);
      expect(named(checks, 'failed')).toEqual([]);
      expect(code).toBe(0);
      const manners = checks.filter((check) => check.severity === 'wordpress');
      expect(manners.filter((check) => check.result !== 'passed').map((check) => check.name)).toEqual([
        // The plugin's own sentence for a missing key.
        'wordpress-forbidden-words',
      ]);
      expect(named(checks, 'differs').length).toBeGreaterThan(30);
    });

    it('is recorded, 429 included, and a dialect is learned from it', async () => {
      const words = targetWords(site.origin, keys);
      const recorded = await caught(['record', '--out', file('plugin.jsonl'), '--expect-limits', ...words]);
      expect(recorded).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^1\d\d exchanges with the server/),
      });
      const learned = await caught([
        ...['learn', file('plugin.jsonl'), '--url', site.origin],
        ...['--name', 'another notifier', '--out', file('dialect.json')],
      ]);
      expect(learned.code).toBe(0);
      dialect = parseProfile(await readFile(file('dialect.json'), 'utf8'));
      expect(dialect).toMatchObject({
        name: 'another notifier',
        order: 'wordpress',
        success: { 'POST /store': { created: 202, repeated: 202 }, 'POST /releases': { created: 200 } },
        members: { 'POST /store': { created: ['issue_id', 'accepted', 'event_id'] } },
        identifiers: {
          'POST /feedback': { feedback_id: 'report_id' },
          'POST /domain-verifications': { id: 'proof_id' },
          'POST /sdk-verify': { flags: 'features', stats: 'numbers' },
        },
        refusals: {
          unauthorized: { status: 401, message: 'This needs the public key of a project.', data: ['key'] },
          bug_reports_disabled: { status: 403, code: 'another_reports_off' },
          invalid_domain_verification_id: { status: 404, code: 'another_no_proof' },
          rate_limited: { status: 429, code: 'notifier_slow_down', data: ['seconds'] },
        },
        route_refusals: {
          'POST /releases': { unauthorized: { message: 'This needs the secret key of a project.' } },
        },
        headers: { add: {}, add_to_answers: { 'X-Another-Notifier': 'yes' } },
        arguments: { 'POST /releases': { version: { type: 'string', minLength: 3, required: true } } },
      });
    });

    it('has no difference from our server in what the dialect covers', async () => {
      const before = await withOurs(null, differences);
      expect(before.filter(isCounted).length).toBeGreaterThan(150);
      const after = await withOurs(dialect, differences);
      expect(after.filter(isCounted)).toEqual([]);
      expect(after.length).toBeLessThan(before.length);
    });

    it('our server in its dialect passes every required check', async () => {
      const { code, checks } = await withOurs(dialect, (app) => runChecks(app.origin, keysOf(app)));
      expect(named(checks, 'failed')).toEqual([]);
      expect(code).toBe(0);
    });

    it('is described by contract describe', async () => {
      const { code, out } = await caught(['describe', '--url', site.origin]);
      expect(code).toBe(0);
      expect(out).toMatch(/POST \/deploys +environment +enum +\["live","development"\]/);
      expect(out).toMatch(/Only in this program:\n(?: {2}.*\n)* {2}POST \/artifacts\n/);
    });

    async function differences(app: TestApp): Promise<Difference[]> {
      const [, , ...words] = targetWords('', keysOf(app));
      const argv = ['diff', file('plugin.jsonl'), '--against', app.origin, '--dialect', file('dialect.json')];
      const { out } = await caught([...argv, '--format', 'json', ...words]);
      return (JSON.parse(out) as { differences: Difference[] }).differences;
    }
  },
);

describeWithPrograms(
  'the contract against a WordPress with our own routes',
  isInstalled ? wordpressPrograms : [...wordpressPrograms, 'wordpress'],
  () => {
    it('has no difference in what the learned dialect covers', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'notifier-contract-'));
      const [recording, learned] = [join(folder, 'plugin.jsonl'), join(folder, 'dialect.json')];
      const routes = await withOurs(null, async (app) => recordedRoutes(app));
      const muPlugin = pluginSource(routes, { public: keys.publicKey, secret: keys.secretKey });
      const site = await startWordPress({ muPlugin });
      try {
        const recorded = await caught(['record', '--out', recording, ...targetWords(site.origin, keys)]);
        expect(recorded.code).toBe(0);
        expect(await caught(['learn', recording, '--out', learned])).toMatchObject({ code: 0 });
        const dialect = parseProfile(await readFile(learned, 'utf8'));
        expect(dialect.order).toBe('wordpress');
        expect(Object.keys(dialect.arguments).length).toBeGreaterThanOrEqual(10);
        const compared = await withOurs(dialect, (app) => {
          const [, , ...words] = targetWords('', keysOf(app));
          return caught(['diff', recording, '--against', app.origin, '--dialect', learned, ...words]);
        });
        expect(compared.out).toContain(', 0 of them covered by the profile');
        expect(compared.code).toBe(0);
      } finally {
        await site.stop();
        await rm(folder, { recursive: true });
      }
    });
  },
);

function isCounted(difference: Difference): boolean {
  return difference.covered && !difference.volatile;
}

function keysOf(app: TestApp): Keys {
  return { publicKey: app.publicKey, secretKey: app.secretKey, domain: 'shop.example' };
}

async function withOurs<T>(
  dialect: CompatibilityProfile | null,
  ask: (app: TestApp) => Promise<T>,
): Promise<T> {
  const env = { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '100' };
  const app = await openTestApp({
    env,
    ...(dialect === null ? {} : { deps: { dialect } }),
    domains: ['shop.example'],
  });
  try {
    return await ask(app);
  } finally {
    await app.close();
  }
}
