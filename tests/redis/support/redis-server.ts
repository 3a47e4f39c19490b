// A Redis of the test's own on loopback that keeps nothing, ended by its process id, and a door before it
// that can be slow, silent or shut.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { consumeScript } from '../../../src/redis/scripts.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface RunningRedis {
  readonly port: number;
  readonly url: string;
  /** As a machine that is switched off. */
  kill(): Promise<void>;
  /** On the same port again, with nothing in it. */
  start(): Promise<void>;
  end(): Promise<void>;
}

/** Starts one; with what it is told besides. */
export async function runRedis(program: string, more: readonly string[] = []): Promise<RunningRedis> {
  const folder = temporaryFolder();
  const port = await freePort();
  let child: ChildProcess | null = null;
  async function kill(): Promise<void> {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    child = null;
  }
  async function start(): Promise<void> {
    const words = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder.path,
      ...more,
    ];
    child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ready = Promise.withResolvers<void>();
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Ready to accept connections')) ready.resolve();
    });
    child.once('exit', (code) => ready.reject(new Error(`Redis ended with ${code}:\n${printed}`)));
    await ready.promise;
  }
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    async end() {
      await kill();
      folder.remove();
    },
  };
}

export interface RedisDoor {
  readonly url: string;
  /** How answers go through: at once, after so many milliseconds, or not at all. */
  pass: number | 'nothing';
  /** Limits that were asked for through it. */
  readonly takes: () => number;
  end(): Promise<void>;
}

/** A door to a Redis. */
export async function redisDoor(port: number): Promise<RedisDoor> {
  const sockets = new Set<Socket>();
  let takes = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes: Buffer) => {
        const { pass } = door;
        if (from === near) takes += bytes.toString('latin1').split(consumeScript.sha1).length - 1;
        if (pass === 'nothing') return;
        if (pass === 0 || from === near) to.write(bytes);
        else setTimeout(() => to.writable && to.write(bytes), pass);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const door: RedisDoor = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pass: 0,
    takes: () => takes,
    async end() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return door;
}
