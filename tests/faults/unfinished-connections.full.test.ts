import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { residentMiB } from '../support/resident.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isNightly, nightlyOrFull } from '../support/test-level.ts';
import { unitCommand } from '../support/unit-command.ts';
import { until } from '../support/until.ts';

/** More of an address than it may hold unfinished; nightly of all together more than the server takes too. */
const [connectionsOpened, addressesCount] = isNightly ? [10_000, 40] : [2_200, 8];
const key = 'flood-public-1';
const secret = 'flood-secret-1';

let folder: ReturnType<typeof temporaryFolder>;
let program: RunningProgram;
beforeAll(async () => {
  folder = temporaryFolder();
  const env = {
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    NOTIFIER_PUBLIC_KEY: key,
    NOTIFIER_SECRET_KEY: secret,
    RATE_LIMIT_EVENTS_PER_MINUTE: '1000000',
    RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '1000000',
    RATE_LIMIT_BYTES_PER_MINUTE: '1000000000',
    RATE_LIMIT_BYTES_PER_ADDRESS_PER_MINUTE: '1000000000',
    RATE_LIMIT_BYTES_PER_PROJECT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'error',
    TMPDIR: folder.path,
  };
  program = await startProgram(env, { command: unitCommand() });
});
afterAll(async () => {
  await program.end();
  folder.remove();
});

const api = '/wp-json/notifier/v1';
const form = 'multipart/form-data; boundary=b';
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.js"\r\n\r\nabc';
const doors: ReadonlyArray<readonly [path: string, type: string, start: string]> = [
  ['/wp-json/batch/v1', 'application/json', `{"requests":["${'x'.repeat(2_000)}`],
  [`${api}/store`, 'application/json', `{"message":"${'x'.repeat(2_000)}`],
  [`${api}/envelope`, 'application/json', `{}\n{"type":"event"}\n{"message":"${'x'.repeat(70_000)}`],
  [`${api}/artifacts`, form, part],
];

function addressOf(index: number): string {
  return `127.7.${Math.floor((index % addressesCount) / 10) + 1}.${(index % 10) + 1}`;
}

function halfARequest(index: number): string {
  const [path, type, start] = doors[index % doors.length] as (typeof doors)[number];
  const headers = `Host: x\r\nX-Notifier-Key: ${key}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: ${type}`;
  return `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Length: 200000\r\n\r\n${start}`;
}

function opened(index: number, says: string): Promise<Socket> {
  const { hostname, port } = new URL(program.origin);
  const socket = connect({ port: Number(port), host: hostname, localAddress: addressOf(index) });
  socket.on('error', () => {});
  socket.resume();
  return new Promise((resolve) => {
    socket.once('close', () => resolve(socket));
    socket.once('connect', () => socket.write(says, () => resolve(socket)));
  });
}

const openedAtOnce = 20;
const pauseMs = 20;

async function openAll(says: (index: number) => string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < connectionsOpened; index += openedAtOnce) {
    const some = Array.from({ length: openedAtOnce }, (_, offset) => index + offset);
    sockets.push(...(await Promise.all(some.map((each) => opened(each, says(each))))));
    await pause(pauseMs);
  }
  return sockets;
}

interface Asked {
  readonly status: number;
  readonly ms: number;
}

function ask(): Promise<Asked> {
  const began = performance.now();
  const body = JSON.stringify({ message: 'honest', platform: 'node' });
  const headers = { 'X-Notifier-Key': key, 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const sent = request(
      `${program.origin}${api}/store`,
      { method: 'POST', agent: false, headers },
      (response) => {
        response.resume();
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - began }),
        );
      },
    );
    sent.once('error', () => resolve({ status: 0, ms: performance.now() - began }));
    sent.end(body);
  });
}

/** What so large a share of them took at most; milliseconds. */
function timeOf(asked: readonly Asked[], share: number): number {
  const times = asked.map((each) => each.ms).sort((one, other) => one - other);
  return times[Math.floor(times.length * share)] ?? 0;
}

async function askWhile(goesOn: () => boolean): Promise<Asked[]> {
  const asked: Asked[] = [];
  while (goesOn()) asked.push(await ask());
  return asked;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function uploadFolders(): string[] {
  return readdirSync(folder.path).filter((name) => name.startsWith('notifier-upload-'));
}

function openFiles(): number {
  return readdirSync(`/proc/${program.process.pid}/fd`).length;
}

const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

async function openedBesideHonest(name: string, says: (index: number) => string, mebibytesMax: number) {
  // So that what a server that did nothing yet grows by is not laid to the connections.
  for (let times = 0; times < nightlyOrFull(2_000, 200); times += 1) await ask();
  // What an event takes here and now while nobody is in the way: other work may slow all of it down.
  const usual: Asked[] = [];
  for (let times = 0; times < 300; times += 1) usual.push(await ask());
  const [filesBefore, memoryBefore] = [openFiles(), residentMiB(program.process.pid)];
  let isOpening = true;
  const asking = askWhile(() => isOpening);
  const sockets = await openAll(says);
  const grownBy = residentMiB(program.process.pid) - memoryBefore;
  isOpening = false;
  const asked = await asking;
  for (let times = 0; times < 300; times += 1) asked.push(await ask());
  expect(asked.filter((each) => each.status !== 201)).toEqual([]);
  const [p99, usualP99] = [timeOf(asked, 0.99), timeOf(usual, 0.99)];
  process.stderr.write(
    `F8, ${name}: ${sockets.length} connections, ${asked.length} honest requests, p99 ${p99.toFixed(0)} ms (${usualP99.toFixed(0)} before), ` +
      `memory grown by ${grownBy.toFixed(0)} MiB\n`,
  );
  // What V8 makes of its heap meanwhile is in it, and is more where the machine does other work as well.
  if (isNightly) expect(grownBy).toBeLessThan(mebibytesMax);

  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.end();
    else socket.resetAndDestroy();
  }
  await until(() => openFiles() <= filesBefore + 2 && uploadFolders().length === 0);
  for (const socket of sockets) socket.destroy();
}

describeOnLinux(`${connectionsOpened} unfinished connections`, () => {
  (isNightly ? it : it.skip)(
    'that say nothing take nothing from honest clients, and little memory',
    async () => {
      await openedBesideHonest('silent', () => '', 150);
    },
  );

  it('with half a request do not affect other clients, and leave nothing behind', async () => {
    await openedBesideHonest('half a request', halfARequest, 300);
    const large = JSON.stringify({ message: 'large', extra: { long: 'y'.repeat(900_000) } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(`${program.origin}${api}/store`, {
          method: 'POST',
          headers: { 'X-Notifier-Key': key },
          body: large,
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
  });
});
