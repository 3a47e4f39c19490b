// A web server on loopback to be monitored.
import { createServer as createHttp, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { startMonitorLoop } from '../../src/core/monitors/runner.ts';
import type { PeriodicJob } from '../../src/core/periodic-job.ts';
import type { TestDatabase } from '../data/support/test-database.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';
import type { Certificate } from './certificates.ts';
import { forEachTest } from './shared.ts';

export interface Monitored {
  readonly port: number;
  readonly asked: string[];
  /** A status, a function, or no answer. */
  answer: number | 'never' | ((response: ServerResponse, path: string) => void);
  close(): Promise<void>;
}

export async function startMonitored(certificate?: Certificate): Promise<Monitored> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  const take: Parameters<typeof createHttp>[1] = (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { answer } = monitored;
    if (typeof answer === 'function') answer(response, path);
    else if (answer !== 'never') response.writeHead(answer).end('<p>Total: 3</p>');
  };
  const server: Server = certificate === undefined ? createHttp(take) : createHttps(certificate, take);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const monitored: Monitored = {
    port: (server.address() as AddressInfo).port,
    asked,
    answer: 200,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return monitored;
}

/** An app that may check what is on loopback, its checks, and a server to be checked; for each test. */
export function monitoringForEachTest(database: TestDatabase, deps: TestAppOptions['deps'] = {}) {
  const server = forEachTest(() => startMonitored());
  const app = forEachTest(async () => {
    const env = { DATABASE_URL: await database.createMigrated(), NOTIFIER_FETCH_ALLOW: '127.0.0.0/8' };
    return openTestApp({ env, deps });
  });
  const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: 3_600_000 }));
  return { app, server, monitoring };
}

/** Advances the clock to the next check of a monitor, or of all, and runs it; `times` times. */
export async function nextChecks(
  app: TestApp,
  monitoring: PeriodicJob,
  times = 1,
  id?: number,
): Promise<void> {
  for (let check = 0; check < times; check += 1) {
    const monitors = await app.deps.store.listMonitors(null);
    const asked = monitors.filter((each) => id === undefined || each.id === id);
    const dueAtMs = Math.max(...asked.map(({ nextCheckAtMs }) => nextCheckAtMs ?? 0));
    app.advance(Math.max(0, dueAtMs - app.deps.now()));
    await monitoring.runNow();
  }
}
