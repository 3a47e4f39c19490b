import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { postgresDatabase } from '../data/support/postgres.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { nightlyOrFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { debianNginx, linesOfPage } from './debian-nginx.ts';

const [publicKey, secretKey] = ['rolling-public-1', 'rolling-secret-1-of-the-project'];
const clients = nightlyOrFull(64, 16);
const rounds = nightlyOrFull(5, 1);
const between = 200;

describeWithPrograms(
  'a rolling restart behind the shipped nginx files',
  ['initdb', 'postgres', 'nginx', 'bash'],
  () => {
    const database = postgresDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'notifier-rolling-'));
    const ports: number[] = [];
    const servers: RunningProgram[] = [];
    let env: Record<string, string>;
    let nginx: RunningProcess;
    let origin: string;

    beforeAll(async () => {
      chmodSync(folder, 0o755);
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      env = {
        DATABASE_URL: await database.createMigrated(),
        NOTIFIER_PUBLIC_KEY: publicKey,
        NOTIFIER_SECRET_KEY: secretKey,
        BASE_URL: origin,
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'error',
      };
      for (const _each of [1, 2]) ports.push(await freePort());
      for (const each of ports) servers.push(await startProgram({ ...env, PORT: String(each) }));
      const debian = debianNginx(folder, port);
      await debian.run(linesOfPage('Files'));
      await debian.run(linesOfPage('Fresh Debian'));
      debian.set('conf.d/notifier.conf', '127.0.0.1:8787', `127.0.0.1:${ports[0]}`);
      debian.set('conf.d/notifier.conf', '# server 127.0.0.1:8788', `server 127.0.0.1:${ports[1]}`);
      nginx = await debian.start();
    });
    afterAll(async () => {
      await nginx?.stop();
      for (const server of servers) await server.end();
      rmSync(folder, { recursive: true, force: true });
      await database.end();
    });

    it('loses no request', async () => {
      const { answered, accepted, stop } = load(origin);
      await until(() => answered.count >= between);
      for (let round = 0; round < rounds; round += 1) {
        for (const [place, port] of ports.entries()) {
          const before = answered.count;
          expect(await servers[place]?.end('SIGTERM')).toBe(0);
          await until(() => answered.count >= before + between);
          servers[place] = await startProgram({ ...env, PORT: String(port) });
          await until(() => answered.count >= before + 2 * between);
        }
      }
      await stop();
      expect(answered.others).toEqual([]);
      const client = new pg.Client({ connectionString: env['DATABASE_URL'] ?? '' });
      await client.connect();
      const { rows } = await client.query<{ event_id: string }>('SELECT event_id FROM events');
      await client.end();
      const stored = new Set(rows.map((row) => row.event_id));
      expect([...accepted].filter((id) => !stored.has(id))).toEqual([]);
    });
  },
);

function ask(origin: string, path: string): Promise<Response> {
  return fetch(`${origin}/wp-json/notifier/v1${path}`, { headers: { Authorization: `Bearer ${secretKey}` } });
}

const requests: ReadonlyArray<(origin: string, id: string) => Promise<Response>> = [
  (origin, id) =>
    post(origin, '/wp-json/notifier/v1/store', JSON.stringify({ event_id: id, message: 'rolled' })),
  (origin, id) =>
    post(origin, '/?rest_route=/notifier/v1/store', JSON.stringify({ event_id: id, message: 'rolled' })),
  (origin, id) => post(origin, '/wp-json/notifier/v1/envelope', envelope(id)),
  (origin, id) => post(origin, '/wp-json/notifier/v1/api/1/envelope', envelope(id)),
  (origin) => ask(origin, '/issues'),
];

function envelope(id: string): string {
  const event = JSON.stringify({ event_id: id, message: 'rolled' });
  return `${JSON.stringify({ event_id: id })}\n{"type":"event"}\n${event}\n`;
}

function post(origin: string, path: string, body: string): Promise<Response> {
  return fetch(`${origin}${path}`, { method: 'POST', headers: { 'X-Notifier-Key': publicKey }, body });
}

function load(origin: string) {
  const answered = { count: 0, others: [] as string[] };
  const accepted = new Set<string>();
  let isOver = false;
  let next = 0;
  const client = async (): Promise<void> => {
    while (!isOver) {
      next += 1;
      const nth = next % requests.length;
      const id = next.toString(16).padStart(32, '0');
      try {
        const answer = (await requests[nth]?.(origin, id)) as Response;
        const text = await answer.text();
        const isKept = answer.status === 200 || answer.status === 201;
        if (!isKept) answered.others.push(`${nth}: ${answer.status} ${text}`);
        else if (nth < requests.length - 1) accepted.add(id);
      } catch (error) {
        answered.others.push(`${nth}: ${error} ${(error as Error).cause}`);
      }
      answered.count += 1;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  const stop = async (): Promise<void> => {
    isOver = true;
    await all;
  };
  return { answered, accepted, stop };
}
