// The whole program with its demo, at a clock that stands still, on a store that says what is asked of it
// and, once the program is up, refuses everything.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Deps } from '../../../src/core/deps.ts';
import { generousOptions } from '../../support/readers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeMigratedFile } from '../../support/throw-away-database.ts';

import { goldenMs, putDemoBeside } from '../look.ts';

export interface DemoApp {
  readonly origin: string;
  /** What was asked of the installation's own store since the program was up, by name: for visitors. */
  readonly asked: readonly string[];
  /** And by the program's clock, whoever visits. */
  readonly askedByClock: readonly string[];
  ask(path: string, options?: Asking): Promise<Answered>;
  /** Moves the clock. */
  advance(ms: number): void;
  /** A digest of the database file, all of it written down. */
  databaseDigest(): string;
  close(): Promise<void>;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Unpacked. */
  readonly text: string;
}

export async function openDemoApp(env: Readonly<Record<string, string>> = {}): Promise<DemoApp> {
  const { createApp } = await import('../../../src/app/app.ts');
  const { openDeps } = await import('../../../src/app/open-deps.ts');
  const { silentLog } = await import('../../../src/app/log.ts');
  const { applyConfiguration: settle } = await import('../../../src/core/projects/apply-configuration.ts');
  const folder = temporaryFolder();
  const databasePath = `${folder.path}/demo.db`;
  await writeMigratedFile(databasePath);
  await putDemoBeside(databasePath);
  let nowMs = goldenMs;
  const faults: string[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(JSON.stringify(fields)) };
  const opened = await openDeps(
    { RATE_LIMITS: 'off', DATABASE_URL: `sqlite:${databasePath}`, ...env },
    { ...(await generousOptions()), isUnsynced: true, log, now: () => nowMs },
  );
  await settle(opened.deps, () => {});
  const [asked, askedByClock]: [string[], string[]] = [[], []];
  const visits = new AsyncLocalStorage<'visit'>();
  let isUp = false;
  // Parts of the program keep methods as it starts: each looks anew whenever it is called.
  const store = new Proxy(opened.deps.store, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]): unknown => {
        if (!isUp) return Reflect.apply(found, target, given);
        (visits.getStore() === undefined ? askedByClock : asked).push(String(name));
        throw new Error(`The installation was asked for ${String(name)}.`);
      };
    },
  });
  const deps: Deps = { ...opened.deps, store };
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const app = createApp(deps, { port });
  server.prependListener('request', () => visits.enterWith('visit'));
  app.attach(server);
  isUp = true;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    asked,
    askedByClock,
    async ask(path, asking) {
      // It is opened at the first look.
      for (;;) {
        const answer = await ask(new URL(path, origin), asking);
        if (answer.headers['refresh'] === undefined) return answer;
        await setTimeout(20);
      }
    },
    advance(ms) {
      nowMs += ms;
    },
    databaseDigest() {
      const database = new Database(databasePath);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
      return createHash('sha256').update(readFileSync(databasePath)).digest('hex');
    },
    async close() {
      app.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await opened.close();
      folder.remove();
      if (faults.length > 0) throw new Error(`Pages failed: ${[...new Set(faults)].slice(0, 5).join('\n')}`);
    },
  };
}

function ask(url: URL, { method = 'GET', headers = {}, body }: Asking = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = { accept: 'text/html', ...length, ...headers };
    const request = httpRequest(url, { method, headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isPacked = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
        const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text });
      });
    });
    request.setTimeout(20_000, () =>
      request.destroy(new Error(`${method} ${url.pathname} is not answered.`)),
    );
    request.on('error', reject).end(body);
  });
}
