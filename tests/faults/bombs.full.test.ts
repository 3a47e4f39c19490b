import { Agent, request } from 'node:http';
import { join } from 'node:path';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CollectedProgram, startCollectedProgram } from '../support/collected-program.ts';
import { residentMiB } from '../support/resident.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { nightlyOrFull } from '../support/test-level.ts';

const mebibyte = 1_048_576;
const parallel = 200;
const keys = { public: 'bomb-public-1', secret: 'bomb-secret-1' };

let folder: ReturnType<typeof temporaryFolder>;
let program: CollectedProgram;
beforeEach(async () => {
  folder = temporaryFolder();
  program = await startCollectedProgram({
    DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}`,
    NOTIFIER_PUBLIC_KEY: keys.public,
    NOTIFIER_SECRET_KEY: keys.secret,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    // They are loaded a while after the start, and would be taken for what bombs cost.
    PAGES: 'off',
    DEMO: 'off',
  });
});
afterEach(async () => {
  await program.end();
  folder.remove();
});

const spaces = Buffer.alloc(64 * mebibyte, 0x20);
const brotli = (windowBits: number): Buffer =>
  brotliCompressSync(spaces, {
    params: { [constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 2 },
  });
const bombs: ReadonlyArray<readonly [name: string, encoding: string, make: () => Buffer]> = [
  ['br of a large window', 'br', () => brotli(24)],
  ['br', 'br', () => brotli(22)],
  ['gzip', 'gzip', () => gzipSync(spaces)],
  ['deflate', 'deflate', () => deflateSync(spaces)],
  ['raw deflate', 'deflate', () => deflateRawSync(spaces)],
  ['zstd', 'zstd', () => zstdCompressSync(spaces)],
  [
    'zstd of a large window',
    'zstd',
    () => zstdCompressSync(spaces, { params: { [constants.ZSTD_c_windowLog]: 27 } }),
  ],
];

const api = '/wp-json/notifier/v1';
const facade = '/api/0/organizations/any';
const doors = [
  `${api}/store`,
  `${api}/envelope`,
  `${api}/api/1/envelope/`,
  `${api}/api/1/store/`,
  `${api}/feedback`,
  `${api}/sdk-verify`,
  `${api}/domain-verifications`,
  `${api}/releases`,
  `${api}/deploys`,
  `${api}/test-runs`,
  `${api}/artifacts`,
  `${api}/issues/1`,
  `${api}/domains`,
  '/wp-json/batch/v1',
  `${facade}/releases/`,
  `${facade}/chunk-upload/`,
  `${facade}/artifactbundle/assemble/`,
];
const agent = new Agent({ keepAlive: false });

function send(path: string, encoding: string, body: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(program.origin);
    const isChunks = path.endsWith('chunk-upload/');
    const sent = request(
      {
        agent,
        hostname,
        port,
        path,
        method: 'POST',
        headers: {
          'X-Notifier-Key': keys.public,
          Authorization: `Bearer ${keys.secret}`,
          'Content-Type': isChunks ? 'multipart/form-data; boundary=b' : 'application/json',
          'Content-Encoding': encoding,
          'Content-Length': body.length,
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    // A bomb that is refused before it was sent whole may see its connection closed.
    sent.once('error', () => resolve(0));
    sent.end(body);
  });
}

function residentBytes(): number {
  return residentMiB(program.process.pid) * 1024 * 1024;
}

/** The most memory the server had while `work` went on. */
async function peakDuring(work: () => Promise<unknown>): Promise<number> {
  let peak = residentBytes();
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes());
  }, 5);
  await work().finally(() => clearInterval(timer));
  return Math.max(peak, residentBytes());
}

type Grown = readonly [mebibytes: number, where: string];
const mebibytes = (before: number, after: number, where: string): Grown => [
  Math.round((after - before) / mebibyte),
  where,
];
const most = (all: readonly Grown[]): Grown => all.reduce((one, other) => (other[0] > one[0] ? other : one));

async function warmUp(): Promise<void> {
  const text = JSON.stringify({ message: 'warm', extra: { long: 'x'.repeat(100_000) } });
  const body = gzipSync(Buffer.from(text));
  for (const door of doors) {
    await Promise.all(Array.from({ length: 50 }, () => send(door, 'gzip', body)));
  }
}

// Gigabytes are inflated here: in the short form tests/http/bodies/inflate.test.ts has a bomb of each kind.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('bombs', () => {
  it(`${parallel} at once of every encoding, on every door, cost at most 100 MiB together`, async () => {
    await warmUp();
    await program.collectGarbage();
    const atFirst = residentBytes();
    const grown: Grown[] = [];
    const kept: Grown[] = [];
    for (const [index, [name, encoding, make]] of bombs.entries()) {
      const bomb = make();
      // But nightly each at one door, the next at the next.
      for (const door of nightlyOrFull(doors, doors.slice(index % doors.length).slice(0, 1))) {
        const answers: number[] = [];
        const before = residentBytes();
        const peak = await peakDuring(async () => {
          const all = Array.from({ length: parallel }, () => send(door, encoding, bomb));
          answers.push(...(await Promise.all(all)));
        });
        grown.push(mebibytes(before, peak, `${name} ${door}`));
        const odd = answers.filter((status) => status !== 0 && (status < 400 || status >= 500));
        expect([name, door, odd]).toEqual([name, door, []]);
      }
      // Garbage that nobody has collected yet is no loss: how much of it lies about is V8's to say.
      await program.collectGarbage();
      kept.push(mebibytes(atFirst, residentBytes(), name));
    }
    process.stderr.write(`F11: grown by at most ${most(grown).join(' MiB, ')}\n`);
    process.stderr.write(`F11: kept at most ${most(kept).join(' MiB, ')}\n`);
    expect([...grown, ...kept].filter(([bytes]) => bytes > 100)).toEqual([]);
    expect(await send(`${api}/store`, 'identity', Buffer.from('{"message":"after"}'))).toBe(201);
  }, 900_000);

  const coldDoors = [
    [`${api}/store`, 'br'],
    [`${api}/store`, 'gzip'],
    [`${api}/envelope`, 'br'],
    [`${api}/envelope`, 'gzip'],
    [`${api}/artifacts`, 'br'],
    [`${api}/artifacts`, 'gzip'],
    [`${api}/test-runs`, 'br'],
    [`${api}/test-runs`, 'gzip'],
    [`${facade}/chunk-upload/`, 'gzip'],
    [`${facade}/artifactbundle/assemble/`, 'gzip'],
  ];
  it.each(nightlyOrFull(coldDoors, coldDoors.slice(0, 2)))(
    `${parallel} at once cost a freshly started server at most 100 MiB: %s, %s`,
    async (door = '', encoding = '') => {
      const bomb = encoding === 'br' ? brotli(22) : gzipSync(Buffer.alloc(200 * mebibyte, 0x20));
      const before = residentBytes();
      const peak = await peakDuring(() =>
        Promise.all(Array.from({ length: parallel }, () => send(door, encoding, bomb))),
      );
      process.stderr.write(
        `F11: ${door}, ${encoding}, cold: ${Math.round((peak - before) / mebibyte)} MiB\n`,
      );
      expect((peak - before) / mebibyte).toBeLessThan(100);
    },
  );
});
