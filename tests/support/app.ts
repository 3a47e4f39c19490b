// The real app on a throw-away store, listening on loopback, with a project, its keys and a clock that tests
// move.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type supertest from 'supertest';
import type { AuditBy } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import type { Project } from '../../src/core/store/projects.ts';
import type { AdmissionLimits } from '../../src/http/server/admission.ts';
import type { ConnectionLimits } from '../../src/http/server/connections.ts';
import type { Pressure } from '../../src/program/sight/pressure.ts';
import { generousOptions } from './readers.ts';
import { throwAwayDatabase } from './throw-away-database.ts';

/** Somebody who acts, by their name alone. */
export function byNamed(name: string): AuditBy {
  return { actor: { kind: 'command', id: null, name }, net: '', requestId: null };
}

export interface TestApp {
  readonly deps: Deps;
  readonly server: Server;
  /** `http://127.0.0.1:PORT/wp-json/notifier/v1` */
  readonly api: string;
  readonly origin: string;
  readonly project: Project;
  readonly publicKey: string;
  readonly secretKey: string;
  /** supertest on the running server. */
  readonly agent: ReturnType<typeof supertest>;
  /** Posts JSON below the namespace with the public key, or the credential given. */
  post(path: string, body: unknown, headers?: Record<string, string>): supertest.Test;
  /** Posts JSON with the bearer secret. */
  postSecret(path: string, body: unknown): supertest.Test;
  /** Deletes below the namespace with the bearer secret. */
  deleteSecret(path: string): supertest.Test;
  /** Reads below the namespace with the bearer secret. */
  get(path: string): supertest.Test;
  /** What /metrics says to whoever may read it. */
  metrics(): Promise<string>;
  /** Another project with keys of its own. */
  addProject(name: string): Promise<{ project: Project; publicKey: string; secretKey: string }>;
  /** Moves the clock. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Environment variables over the laptop defaults; rate limits are off unless said. */
  readonly env?: Record<string, string>;
  readonly nowMs?: number;
  /** `test` unless said: a database that is opened again has one of that name. */
  readonly projectName?: string;
  /** Hosts that the project lists, each taking bug reports. */
  readonly domains?: readonly string[];
  readonly deps?: Partial<Deps>;
  /** How long an event waits for its maps; long unless said: a machine may be slow. */
  readonly eventMappingMs?: number;
  /** Of connections and bodies, where they are not those of the program. */
  readonly limits?: Partial<ConnectionLimits>;
  /** How the process stands; nothing waits unless said. */
  readonly pressure?: () => Pressure;
  /** Of admission, where `pressure` is said. */
  readonly admission?: Partial<AdmissionLimits>;
}

/**
 * The program is loaded here, not with this file: a test file whose tests are all left out pays nothing for
 * it.
 */
async function load() {
  const { default: supertest } = await import('supertest');
  sayBodies(supertest.Test.prototype);
  const { createKey } = await import('../../src/core/projects/keys.ts');
  const { createApp } = await import('../../src/program/app.ts');
  const { silentLog } = await import('../../src/program/log.ts');
  const { openDeps } = await import('../../src/program/open-deps.ts');
  return { supertest, createKey, createApp, silentLog, openDeps };
}

interface StatusCheck {
  _assertStatus(status: number, answer: { readonly text?: string }): Error | undefined;
  isBodySaid?: boolean;
}

/** supertest's own `.expect(201)` says which status came; here it says what came with it, too. */
function sayBodies(test: object): void {
  const prototype = test as StatusCheck;
  if (prototype.isBodySaid) return;
  const { _assertStatus: check } = prototype;
  prototype._assertStatus = function checkStatus(status, answer) {
    const error = check.call(this, status, answer);
    if (error !== undefined) error.message += `: ${answer.text?.slice(0, 2_000)}`;
    return error;
  };
  prototype.isBodySaid = true;
}

/** Said beside a silent log: a 500 in a test must say where it came from. */
const ofFaults = {
  error(fields: object, message: string) {
    process.stderr.write(`FAULT ${message} ${JSON.stringify(fields)}\n`);
  },
};

/** Opens the app for one act, and closes it whatever comes of that. */
export async function withTestApp(
  options: TestAppOptions,
  act: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await openTestApp(options);
  try {
    await act(app);
  } finally {
    await app.close();
  }
}

export const startOfTests = Date.UTC(2026, 10, 21, 12, 0, 0);
const namespace = '/wp-json/notifier/v1';

/** Opens the app; close it in afterAll. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  let nowMs = options.nowMs ?? startOfTests;
  const now = (): number => nowMs;
  const database = await throwAwayDatabase(options.env);
  const env = { RATE_LIMITS: 'off', ...database.env, ...options.env };
  const prober = {
    texts: async () => ({ ok: false, code: 'nxdomain' }) as const,
    aliases: async () => ({ ok: false, code: 'no_record' }) as const,
    page: async () => ({ ok: false, code: 'unreachable' }) as const,
  };
  const { supertest, createKey, createApp, silentLog, openDeps } = await load();
  const opened = await openDeps(env, {
    ...(await generousOptions()),
    ...('eventMappingMs' in options ? { eventMappingMs: options.eventMappingMs } : {}),
    log: { ...silentLog, ...ofFaults },
    now,
    prober,
  });
  // Waits are as long as they say: what spreads them has a test of its own.
  const deps: Deps = { ...opened.deps, random: () => 0, ...options.deps };
  const { store } = deps;
  const addProject = async (name: string) => {
    const project = await store.createProject({ name, createdAtMs: now() });
    const publicKey = (await createKey(deps, project.id, 'public')).text;
    const secretKey = (await createKey(deps, project.id, 'secret')).text;
    return { project, publicKey, secretKey };
  };
  const first = await addProject(options.projectName ?? 'test');
  for (const host of options.domains ?? []) {
    await store.addDomain({ projectId: first.project.id, host, bugReports: true, createdAtMs: now() });
  }
  const server = createServer({ maxHeaderSize: 16_384 });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { limits, pressure, admission } = options;
  const app = createApp(deps, {
    port,
    ...(limits === undefined ? {} : { limits }),
    ...(pressure === undefined ? {} : { pressure }),
    ...(admission === undefined ? {} : { admission }),
  });
  app.attach(server);
  const origin = `http://127.0.0.1:${port}`;
  const agent = supertest(origin);
  const withBearer = (test: supertest.Test): supertest.Test =>
    test.set('Authorization', `Bearer ${first.secretKey}`);
  return {
    deps,
    server,
    origin,
    api: `${origin}${namespace}`,
    ...first,
    agent,
    post: (path, body, headers = { 'X-Notifier-Key': first.publicKey }) =>
      agent
        .post(namespace + path)
        .set(headers)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body)),
    postSecret: (path, body) =>
      withBearer(agent.post(namespace + path))
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body)),
    deleteSecret: (path) => withBearer(agent.delete(namespace + path)),
    get: (path) => withBearer(agent.get(namespace + path)),
    metrics: async () => (await app.watched.sight?.exposition.text())?.text ?? '',
    addProject,
    advance(milliseconds) {
      nowMs += milliseconds;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await opened.close();
      database.remove();
    },
  };
}
