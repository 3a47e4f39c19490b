import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompatibilityProfile } from '../../schemas/compatibility-profile.ts';
import { defaultProfile } from '../../schemas/default-profile.ts';
import { parseProfile } from '../../src/compatibility/profile-lookup.ts';
import { deriveProfile } from '../../src/contract/derive-profile.ts';
import { openTestApp } from '../support/app.ts';
import { inFull } from '../support/test-level.ts';
import { createReferenceServer } from '../wordpress/reference/reference-server.ts';
import { caught, type Keys, targetWords } from './support/run.ts';

const domain = 'shop.example';
const originalKeys: Keys = {
  publicKey: 'pk_test_00000000000000000000000000000001',
  secretKey: 'sk_test_00000000000000000000000000000001',
  domain,
};

interface Differences {
  readonly exchanges: number;
  readonly differences: ReadonlyArray<{
    readonly id: string;
    readonly part: string;
    readonly path: string;
    readonly left: string;
    readonly right: string;
    readonly volatile: boolean;
    readonly covered?: boolean;
  }>;
}

async function ours<T>(
  dialect: CompatibilityProfile | null,
  ask: (url: string, keys: Keys) => Promise<T>,
): Promise<T> {
  const app = await openTestApp({ domains: [domain], ...(dialect === null ? {} : { deps: { dialect } }) });
  try {
    return await ask(app.origin, { publicKey: app.publicKey, secretKey: app.secretKey, domain });
  } finally {
    await app.close();
  }
}

describe('the dialect of another server', () => {
  let original: Server;
  let url: string;
  let folder: string;
  let recording: string;
  let learned: string;
  let notes: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notifier-contract-'));
    recording = join(folder, 'plugin.jsonl');
    learned = join(folder, 'dialect.json');
    original = createReferenceServer();
    await new Promise<void>((resolve) => original.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(original.address() as AddressInfo).port}`;
    const recorded = await caught(['record', '--out', recording, ...targetWords(url, originalKeys)]);
    expect(recorded).toMatchObject({ code: 0 });
    const learning = await caught(['learn', recording, '--out', learned, '--name', 'reference plugin']);
    expect(learning.code).toBe(0);
    notes = learning.err;
  });

  afterAll(async () => {
    original.closeAllConnections();
    await new Promise((resolve) => original.close(resolve));
    await rm(folder, { recursive: true });
  });

  it('has no key and no address of the server in its recording', async () => {
    const text = await readFile(recording, 'utf8');
    expect(text).not.toContain(originalKeys.publicKey);
    expect(text).not.toContain(originalKeys.secretKey);
    expect(text).not.toContain(new URL(url).host);
    expect(text).not.toContain('notifier.test');
  });

  it('has what was observed: statuses, sentences, order, headers, arguments', async () => {
    const dialect = parseProfile(await readFile(learned, 'utf8'));
    expect(dialect.name).toBe('reference plugin');
    expect(dialect.order).toBe('wordpress');
    expect(dialect.success['POST /store']).toEqual({ created: 200, repeated: 200 });
    expect(dialect.members['POST /store']?.created).toEqual(['accepted', 'event_id', 'issue_id']);
    expect(dialect.refusals['invalid_domain_verification_id']).toEqual({
      status: 404,
      code: 'notifier_not_found',
      message: 'Domain verification not found.',
      data: [],
    });
    expect(dialect.route_refusals['POST /releases']?.['unauthorized']?.message).toBe(
      'A valid secret key is required.',
    );
    expect(dialect.headers.omit).toEqual(
      expect.arrayContaining(['Cross-Origin-Resource-Policy', 'Access-Control-Max-Age']),
    );
    expect(dialect.headers.add_with_origin).toEqual({ 'Access-Control-Allow-Credentials': 'true' });
    expect(dialect.arguments['POST /deploys']?.['environment']).toEqual({
      type: 'string',
      enum: ['production', 'staging', 'development'],
      required: true,
    });
  });

  it('takes the arguments from a saved index as well', async () => {
    const index = join(folder, 'index.json');
    const bare = join(folder, 'bare.jsonl');
    const lines = (await readFile(recording, 'utf8')).split('\n');
    await writeFile(bare, lines.filter((line) => !line.includes('"id":"namespace-index"')).join('\n'));
    await writeFile(index, await (await fetch(`${url}/wp-json/notifier/v1`)).text());
    const without = JSON.parse((await caught(['learn', bare])).out) as CompatibilityProfile;
    const within = JSON.parse(
      (await caught(['learn', bare, '--describe', index])).out,
    ) as CompatibilityProfile;
    expect(without.arguments).toEqual({});
    expect(within.arguments).toEqual(parseProfile(await readFile(learned, 'utf8')).arguments);
  });

  it('reports what cannot be learned, and keeps what the specification fixes', async () => {
    expect(notes).toContain('POST /domain-verifications answered no accepted, which the specification fixes');
    const dialect = parseProfile(await readFile(learned, 'utf8'));
    expect(dialect.members['POST /domain-verifications']?.created?.[0]).toBe('accepted');
  });

  inFull(it)('is applied: nothing that it covers differs afterwards', async () => {
    const dialect = parseProfile(await readFile(learned, 'utf8'));
    const before = await ours(null, (base, keys) => differences(recording, base, keys));
    const after = await ours(dialect, (base, keys) => differences(recording, base, keys));
    const counted = (found: Differences) =>
      found.differences.filter((each) => !each.volatile && each.covered);
    expect(counted(before).length).toBeGreaterThan(100);
    expect(counted(after)).toEqual([]);
  });

  inFull(it)('keeps every required check passing', async () => {
    const dialect = parseProfile(await readFile(learned, 'utf8'));
    const { code, out } = await ours(dialect, (base, keys) => caught(targetWords(base, keys)));
    expect(out.split('\n').filter((line) => line.includes('✗'))).toEqual([]);
    expect(code).toBe(0);
  });

  it('refuses what the original refuses, before the credential where the original does', async () => {
    const dialect = parseProfile(await readFile(learned, 'utf8'));
    const answers = await ours(dialect, async (base, keys) => {
      const send = (body: unknown, headers: Record<string, string>) =>
        fetch(`${base}/wp-json/notifier/v1/deploys`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }).then((answer) => answer.json());
      const bearer = { authorization: `Bearer ${keys.secretKey}` };
      return [
        await send({ version: '1', environment: 'moon' }, bearer),
        await send({ version: '1' }, {}),
        await send({ version: '1', environment: 'staging' }, {}),
      ];
    });
    expect(answers).toMatchObject([
      {
        code: 'rest_invalid_param',
        data: { params: { environment: 'environment is not one of production, staging, and development.' } },
      },
      { code: 'rest_missing_callback_param', data: { params: ['environment'] } },
      { code: 'rest_forbidden', message: 'A valid secret key is required.', data: { status: 401 } },
    ]);
  });

  async function differences(file: string, against: string, keys: Keys): Promise<Differences> {
    const [, , ...words] = targetWords(against, keys);
    const argv = ['diff', file, '--against', against, '--dialect', learned, '--format', 'json', ...words];
    return JSON.parse((await caught(argv)).out) as Differences;
  }
});

describe('a recording of a server that breaks rules', () => {
  const answered = (id: string, status: number, body: unknown) => ({
    id,
    request: { method: 'POST', path: '/', headers: [] as Array<[string, string]> },
    response: { status, headers: [] as Array<[string, string]>, body: JSON.stringify(body) },
  });
  const index = {
    routes: {
      '/notifier/v1/releases': {
        endpoints: [
          { methods: ['POST'], args: { 'a.b': { type: 'string', pattern: '^(a+)+$', required: true } } },
        ],
      },
      '/notifier/v1/store': { endpoints: [{ methods: ['POST'], args: { message: { type: 'integer' } } }] },
    },
  };

  it('is learned without what the specification fixes, with a note', () => {
    const refusal = (status: number, code: string) => ({ code, message: 'No.', data: { status } });
    const { profile: dialect, notes } = deriveProfile(
      [
        answered('store-no-key', 403, refusal(403, 'no_key')),
        answered('store-too-large', 413, refusal(413, 'too_large')),
        answered('store-event', 200, { event_id: 'a' }),
        answered('feedback-enabled', 500, { oops: 1 }),
        answered('proof-unknown', 404, refusal(404, 'gone')),
      ],
      { name: 'wrong', index },
    );
    expect(dialect.refusals).toEqual({
      invalid_domain_verification_id: { status: 404, code: 'gone', message: 'No.', data: [] },
    });
    expect(dialect.members['POST /store']?.created).toEqual(['accepted', 'issue_id', 'event_id']);
    expect(dialect.arguments).toEqual({
      'POST /releases': { 'a.b': { type: 'string', required: true } },
      'POST /store': {},
    });
    expect(notes.filter((note) => note.startsWith('not learned')).map((note) => note.split(':')[0])).toEqual([
      'not learned (7-unauthorized) at refusals.unauthorized',
      'not learned (7-statuses) at refusals.payload_too_large',
      'not learned (2-event) at arguments.POST /store.message',
      'not learned (safe-pattern) at arguments.POST /releases.a.b.pattern',
    ]);
  });
});

describe('our own dialect', () => {
  inFull(it)('changes no answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notifier-contract-'));
    const file = join(folder, 'ours.jsonl');
    await ours(null, (url, keys) => caught(['record', '--out', file, ...targetWords(url, keys)]));
    const { code, out } = await ours(defaultProfile, (url, keys) => {
      const [, , ...words] = targetWords(url, keys);
      return caught(['diff', file, '--against', url, ...words]);
    });
    await rm(folder, { recursive: true });
    expect(out).toMatch(/^The same in \d+ exchanges/m);
    expect(code).toBe(0);
  });

  it('is the example file in deploy/, word for word', async () => {
    const file = join(import.meta.dirname, '../../deploy/dialect.default.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(defaultProfile)));
  });
});
