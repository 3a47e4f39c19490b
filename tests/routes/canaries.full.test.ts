// Secrets sent by every way there is, to the program as a person starts it: none of them is in its database,
// its log or any answer afterwards. The bytes of attachments are kept as they were sent, and so hold none
// here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { inflatePayload } from '../../src/core/events/pack.ts';
import { generateKey } from '../../src/core/projects/keys.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const databasePath = join(folder.path, 'canaries.db');
const publicKey = generateKey('public', (count) => Buffer.alloc(count, 7));
const secretKey = generateKey('secret', (count) => Buffer.alloc(count, 9));

/** What must be found nowhere: each canary has a part of its own that no rule writes. */
const needles = new Set<string>();
let serial = 0;

/** A secret that no other place has, as letters and digits. */
function secret(): string {
  serial += 1;
  const needle = `Kx${serial}Canary${(serial * 7919).toString(36)}Zq`;
  needles.add(needle);
  return needle;
}

/** A card number of its own with a right check digit. */
function card(gap = ''): string {
  serial += 1;
  const body = `411111${String(serial).padStart(9, '0')}`;
  const sum = [...body].toReversed().reduce((total, digit, at) => {
    const twice = at % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  const number = `${body}${(10 - (sum % 10)) % 10}`;
  const spaced = number.replace(/(\d{4})(?=\d)/g, `$1${gap}`);
  needles.add(spaced);
  return spaced;
}

function address(): string {
  serial += 1;
  const found = `203.0.${100 + (serial % 100)}.${(serial % 150) + 100}`;
  needles.add(found);
  return found;
}

const pem = (): string =>
  `-----BEGIN RSA PRIVATE KEY-----\nMIIE${secret()}\nq9${secret()}\n-----END RSA PRIVATE KEY-----`;
const jwt = (): string => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${secret()}.${secret()}abc`;

/** Secrets as sentences say them. */
const sentences: ReadonlyArray<() => string> = [
  () => `card ${card()} was refused`,
  () => `card ${card(' ')} was refused`,
  () => `card ${card('-')} was refused`,
  () => `Authorization: Bearer ${secret()}`,
  () => `login failed: password=${secret()}`,
  () => `{"password": "${secret()}"}`,
  () => `GET https://ann:${secret()}@shop.example/?token=${secret()}&page=2`,
  () => `Cookie: sessionid=${secret()}; theme=dark`,
  () => `key is ${pem()}`,
  () => `sent ${jwt()}`,
  () => `pushed with ghp_${secret()}abcdefghij`,
  () => `seen from ${address()}`,
];

/** Everything that a secret is told by its name. */
const named = (): Record<string, unknown> => ({
  password: secret(),
  userPassword: secret(),
  api_key: secret(),
  'X-Api-Key': secret(),
  accessToken: { value: secret(), list: [secret()] },
  client_secret: secret(),
  cookie: `sid=${secret()}`,
  credit_card: card(),
});

const said = (): Record<string, string> =>
  Object.fromEntries(sentences.map((sentence, index) => [`said_${index}`, sentence()]));

/** An event with secrets in every part that can hold any. */
function event(event_id: string, message: string): Record<string, unknown> {
  return {
    event_id,
    message,
    platform: 'php',
    level: `loud password=${secret()}`,
    timestamp: `yesterday Bearer ${secret()}`,
    logger: `log token=${secret()}`,
    transaction: `/pay?api_key=${secret()}`,
    server_name: `host password=${secret()}`,
    logentry: {
      message: 'paid with %s',
      params: [card(' '), `Bearer ${secret()}`],
      formatted: `paid with ${card()}`,
    },
    exception: {
      values: sentences.map((sentence) => ({
        type: 'Error',
        value: sentence(),
        mechanism: { type: 'generic', data: named() },
        stacktrace: {
          frames: [
            {
              function: 'pay',
              filename: 'pay.php',
              lineno: 3,
              context_line: `$password = '${secret()}';`,
              pre_context: [`curl -H "Authorization: Bearer ${secret()}"`],
              vars: { ...named(), note: sentence() },
            },
          ],
        },
      })),
    },
    breadcrumbs: [
      ...sentences.map((sentence) => ({ category: 'log', message: sentence(), data: { note: sentence() } })),
      { category: 'http', data: { ...named(), url: `https://shop.example/?access_token=${secret()}` } },
    ],
    request: {
      url: `https://bob:${secret()}@shop.example/pay?token=${secret()}&card=${card()}`,
      query_string: `password=${secret()}&a=1&apikey=${secret()}`,
      headers: {
        Authorization: `Bearer ${secret()}`,
        Cookie: `sid=${secret()}; PHPSESSID=${secret()}; pref=${secret()}`,
        'X-Api-Key': secret(),
        'X-CSRF-Token': secret(),
        'User-Agent': `probe/1.0 (Bearer ${secret()})`,
        Referer: `https://shop.example/?session=${secret()}`,
      },
      cookies: { sid: secret(), wordpress_logged_in: secret(), cart: secret() },
      data: { ...named(), ...said(), nested: { deep: [named()] } },
      env: { DB_PASSWORD: secret(), REMOTE_ADDR: '198.51.100.77' },
    },
    user: { id: '17', ip_address: '198.51.100.77', data: named(), username: `ann token=${secret()}` },
    tags: { token: secret(), note: `password=${secret()}`, author: 'Ann Author' },
    contexts: { app: { ...named(), note: `Bearer ${secret()}` } },
    extra: {
      ...named(),
      ...said(),
      list: sentences.map((sentence) => sentence()),
      tokenizer: 'kept-tokenizer',
    },
    fingerprint: ['{{ default }}', `password=${secret()}`],
    environment: `staging token=${secret()}`,
    sdk: { name: 'probe', version: '1', settings: { api_key: secret() } },
    something_new: { ...named(), note: `Bearer ${secret()}` },
  };
}

let program: RunningProgram;
const answers: string[] = [];

beforeAll(async () => {
  needles.add('198.51.100.77').add(secretKey);
  program = await startProgram({
    DATABASE_URL: `sqlite:${databasePath}`,
    LOG_LEVEL: 'debug',
    RATE_LIMITS: 'off',
    NOTIFIER_PUBLIC_KEY: publicKey,
    NOTIFIER_SECRET_KEY: secretKey,
    NOTIFIER_DOMAINS: 'shop.example:bug-reports',
  });
});
afterAll(async () => {
  await program.end('SIGKILL');
  folder.remove();
});

async function send(path: string, init: RequestInit, expected: number): Promise<string> {
  const answer = await fetch(`${program.origin}/wp-json/notifier/v1${path}`, init);
  const text = await answer.text();
  expect([path.split('?')[0], answer.status, answer.status === expected ? '' : text]).toEqual([
    path.split('?')[0],
    expected,
    '',
  ]);
  answers.push(`${JSON.stringify([...answer.headers])} ${text}`);
  return text;
}

const withKey = { 'X-Notifier-Key': publicKey, Origin: 'https://shop.example' };
const withSecret = { Authorization: `Bearer ${secretKey}` };
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...withKey, 'User-Agent': `probe (Bearer ${secret()})`, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('secrets', () => {
  const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

  it('are sent by every way there is', async () => {
    const explain = { 'X-Notifier-Explain': '1' };
    const referer = { Referer: `https://shop.example/?token=${secret()}`, Cookie: `sid=${secret()}` };
    await send(
      `/store?password=${secret()}`,
      post(event(ids[0], `Login with password=${secret()}`), { ...explain, ...referer }),
      201,
    );
    for (const sentence of sentences) await send('/store', post({ message: sentence() }, explain), 201);
    const header = {
      event_id: ids[1],
      sdk: { name: 'x', token: secret() },
      trace: { api_key: secret() },
      password: secret(),
    };
    const items: Array<[object, string]> = [
      [{ type: 'event' }, JSON.stringify(event(ids[1], `paid with ${card()}`))],
      [
        { type: 'attachment', filename: `password=${secret()}.txt`, content_type: 'text/plain' },
        'nothing in here',
      ],
      [
        { type: 'attachment', filename: `card ${card('-')}.txt`, attachment_type: `token=${secret()}` },
        'nor here',
      ],
      [
        { type: 'attachment', filename: 'typed', content_type: `text/plain; password=${secret()}` },
        'nor there',
      ],
      [
        { type: 'user_report' },
        JSON.stringify({ event_id: ids[1], name: 'Ann', comments: `my card is ${card(' ')}` }),
      ],
      [
        { type: 'feedback' },
        JSON.stringify({
          contexts: {
            feedback: { message: `my password=${secret()}`, url: `https://shop.example/?token=${secret()}` },
          },
          tags: { note: `Bearer ${secret()}`, token: secret() },
          release: `shop password=${secret()}`,
          environment: `token=${secret()}`,
        }),
      ],
      [
        { type: 'session' },
        JSON.stringify({ init: true, attrs: { release: '1.0', user_agent: `Bearer ${secret()}` } }),
      ],
      [{ type: 'mystery', token: secret() }, `password=${secret()}`],
    ];
    const lines = items.map(([head, payload]) => `${JSON.stringify(head)}\n${payload}\n`);
    await send('/envelope', post(`${JSON.stringify(header)}\n${lines.join('')}`), 201);
    await send(
      '/envelope',
      post(
        `${JSON.stringify({ event_id: ids[1] })}\n{"type":"attachment","filename":"late token=${secret()}"}\nx\n`,
      ),
      200,
    );
    await send('/envelope', post({ events: [event(ids[2], `Bearer ${secret()} was refused`)] }), 201);
    await send(
      '/feedback',
      post({
        message: `It says password=${secret()} and ${card(' ')}`,
        url: `https://shop.example/pay?access_token=${secret()}`,
        tags: { note: `password=${secret()}` },
        category: 'bug',
        console: [{ level: 'error', message: `Authorization: Bearer ${secret()}` }],
        metadata: { password: secret(), client_secret: secret(), ...said() },
        user_agent: `probe password=${secret()}`,
        release: `1.0 token=${secret()}`,
        environment: `token=${secret()}`,
      }),
      201,
    );
  });

  it('are sent in requests that are refused', async () => {
    await send('/store', post({ message: 5, password: secret() }), 400);
    await send('/store', post(`{"password": "${secret()}"`), 400);
    await send('/store', post({ message: 'x', event_id: `password=${secret()}` }), 400);
    await send('/envelope', post(`{}\n{"type":"event"}\n{"password":"${secret()}"\n`), 400);
    await send('/store', post({ message: 'x' }, { 'X-Notifier-Key': `ntf_pk_${secret()}` }), 401);
    await send(`/store?sentry_key=${secret()}`, { method: 'POST', body: '{}' }, 401);
    await send('/issues', { headers: { Authorization: `Bearer ntf_sk_${secret()}` } }, 401);
    await send(`/nothing/here?token=${secret()}`, { headers: withKey }, 404);
    await send(
      '/feedback',
      post(
        { message: 'x', url: `https://other.example/?token=${secret()}` },
        { Origin: 'https://other.example' },
      ),
      403,
    );
    await send('/feedback', post({ message: 'x', url: 'https://shop.example/', metadata: named() }), 400);
    await send(`/issues?search=password%3D${secret()}`, { headers: withSecret }, 200);
  });

  it('are in no answer', async () => {
    const read = (path: string): Promise<string> => send(path, { headers: withSecret }, 200);
    const issues = JSON.parse(await read('/issues?per_page=100')) as Array<{ issue_id: number }>;
    for (const { issue_id } of issues) {
      await read(`/issues/${issue_id}`);
      const events = JSON.parse(await read(`/issues/${issue_id}/events`)) as Array<{ event_id: string }>;
      for (const { event_id } of events) await read(`/events/${event_id}`);
    }
    for (const { feedback_id } of JSON.parse(await read('/feedback')) as Array<{ feedback_id: number }>) {
      await read(`/feedback/${feedback_id}`);
    }
    await read('/releases');
    await read('/outcomes');
    const whole = await read(`/events/${ids[0]}`);
    expect(whole).toContain('Ann Author');
    expect(whole).toContain('kept-tokenizer');
    expect(JSON.parse(whole).scrubbed).toBeGreaterThan(50);
    expect(needles.size).toBeGreaterThan(300);
    expect(foundIn(answers.join('\n'))).toEqual([]);
  });

  it('are not in the log', async () => {
    expect(program.errors()).toContain('"level"');
    expect(foundIn(program.errors())).toEqual([]);
  });

  it('are not in the database, its log file and its packed bodies included', async () => {
    for (const file of readdirSync(folder.path)) {
      expect([file, foundIn(readFileSync(join(folder.path, file)).toString('latin1'))]).toEqual([file, []]);
    }
    const database = new Database(databasePath, { readonly: true });
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    let bodies = 0;
    for (const table of tables) {
      const texts: string[] = [];
      for (const row of database.prepare(`SELECT * FROM "${table}"`).raw().iterate() as Iterable<unknown[]>) {
        for (const value of row) {
          const text = Buffer.isBuffer(value) ? unpacked(value) : String(value);
          // A short body leaves out the event's id, with which its payload begins.
          if (Buffer.isBuffer(value) && /^[{,]"/.test(text)) bodies += 1;
          texts.push(text);
        }
      }
      expect([table, foundIn(texts.join('\n'))]).toEqual([table, []]);
    }
    database.close();
    expect(bodies).toBeGreaterThanOrEqual(3 + sentences.length);
  });
});

/** Each needle that a text holds, with what stands in front of it; a text is read once for all of them. */
function foundIn(text: string): string[] {
  const any = new RegExp([...needles].map((needle) => needle.replace(/\W/g, '\\$&')).join('|'), 'g');
  return [...text.matchAll(any)].map(({ 0: needle, index }) =>
    text.slice(Math.max(0, index - 50), index + needle.length),
  );
}

/** What a packed column holds, or the bytes as they are. */
function unpacked(bytes: Buffer): string {
  try {
    return inflatePayload(bytes).toString('utf8');
  } catch {
    return bytes.toString('latin1');
  }
}
