// An Express program of somebody else that mounts the router: helmet, compression and routes of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import compression from 'compression';
import express, { type Express } from 'express';
import helmet from 'helmet';
import supertest from 'supertest';
import { silentLog } from '../../src/app/log.ts';
import { openNotifier } from '../../src/app/notifier.ts';
import { openDeps } from '../../src/app/open-deps.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import type { Notifier, NotifierOptions } from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { writeMigratedFile } from '../support/throw-away-database.ts';
import type { Answer } from '../wordpress/exchanges.ts';

export const shopText = 'The shop, which is nobody else’s.\n';

/** A database file with one project in it and nothing else; `remove` takes it away. */
interface MadeDatabase {
  readonly databaseUrl: string;
  readonly publicKey: string;
  readonly secretKey: string;
  remove(): void;
}

/** Makes a database as the command line does: a project and its keys. */
async function makeDatabase(): Promise<MadeDatabase> {
  const folder = temporaryFolder();
  const databasePath = join(folder.path, 'notifier.db');
  await writeMigratedFile(databasePath);
  const databaseUrl = `sqlite:${databasePath}`;
  const { deps, close } = await openDeps({ DATABASE_URL: databaseUrl }, { log: silentLog });
  const { id } = await deps.store.createProject({ name: 'test', createdAtMs: deps.now() });
  const publicKey = (await createKey(deps, id, 'public')).text;
  const secretKey = (await createKey(deps, id, 'secret')).text;
  await close();
  return { databaseUrl, publicKey, secretKey, remove: folder.remove };
}

export interface ForeignHost {
  readonly port: number;
  readonly agent: ReturnType<typeof supertest>;
}

/** What a test opened, closed at its end in the other order, however it ended. */
const opened: Array<() => Promise<void>> = [];

export async function closeAll(): Promise<void> {
  for (const close of opened.splice(0).reverse()) await close();
}

/** Serves an app of somebody else until `closeAll`; `mount` says in which order what is used. */
export async function serveHost(mount: (app: Express) => void): Promise<ForeignHost> {
  const app = express();
  app.use(helmet());
  app.use(compression());
  mount(app);
  app.get('/shop', (_request, response) => void response.type('text/plain').send(shopText));
  app.post('/shop/echo', express.json(), (request, response) => void response.json(request.body));
  const server = createServer({ maxHeaderSize: 16_384 }, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  opened.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  return { port, agent: supertest(`http://127.0.0.1:${port}`) };
}

export interface OwnNotifier extends MadeDatabase {
  readonly notifier: Notifier;
}

/**
 * A notifier on a database of its own until `closeAll`, with what a test wants different from the defaults.
 */
export async function openOwn(
  options: NotifierOptions = {},
  limits: Parameters<typeof openNotifier>[1] = {},
): Promise<OwnNotifier> {
  const database = await makeDatabase();
  const { databaseUrl } = database;
  const notifier = await openNotifier(
    { databaseUrl, rateLimits: false, logLevel: 'silent', ...options },
    limits,
  );
  opened.push(async () => {
    await notifier.close();
    database.remove();
  });
  return { notifier, ...database };
}

/**
 * Our headers of an answer: the host's own were set before, and ours begin with the Content-Type. compression
 * says by itself what it looks at.
 */
export function oursOf(headers: Answer['headers']): Answer['headers'] {
  const first = headers.findIndex(([name]) => name === 'Content-Type');
  return headers
    .slice(first)
    .map(([name, value]): readonly [string, string] =>
      name === 'Vary' ? [name, value.replace(/(?:, )?Accept-Encoding$/, '')] : [name, value],
    )
    .filter(([name, value]) => name !== 'Vary' || value !== '');
}
