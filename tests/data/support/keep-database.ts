// Makes the fixture that later versions have to open: `node tests/data/support/keep-database.ts 0.1.0` starts
// this version on an empty SQLite file and on an empty PostgreSQL, sends something of every kind, and writes
// tests/fixtures/databases/0.1.0: both databases, and what every address answered. Run once, when a version
// is closed; tests/data/kept-databases.full.test.ts opens what it made.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { pngOf } from '../../support/images.ts';
import { runCommand, startProgram } from '../../support/program.ts';
import { programPath } from '../../support/program-path.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sampleEvent, sampleFile } from '../../support/uploads.ts';
import { type AddressAnswer, answersOf, keptKeys } from './kept-answers.ts';
import { runPostgres } from './postgres.ts';

const version = process.argv[2];
if (version === undefined) throw new Error('say which version this is: 0.1.0');
const folder = join(import.meta.dirname, '../../fixtures/databases', version);
mkdirSync(folder, { recursive: true });

/** A server that is filled, and how it is asked. */
interface Filling {
  readonly origin: string;
  send(path: string, body: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}

await keepSqlite();
await keepPostgres();

async function keepSqlite(): Promise<void> {
  const place = temporaryFolder();
  const path = join(place.path, 'notifier.db');
  keepAnswers('sqlite', await fill(`sqlite:${path}`));
  const file = new Database(path);
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.exec('VACUUM');
  file.close();
  writeFileSync(join(folder, 'notifier.db.gz'), gzipSync(readFileSync(path), { level: 9 }));
  place.remove();
}

async function keepPostgres(): Promise<void> {
  const [initdb, postgres, dump] = ['initdb', 'postgres', 'pg_dump'].map(programPath);
  if (!initdb || !postgres || !dump) throw new Error('PostgreSQL is not installed');
  const place = temporaryFolder();
  const server = await runPostgres({ initdb, postgres, folder: place.path });
  const url = server.addressOf('postgres');
  keepAnswers('postgres', await fill(url));
  const text = execFileSync(dump, ['--inserts', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  // Lines of psql alone: what is kept is to be sent by any client.
  const statements = text.replaceAll(/^\\.*\n/gm, '');
  writeFileSync(join(folder, 'notifier.sql.gz'), gzipSync(statements, { level: 9 }));
  await server.end();
  place.remove();
}

function keepAnswers(name: string, answers: readonly AddressAnswer[]): void {
  const kept = { madeAtMs: Date.now(), answers };
  writeFileSync(join(folder, `${name}.answers.json`), `${JSON.stringify(kept, null, 1)}\n`);
}

async function fill(databaseUrl: string): Promise<AddressAnswer[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    NOTIFIER_PROJECT: 'kept',
    NOTIFIER_PUBLIC_KEY: keptKeys.public,
    NOTIFIER_SECRET_KEY: keptKeys.secret,
    NOTIFIER_DOMAINS: 'shop.example:bug-reports,www.shop.example',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  };
  const program = await startProgram(env);
  const api = `${program.origin}/wp-json/notifier/v1`;
  const filling: Filling = {
    origin: program.origin,
    async send(path, body, headers = {}) {
      const isJson = typeof body !== 'string' && !(body instanceof FormData) && !(body instanceof Uint8Array);
      const response = await fetch(api + path, {
        method: 'POST',
        headers: {
          Origin: 'https://shop.example',
          'X-Notifier-Key': keptKeys.public,
          Authorization: `Bearer ${keptKeys.secret}`,
          ...(body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: isJson ? JSON.stringify(body) : body,
      } as RequestInit);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
  };
  try {
    await sendErrors(filling);
    await sendBuilds(filling);
    const proof = await sendPeople(filling);
    command(env, ['project', 'create', 'other']);
    command(env, ['token', 'rotate']);
    // Losses and counts are written a little later.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return await answersOf(api, [`/domain-verifications/${proof}`]);
  } finally {
    await program.end();
  }
}

function command(env: Record<string, string>, words: readonly string[]): void {
  const done = runCommand(words, env);
  if (done.code !== 0) throw new Error(`${words.join(' ')}: ${done.err}`);
}

function errorOf(type: string, name: string, more: object = {}): object {
  const frame = { function: name, filename: `/srv/shop/${name}.php`, lineno: 42, in_app: true };
  return {
    platform: 'php',
    release: 'shop@1.0.0',
    environment: 'production',
    server_name: 'web-1',
    tags: { browser: 'Firefox', page: 'cart' },
    user: { id: '7', email: 'someone@shop.example' },
    breadcrumbs: [{ category: 'http', message: 'GET /cart', level: 'info' }],
    request: { url: 'https://shop.example/cart?item=5', method: 'GET' },
    exception: { values: [{ type, value: `${name} failed`, stacktrace: { frames: [frame] } }] },
    ...more,
  };
}

async function sendErrors({ send }: Filling): Promise<void> {
  const issueOf = async (event: object): Promise<number> => {
    const stored = await send('/store', event);
    return Number(stored['issue_id']);
  };
  const first = await issueOf(errorOf('RuntimeException', 'charge'));
  await issueOf(errorOf('RuntimeException', 'charge', { environment: 'staging', user: { id: '8' } }));
  await send(`/issues/${first}`, { status: 'resolved', in: 'release', release: 'shop@1.0.0' });
  await issueOf(errorOf('RuntimeException', 'charge', { release: 'shop@1.1.0' }));
  const ignored = await issueOf(errorOf('PDOException', 'query', { level: 'fatal' }));
  await send(`/issues/${ignored}`, { status: 'ignored', until: 'count', count: 100, window: 3_600 });
  const resolved = await issueOf(errorOf('TypeError', 'render'));
  await send(`/issues/${resolved}`, { status: 'resolved' });
  const children = [
    await issueOf(errorOf('RangeError', 'tree')),
    await issueOf(errorOf('RangeError', 'branch')),
    await issueOf(errorOf('RangeError', 'leaf')),
  ];
  await send(`/issues/${children[0]}`, { merge: [children[1]] });
  await send(`/issues/${children[0]}`, { merge: [children[2]] });
  await issueOf({
    message: 'Only words: 123 of them',
    level: 'warning',
    fingerprint: ['words', '{{ default }}'],
  });
  const eventId = 'a'.repeat(32);
  const event = JSON.stringify(errorOf('SyntaxError', 'parse', { platform: 'javascript' }));
  const item = (headers: object, payload: string): string =>
    `${JSON.stringify({ length: Buffer.byteLength(payload), ...headers })}\n${payload}\n`;
  await send(
    '/envelope',
    [
      `${JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() })}\n`,
      item({ type: 'event' }, event),
      item(
        { type: 'attachment', filename: 'state.json', content_type: 'application/json' },
        '{"cart":[1,2]}',
      ),
      item(
        { type: 'user_report' },
        JSON.stringify({ event_id: eventId, name: 'Ann', comments: 'It broke.' }),
      ),
      item(
        { type: 'session' },
        JSON.stringify({ sid: eventId, init: true, status: 'crashed', attrs: { release: 'shop@1.1.0' } }),
      ),
      item(
        { type: 'client_report' },
        JSON.stringify({ discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: 5 }] }),
      ),
    ].join(''),
    { 'Content-Type': 'application/x-sentry-envelope' },
  );
}

async function sendBuilds({ send, origin }: Filling): Promise<void> {
  const commits = [{ id: 'c0ffee1', message: 'Fix the cart', author_name: 'Ann', timestamp: 1_790_000_000 }];
  await send('/releases', { version: 'shop@1.1.0', ref: 'main', commits, metadata: { build: 17 } });
  await send('/releases', { version: 'shop@0.9.0', status: 'archived', finalize: true });
  await send('/deploys', {
    version: 'shop@1.1.0',
    environment: 'production',
    status: 'success',
    name: 'blue',
  });
  await send('/deploys', { version: 'shop@1.1.0', environment: 'staging', status: 'queued' });
  // One event before its map and one after.
  const release = 'bundle@1';
  await send('/store', sampleEvent('esbuild', 'https://shop.example/app.min.js', { release }));
  const form = new FormData();
  form.append('release', release);
  for (const name of ['app.min.js', 'app.min.js.map']) {
    form.append('file', new Blob([new Uint8Array(sampleFile('esbuild', name))]), `~/${name}`);
  }
  await send('/artifacts', form);
  await send('/store', sampleEvent('esbuild', 'https://shop.example/app.min.js', { release }));
  const reports = join(import.meta.dirname, '../../fixtures/test-runs');
  for (const name of [
    'vitest3-ctrf-0.0.3.json',
    'playwright165-junit.xml',
    'surefire-3.2.5-flakyError.xml',
  ]) {
    await send(`/test-runs?release=${release}&branch=main`, readFileSync(join(reports, name), 'utf8'), {
      'Content-Type': name.endsWith('.xml') ? 'application/xml' : 'application/json',
    });
  }
  const chunk = new FormData();
  chunk.append('file', new Blob(['half of an upload']), 'e2a7d4b5ad6bd0a1ee7dd3a1f9f19de6cd1e8f8c');
  await fetch(`${origin}/api/0/organizations/any/chunk-upload/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keptKeys.secret}` },
    body: chunk,
  });
}

/** Answers the id of a proof of a domain. */
async function sendPeople({ send }: Filling): Promise<string> {
  const image = pngOf(20, 10).toString('base64');
  await send('/feedback', {
    message: 'The cart is empty after paying.',
    name: 'Ann',
    email: 'ann@shop.example',
    url: 'https://shop.example/cart',
    event_id: 'a'.repeat(32),
    category: 'bug',
    severity: 'high',
    tags: { theme: 'dark' },
    console: [{ level: 'error', message: 'cart failed' }],
    screenshots: [{ data: image, name: 'cart.png' }],
  });
  await send('/feedback', {
    message: 'Buy now',
    website: 'https://spam.example',
    url: 'https://shop.example/',
  });
  await send('/sdk-verify', { sdk: { name: 'notifier.browser', version: '1.2.3' } });
  await send('/domains', { domain: 'blog.shop.example', bug_reports: true });
  const proof = await send('/domain-verifications', { domain: 'a-kept-shop.com', label: 'shop' });
  await send(`/domain-verifications/${proof['id']}/check`, {});
  return String(proof['id']);
}
