import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { poolConnectionsMax } from '../../data/drivers/write-queue.ts';
import { type RunningPostgres, runPostgres } from '../data/support/postgres.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { startProgram } from '../support/program.ts';
import { isNightly, nightlyOrFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const key = 'failover-public-1';
const clients = 16;
const cycles = nightlyOrFull(3, 1);
const between = 150;
const connectionsMax = poolConnectionsMax + 1;
/** How long it is silent where `npm run test:nightly` runs; before, until all were told. */
const silentMs = 60_000;

interface Door {
  readonly port: number;
  /** Where new connections lead. */
  to: number;
  /** Bytes go nowhere, and nobody is told. */
  isSilent: boolean;
  /**
   * All connections are cut at the next commit, before the database hears of it or after it did: then its
   * answer never comes.
   */
  cutAtCommit: 'before' | 'after' | null;
  /** The most connections at once on which the database had answered. */
  openMax: number;
  cut(): void;
  close(): Promise<void>;
}

async function openDoor(to: number): Promise<Door> {
  const sockets = new Set<Socket>();
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((front) => {
    const back = keep(connect(door.to, '127.0.0.1'));
    let isLeft = false;
    const leave = (): void => {
      isLeft = true;
      open.delete(front);
    };
    front.once('end', leave).once('close', leave);
    let isCommitted = false;
    keep(front).on('data', (bytes: Buffer) => {
      if (door.isSilent) return;
      const when = bytes.includes('COMMIT') ? door.cutAtCommit : null;
      if (when !== null) door.cutAtCommit = null;
      isCommitted = when === 'after';
      if (when === 'before') door.cut();
      else back.write(bytes);
    });
    // A client that gave up while this process stood still is heard of late, so what it opened and left
    // counts only once the database has answered on it.
    back.once('data', () => {
      if (isLeft) return;
      open.add(front);
      door.openMax = Math.max(door.openMax, open.size);
    });
    back.on('data', (bytes: Buffer) => {
      if (isCommitted) door.cut();
      else if (!door.isSilent) front.write(bytes);
    });
    front.once('close', () => back.destroy());
    back.once('close', () => front.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const door: Door = {
    port: (server.address() as { port: number }).port,
    to,
    isSilent: false,
    cutAtCommit: null,
    openMax: 0,
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    close() {
      door.cut();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return door;
}

interface Ledger {
  readonly accepted: Set<string>;
  readonly statuses: Record<string, number>;
  /** The longest that anybody waited for an answer, whatever it was. */
  slowestMs: number;
}

/** Events from many clients, each sent again until it is accepted, until `stop`. */
function load(origin: string) {
  const ledger: Ledger = { accepted: new Set(), statuses: {}, slowestMs: 0 };
  let isOver = false;
  let next = 0;
  const send = async (id: string): Promise<boolean> => {
    const began = performance.now();
    const answer = await fetch(`${origin}/wp-json/notifier/v1/store`, {
      method: 'POST',
      headers: { 'X-Notifier-Key': key },
      body: JSON.stringify({ event_id: id, message: `kind ${Number.parseInt(id.slice(-2), 16) % 7}` }),
    });
    const { code } = (await answer.json()) as { code?: string };
    ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - began);
    const name = `${answer.status}${code === undefined ? '' : ` ${code}`}`;
    ledger.statuses[name] = (ledger.statuses[name] ?? 0) + 1;
    return answer.ok;
  };
  const client = async (): Promise<void> => {
    while (!isOver) {
      next += 1;
      const id = next.toString(16).padStart(32, '0');
      // What was refused, or left open by a cut, is sent again under its id, as clients do.
      for (let isKept = false; !isKept && !isOver; ) {
        isKept = await send(id);
        if (isKept) ledger.accepted.add(id);
      }
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    ledger,
    /** Resolves once so many more were accepted. */
    more: (count: number) => {
      const wanted = ledger.accepted.size + count;
      return until(() => ledger.accepted.size >= wanted);
    },
    /** Resolves once so many more were told that it is unavailable. */
    until503: (count: number) => {
      const told = (): number => ledger.statuses['503 rest_unavailable'] ?? 0;
      const wanted = told() + count;
      return until(() => told() >= wanted);
    },
    refused: () => Object.keys(ledger.statuses).filter((status) => !/^20[01]$/.test(status)),
    stop: async () => {
      isOver = true;
      await all;
    },
  };
}

describeWithPrograms('PostgreSQL under load', ['initdb', 'postgres'], (programs) => {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-failover-'));
  const start = (): Promise<RunningPostgres> =>
    runPostgres({
      initdb: programs['initdb'] ?? '',
      postgres: programs['postgres'] ?? '',
      folder,
      isDurable: true,
    });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('goes away and comes back: nothing answered is lost, nothing is counted twice', async () => {
    let server = await start();
    const portOf = (): number => Number(new URL(server.addressOf('postgres')).port);
    const door = await openDoor(portOf());
    const program = await startProgram({
      DATABASE_URL: Object.assign(new URL(server.addressOf('postgres')), { port: String(door.port) }).href,
      NOTIFIER_PUBLIC_KEY: key,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
    });
    const { ledger, more, refused, until503, stop } = load(program.origin);
    const backMs: number[] = [];
    const isWell = async (): Promise<void> => {
      const began = performance.now();
      await more(1);
      backMs.push(performance.now() - began);
      await more(between);
    };
    await more(between);
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      for (const when of ['before', 'after'] as const) {
        door.cutAtCommit = when;
        await until(() => door.cutAtCommit === null);
        await isWell();
      }

      await server.end();
      await until503(clients);
      server = await start();
      door.to = portOf();
      await isWell();

      if (cycle === 0) {
        // A machine that stands still says nothing of it; there is time for that in the long form.
        door.isSilent = true;
        await until503(clients);
        process.stderr.write(
          `F7: silent, and whoever waited was told after ${ledger.slowestMs.toFixed(0)} ms\n`,
        );
        if (isNightly) await sleep(silentMs);
        door.isSilent = false;
        await isWell();
      }

      await server.asAdmin('ALTER SYSTEM SET default_transaction_read_only = on');
      await server.asAdmin('SELECT pg_reload_conf()');
      await until503(clients);
      await server.asAdmin('ALTER SYSTEM RESET default_transaction_read_only');
      await server.asAdmin('SELECT pg_reload_conf()');
      await isWell();
    }
    await stop();
    expect(await program.end()).toBe(0);
    await door.close();

    const client = new pg.Client({ connectionString: server.addressOf('postgres') });
    await client.connect();
    const { rows } = await client.query<{ event_id: string }>('SELECT event_id FROM events');
    const counted = await client.query<{ sum: string }>('SELECT sum(events_count) AS sum FROM issues');
    await client.end();
    await server.end();
    const stored = new Set(rows.map((row) => row.event_id));
    const lost = [...ledger.accepted].filter((id) => !stored.has(id));
    process.stderr.write(
      `F7: ${backMs.length} faults under load, ${JSON.stringify(ledger.statuses)}, ${ledger.accepted.size} accepted, ${lost.length} lost, ` +
        `${rows.length - stored.size} twice; slowest answer ${ledger.slowestMs.toFixed(0)} ms, back after at most ${Math.max(...backMs).toFixed(0)} ms, ` +
        `at most ${door.openMax} connections to the database\n`,
    );
    expect(door.openMax).toBeLessThanOrEqual(connectionsMax);
    expect(lost).toEqual([]);
    expect([stored.size, Number(counted.rows[0]?.sum)]).toEqual([rows.length, rows.length]);
    expect(
      refused().filter((status) => !/^(?:503 rest_unavailable|429 rest_too_many_requests)$/.test(status)),
    ).toEqual([]);
  });
});
