// What goes wrong beside a server that works: one kind after another, each over when its promise is.
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';

export interface Place {
  readonly port: number;
  readonly key: string;
  /** The server's database. */
  readonly file: string;
  /** 0 to 1, the same in every run of a seed. */
  readonly random: () => number;
}

const path = '/wp-json/notifier/v1/store';
const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));

/** By name. */
export const mischief: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  /** Longer than a write takes, shorter than it waits. */
  async lock({ file }) {
    const other = new Database(file, { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    await sleep(300);
    other.exec('ROLLBACK');
    other.close();
  },
  async 'half a request, and gone'(place) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Notifier-Key: ${place.key}\r\nContent-Length: 90000\r\n\r\n{"m`;
    await eachGoes(place, 30, (socket) => socket.write(head));
  },
  'no HTTP': (place) =>
    eachGoes(place, 20, (socket) => {
      socket.write(Buffer.from(Array.from({ length: 200 }, () => Math.floor(place.random() * 256))));
    }),
  'nothing at all': (place) => eachGoes(place, 100, () => {}),
  'a key that nobody knows': ({ port }) => many(20, () => send(port, { 'X-Notifier-Key': 'x'.repeat(40) })),
  bombs: ({ port, key }) =>
    many(8, () => send(port, { 'X-Notifier-Key': key, 'Content-Encoding': 'gzip' }, bomb)),
  'addresses that are none': ({ port, random }) =>
    many(20, () => send(port, {}, undefined, `/wp-json/notifier/v1/${random()}`)),
};

async function eachGoes(
  { port, random }: Place,
  count: number,
  doIt: (socket: Socket) => void,
): Promise<void> {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  );
  for (const socket of sockets) doIt(socket);
  await sleep(200);
  for (const socket of sockets) {
    if (random() < 0.5) socket.destroy();
    else socket.resetAndDestroy();
  }
}

async function many(count: number, one: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, one));
}

/** Resolves with the status, or 0 where the connection ended first. */
function send(port: number, headers: Record<string, string>, body?: Buffer, to = path): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: to, method: 'POST', headers, agent: false });
    sent.once('error', () => resolve(0));
    sent.once('response', (response) => {
      response.resume().once('close', () => resolve(response.statusCode ?? 0));
    });
    sent.end(body ?? '{"message":"m"}');
  });
}
