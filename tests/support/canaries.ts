// Sends unique secrets (canaries) to a real program and searches them in all that it stores, logs, answers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { decompressBytes } from '../../src/core/events/compress-payload.ts';
import { generateKey } from '../../src/core/projects/keys.ts';
import { runLine } from './command-line.ts';
import { type RunningProgram, startProgram } from './program.ts';
import { spellingsOf } from './secret-kinds.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Canaries {
  secret(): string;
  foundIn(text: string): string[];
}

/** `after`: highest number used by another set. */
export function createCanaries(after = 0): Canaries {
  const spelled = new Map<string, string>();
  let serial = after;
  return {
    secret() {
      serial += 1;
      const secret = `Kx${serial}Canary${(serial * 7919).toString(36)}Zq`;
      for (const spelling of spellingsOf(secret)) spelled.set(spelling, secret);
      return secret;
    },
    foundIn(text) {
      const found: string[] = [];
      for (const [word] of text.matchAll(
        /Kx\d+Canary[0-9a-z]+Zq|KX\d+CANARY[0-9A-Z]+ZQ|4b78[0-9a-f]{26}|YW5uOkt4[\w+/=]+/g,
      )) {
        if (!spelled.has(word)) continue;
        const at = text.indexOf(word);
        found.push(text.slice(Math.max(0, at - 60), at + word.length + 20));
      }
      return found;
    },
  };
}

/** A program with project, keys, an API token of an admin, bug reports enabled, no rate limits, and debug logging. */
export interface WatchedProgram {
  readonly program: RunningProgram;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly personalToken: string;
  /** Sends a request and records the answer. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; text: string }>;
  /** Sends JSON, or a string as is, with both keys, or the token where a route takes no key. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string }>;
  /** With the secret key, or the token. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
  read(path: string): Promise<any>;
  answers(): string;
  /** Database contents: files as bytes, and decompressed columns. */
  kept(): string[];
  end(): Promise<void>;
}

export async function startWatched(): Promise<WatchedProgram> {
  const folder = temporaryFolder();
  const databasePath = join(folder.path, 'canaries.db');
  const publicKey = generateKey('public', (count) => Buffer.alloc(count, 7));
  const secretKey = generateKey('secret', (count) => Buffer.alloc(count, 9));
  const databaseUrl = `sqlite:${databasePath}`;
  const program = await startProgram({
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'debug',
    RATE_LIMITS: 'off',
    NOTIFIER_PUBLIC_KEY: publicKey,
    NOTIFIER_SECRET_KEY: secretKey,
    NOTIFIER_DOMAINS: 'shop.example:bug-reports',
    // Nobody listens there: e-mail channels can be created, but nothing is sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
  });
  const personalToken = await createAdminToken(databaseUrl);
  const answers: string[] = [];
  const credentials = {
    'X-Notifier-Key': publicKey,
    Origin: 'https://shop.example',
  };
  const bearerOf = (path: string) => ({
    Authorization: `Bearer ${ofMembers.test(path) ? personalToken : secretKey}`,
  });
  const watched: WatchedProgram = {
    program,
    publicKey,
    secretKey,
    personalToken,
    async ask(path, init = {}) {
      const base = path.startsWith('/api/0/') ? '' : '/wp-json/notifier/v1';
      const answer = await fetch(`${program.origin}${base}${path}`, init);
      const text = await answer.text();
      answers.push(`${JSON.stringify([...answer.headers])} ${text}`);
      return { status: answer.status, text };
    },
    post(path, body, headers = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
      const type = body instanceof FormData ? {} : { 'Content-Type': 'application/json' };
      return watched.ask(path, {
        method: 'POST',
        headers: { ...credentials, ...bearerOf(path), ...type, ...headers },
        body: isRaw ? (body as string) : JSON.stringify(body),
      });
    },
    async read(path) {
      const { text } = await watched.ask(path, { headers: bearerOf(path) });
      return text === '' ? null : JSON.parse(text);
    },
    answers: () => answers.join('\n'),
    kept: () => [...filesIn(folder.path), ...rowsOf(databasePath)],
    async end() {
      await program.end('SIGKILL');
      folder.remove();
    },
  };
  return watched;
}

/** Routes without a project, which take no key. */
const ofMembers = /^\/(saved-views|members|teams|projects)(\/|\?|$)/;

async function createAdminToken(databaseUrl: string): Promise<string> {
  await runLine(databaseUrl, ['member', 'create', 'Ada', '--role', 'admin']);
  const scopes = 'read,issues,ci,admin';
  const words = ['token', 'create', 'probe', '--member', 'Ada', '--scope', scopes, '--json'];
  return JSON.parse((await runLine(databaseUrl, words)).out).text;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((file) => readFileSync(join(folder, file)).toString('latin1'));
}

function rowsOf(databasePath: string): string[] {
  const database = new Database(databasePath, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all() as string[];
  const values: string[] = [];
  for (const table of tables) {
    for (const row of database.prepare(`SELECT * FROM "${table}"`).raw().iterate() as Iterable<unknown[]>) {
      values.push(row.map((value) => (Buffer.isBuffer(value) ? unpacked(value) : String(value))).join('\n'));
    }
  }
  database.close();
  return values;
}

/** Decompresses a column; bytes that are not compressed stay. */
function unpacked(bytes: Buffer): string {
  for (const unpack of [decompressBytes, inflateRawSync, gunzipSync]) {
    try {
      return unpack(bytes).toString('utf8');
    } catch {
      // Not compressed this way.
    }
  }
  return bytes.toString('latin1');
}

/** Canaries found in all answers, in reading everything, in the log, and in the database. */
export async function leaksOf(watched: WatchedProgram, canaries: Canaries): Promise<string[]> {
  await readEverything(watched);
  const texts = [watched.answers(), watched.program.errors(), ...watched.kept()];
  return texts.flatMap((text) => canaries.foundIn(text));
}

/** List route and id member of resources with settings. */
export const nounsWithSettings: ReadonlyArray<readonly [path: string, number: string]> = [
  ['/alert-channels', 'alert_channel_id'],
  ['/monitors', 'monitor_id'],
  ['/maintenance-windows', 'maintenance_window_id'],
  ['/incidents', 'incident_id'],
  ['/report-schedules', 'report_schedule_id'],
  ['/status-pages', 'status_page_id'],
];

/** The same, of those without a project. */
export const nounsOfMembers: ReadonlyArray<readonly [path: string, number: string]> = [
  ['/saved-views', 'saved_view_id'],
  ['/members', 'member_id'],
  ['/teams', 'team_id'],
  ['/projects', 'project_id'],
];

/** Reads all lists and all records of a project. */
async function readEverything(watched: WatchedProgram): Promise<void> {
  const ids = async (path: string, name: string): Promise<Array<string | number>> => {
    const found: Array<string | number> = [];
    for (let page = 1; ; page += 1) {
      const rows = (await watched.read(
        `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
      )) as Array<Record<string, string | number>> | { code: string };
      if (!Array.isArray(rows)) return found;
      found.push(...rows.map((row) => row[name] ?? ''));
      if (rows.length < 100) return found;
    }
  };
  for (const id of await ids('/issues', 'issue_id')) {
    await watched.read(`/issues/${id}`);
    for (const event of await ids(`/issues/${id}/events`, 'event_id')) await watched.read(`/events/${event}`);
  }
  for (const spam of [false, true]) {
    for (const id of await ids(`/feedback?spam=${spam}`, 'feedback_id')) {
      await watched.read(`/feedback/${id}`);
    }
  }
  for (const id of await ids('/releases', 'release_id')) await watched.read(`/releases/${id}`);
  for (const id of await ids('/deploys', 'deploy_id')) await watched.read(`/deploys/${id}`);
  for (const id of await ids('/artifacts', 'artifact_id')) await watched.read(`/artifacts/${id}`);
  for (const id of await ids('/domains', 'domain_id')) await watched.read(`/domains/${id}`);
  for (const id of await ids('/test-runs', 'test_run_id')) {
    for (let page = 1; ; page += 1) {
      const run = await watched.read(`/test-runs/${id}?per_page=100&page=${page}`);
      const [one] = run.cases;
      if (one !== undefined) await watched.read(`/test-cases/${one.case_id}/runs`);
      if (run.cases.length < 100) break;
    }
  }
  for (const [path, id] of nounsWithSettings) {
    for (const each of await ids(path, id)) await watched.read(`${path}/${each}`);
  }
  for (const [path, id] of nounsOfMembers) {
    const rows = (await watched.read(path)) as Array<Record<string, number>>;
    for (const row of rows) await watched.read(`${path}/${row[id]}`);
  }
  await watched.read('/members/me');
  await watched.read('/outcomes');
  await watched.ask('/api/0/organizations/x/releases/', {
    headers: { Authorization: `Bearer ${watched.secretKey}` },
  });
}
