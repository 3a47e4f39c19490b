import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';

const secret = 'killed-upload-secret';

describe('a server killed in the middle of an upload', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const running: RunningProgram[] = [];
  const sockets: Socket[] = [];
  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const program of running) await program.end('SIGKILL');
    folder.remove();
  });

  const start = async (database: string): Promise<RunningProgram> => {
    const program = await startProgram({
      DATABASE_URL: `sqlite:${join(folder.path, database)}`,
      NOTIFIER_PUBLIC_KEY: `${secret}-public`,
      NOTIFIER_SECRET_KEY: secret,
      LOG_LEVEL: 'error',
      TMPDIR: folder.path,
    });
    running.push(program);
    return program;
  };
  const folders = (): string[] =>
    readdirSync(folder.path).filter((name) => name.startsWith('notifier-upload-'));
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(20);
  };

  async function beginUpload(program: RunningProgram): Promise<void> {
    const { hostname, port } = new URL(program.origin);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    sockets.push(socket);
    const before = folders().length;
    const head = [
      'POST /wp-json/notifier/v1/artifacts HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${secret}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 100000',
    ].join('\r\n');
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\nhalf of it';
    socket.write(`${head}\r\n\r\n${part}`);
    // A body that rests for 20 seconds is given up, and a server may take as long to start on a busy machine.
    const going = setInterval(() => socket.write('.'), 2_000);
    socket.once('close', () => clearInterval(going));
    await until(() => folders().length > before);
  }

  inFull(it)('leaves a folder that the next start deletes, and not that of a running server', async () => {
    const living = await start('living.db');
    await beginUpload(living);
    const [kept] = folders();
    const killed = await start('killed.db');
    await beginUpload(killed);
    expect(folders()).toHaveLength(2);
    await killed.end('SIGKILL');
    expect(folders()).toHaveLength(2);
    await start('killed.db');
    await until(() => folders().length < 2);
    expect(folders()).toEqual([kept]);
  });
});
