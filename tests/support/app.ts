// Runs the real app on a temporary store, listening on loopback, with a project, keys and a test clock.
import { createServer, globalAgent, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type supertest from 'supertest';
import type { ProcessLoad } from '../../src/app/metrics/process-load.ts';
import type { AuditSource } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import type { Project } from '../../src/core/store/projects.ts';
import type { AdmissionLimits } from '../../src/http/server/admission.ts';
import type { ConnectionLimits } from '../../src/http/server/connections.ts';
import { checkDocumented } from './documented.ts';
import { generousOptions } from './readers.ts';
import { throwAwayDatabase } from './throw-away-database.ts';

export function byNamed(name: string): AuditSource {
  return { actor: { kind: 'command', id: null, name }, network: '', requestId: null };
}

export interface TestApp {
  readonly deps: Deps;
  readonly server: Server;
  readonly api: string;
  readonly origin: string;
  readonly project: Project;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly agent: ReturnType<typeof supertest>;
  /** With the public key, or the given credentials. */
  post(path: string, body: unknown, headers?: Record<string, string>): supertest.Test;
  postSecret(path: string, body: unknown): supertest.Test;
  deleteSecret(path: string): supertest.Test;
  get(path: string): supertest.Test;
  metrics(): Promise<string>;
  addProject(name: string): Promise<{ project: Project; publicKey: string; secretKey: string }>;
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Variables besides development defaults; rate limits are off by default. */
  readonly env?: Record<string, string>;
  readonly nowMs?: number;
  /** `test` by default; a reopened database has one of that name. */
  readonly projectName?: string;
  /** Domains of the project, with bug reports enabled. */
  readonly domains?: readonly string[];
  readonly deps?: Partial<Deps>;
  /** Time limit of symbolication; long, for slow machines. */
  readonly eventMappingMs?: number;
  readonly limits?: Partial<ConnectionLimits>;
  /** No load by default. */
  readonly pressure?: () => ProcessLoad;
  readonly admission?: Partial<AdmissionLimits>;
}

/** Imports on demand, so that skipped test files do not pay for it. */
async function load() {
  const { default: supertest } = await import('supertest');
  sayBodies(supertest.Test.prototype);
  const { createKey } = await import('../../src/core/projects/keys.ts');
  const { createApp } = await import('../../src/app/app.ts');
  const { silentLog } = await import('../../src/app/log.ts');
  const { openDeps } = await import('../../src/app/open-deps.ts');
  return { supertest, createKey, createApp, silentLog, openDeps };
}

interface StatusCheck {
  _assertStatus(status: number, answer: { readonly text?: string }): Error | undefined;
  isBodySaid?: boolean;
}

/** Adds the response body to errors of supertest's `.expect(201)`. */
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

/** supertest opens a connection for each request: reusing them halves the cost of a request. */
function onKeptConnections(agent: TestApp['agent']): TestApp['agent'] {
  const kept = Object.entries(agent).map(([method, ask]) => [
    method,
    (...of: Parameters<typeof ask>) => ask(...of).agent(globalAgent),
  ]);
  return Object.fromEntries(kept);
}

/** Prints errors although the log is silent: explains a 500. */
const ofFaults = {
  error(fields: object, message: string) {
    process.stderr.write(`FAULT ${message} ${JSON.stringify(fields)}\n`);
  },
};

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

/** Close it in afterAll. */
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
    // Nobody reads it after a crash.
    isUnsynced: true,
    ...('eventMappingMs' in options ? { eventMappingMs: options.eventMappingMs } : {}),
    log: { ...silentLog, ...ofFaults },
    now,
    domainCheckClient: prober,
  });
  // No jitter.
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
  const documented = deps.dialect === undefined ? await checkDocumented(server, deps) : null;
  const origin = `http://127.0.0.1:${port}`;
  const agent = onKeptConnections(supertest(origin));
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
    metrics: async () => (await app.observability.requestMetrics?.exporter.text())?.text ?? '',
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
      await documented?.throwFaults();
    },
  };
}
