// Rows of docs/security.md that a process of its own is needed for: one that may open 128 files and no more.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull, nightlyOrFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

const keys = { NOTIFIER_PUBLIC_KEY: 'threats-public-1', NOTIFIER_SECRET_KEY: 'threats-secret-1' };
const api = '/wp-json/notifier/v1';
const server = join(import.meta.dirname, '../../../src/server.ts');
const filesMax = 128;

let folder: ReturnType<typeof temporaryFolder>;
let program: RunningProgram;
beforeAll(async () => {
  folder = temporaryFolder();
  program = await startProgram(
    {
      DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      TMPDIR: folder.path,
      ...keys,
    },
    { command: ['sh', '-c', `ulimit -n ${filesMax}; exec "$0" "$@"`, process.execPath, server] },
  );
});
afterAll(async () => {
  await program.end();
  folder.remove();
});

function connected(): Socket {
  const { port } = new URL(program.origin);
  return connect(Number(port), '127.0.0.1').on('error', () => {});
}

async function send(bytes: string): Promise<{ status: number; text: string }> {
  const socket = connected();
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

const event = '{"message":"beside odd headers"}';
const withHeaders = (lines: readonly string[]): string =>
  [
    `POST ${api}/store HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `X-Notifier-Key: ${keys.NOTIFIER_PUBLIC_KEY}`,
    `Content-Length: ${event.length}`,
    ...lines,
    '',
    event,
  ].join('\r\n');

async function storeStatus(): Promise<number> {
  return (await send(withHeaders([]))).status;
}

it('row 7: headers that are named like what every object has disturb nobody', async () => {
  const names = [
    ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'],
    ...[
      'then',
      'toJSON',
      'length',
      'name',
      'get',
      'set',
      'has',
      'x-__proto__',
      'X-WP-Nonce',
      'Cookie',
      'Link',
    ],
    ...[
      'isPrototypeOf',
      'propertyIsEnumerable',
      'toLocaleString',
      '__lookupSetter__',
      '!',
      '#',
      '$%&',
      "'*+",
    ],
  ];
  const lines = names.flatMap((name) => [`${name}: 1`, `${name}: {"a":1}`, `${name.toUpperCase()}:`]);
  expect(lines.length).toBeGreaterThan(40);
  expect(await send(withHeaders(lines))).toHaveStatus(201);
  for (const line of lines) expect(await send(withHeaders([line, line]))).toHaveStatus(201);
  expect(await storeStatus()).toBe(201);
});

it('row 14: a head of more than 16 KiB is refused in our words, however often', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${index}`);
  for (const lines of [many, [`X-Long: ${'x'.repeat(17_000)}`]]) {
    const { status, text } = await send(withHeaders(lines));
    expect([status, text]).toEqual([400, expect.stringContaining('"code":"rest_bad_request"')]);
  }
  for (let round = 0; round < nightlyOrFull(20, 2); round += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(withHeaders(many))));
    // A connection that is closed under what was still being sent has no answer.
    expect(answers.filter(({ status }) => status !== 400 && status !== 0)).toEqual([]);
  }
  expect(await storeStatus()).toBe(201);
});

// Ten seconds are a promise to slow clients, so only who has time waits for them.
const itInTime = inFull(it);

itInTime('a head that does not end is refused after ten seconds, and its connection ended', async () => {
  const { status, text } = await send(`POST ${api}/store HTTP/1.1\r\nHost: x\r\nX-Slow: `);
  expect([status, text.includes('"code":"')]).toEqual([400, true]);
});

describe('names of files', () => {
  const upwards = [
    '../',
    '..\\',
    '/',
    '//',
    '~/../../',
    '....//',
    '%2e%2e%2f',
    'a/../../../',
    'C:\\',
    '\u0000',
  ];
  const ends = ['canary-file', 'canary-file.js', 'canary-file\u0000.js', 'CON', 'notifier.db', '.env'];
  const namesIn = (path: string): string[] =>
    upwards.flatMap((start) =>
      ends.flatMap((end) => [start + end, start.repeat(20) + end, `${path}/${start}${end}`]),
    );

  const allFiles = (): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/-(?:wal|shm)$/.test(name))
      .sort();
  const authorization = { Authorization: `Bearer ${keys.NOTIFIER_SECRET_KEY}` };

  inFull(it)('are text, whatever they are: no file is made by any of them', async () => {
    const before = allFiles();
    const statuses = new Set<number>();
    for (const [index, name] of namesIn(folder.path).entries()) {
      const form = new FormData();
      form.append('release', `1.${index}`);
      form.append('name', name);
      form.append('file', new Blob([`// ${index}`]), name);
      const answer = await fetch(`${program.origin}${api}/artifacts`, {
        method: 'POST',
        headers: authorization,
        body: form,
      });
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
    expect([...statuses].filter((status) => ![200, 201, 400].includes(status))).toEqual([]);
    expect(statuses.has(201)).toBe(true);
    await until(async () => !allFiles().some((name) => name.startsWith('notifier-upload-')));
    expect(allFiles()).toEqual(before);
  });
});

it('row 35: without files to open it lives on, and serves again as soon as there are some', async () => {
  const sockets = Array.from({ length: 500 }, connected);
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  const open = readdirSync(`/proc/${program.process.pid}/fd`).length;
  expect(open).toBeGreaterThan(filesMax - 16);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await storeStatus()) === 201);
  expect(program.process.exitCode).toBeNull();
});
