import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RestError } from '../../../src/core/errors.ts';
import { ClientAborted } from '../../../src/http/bodies/body-state.ts';
import {
  brotliWindowBits,
  type Compressed,
  createInflater,
  inflateSmallSync,
  inflateStartSync,
  parseContentEncoding,
} from '../../../src/http/bodies/decoders.ts';
import { freeBuffer } from '../../../src/http/bodies/free-buffer.ts';
import { inflateBody } from '../../../src/http/bodies/inflate.ts';
import { createBodyMemory, readRequestBody } from '../../../src/http/bodies/read-body.ts';
import { nearly } from '../../faults/parsers/mutations.ts';
import { fullOrShort, fullOrSome, inFull, rows, runs } from '../../support/test-level.ts';

const limits = { sentBytesMax: 64 * 1024, inflatedBytesMax: 4 * 1024 * 1024 };
const body = Buffer.from(
  JSON.stringify({ message: 'hello', list: Array.from({ length: 200 }, (_, index) => index) }),
);
const brotli = (bytes: Buffer, windowBits: number) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 2 },
  });

const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'taken',
    (error: unknown) => (error instanceof RestError ? error.code : String(error)),
  );

describe('content encodings', () => {
  const cases = [
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotli(body, 22)],
    ['br', brotli(body, 10)],
    ['zstd', zstdCompressSync(body)],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 5)))('%s', async (name, bytes) => {
    expect(
      await inflateBody([bytes], parseContentEncoding(name) as Compressed, limits.inflatedBytesMax),
    ).toEqual(body);
  });

  it('of a body in many pieces, the first of a single byte', async () => {
    const bytes = deflateRawSync(body);
    const pieces = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
    expect(await inflateBody(pieces, 'deflate', limits.inflatedBytesMax)).toEqual(body);
  });

  it.each(['compress', 'gzip, br', 'x'])('%s is not supported', (name) => {
    expect(() => parseContentEncoding(name)).toThrow(RestError);
  });

  it.each([
    ['gzip', Buffer.from('nonsense')],
    ['gzip', gzipSync(body).subarray(0, 40)],
    ['deflate', Buffer.from('nonsense')],
    ['br', brotli(body, 22).subarray(0, 20)],
    ['zstd', Buffer.from('nonsense')],
    ['zstd', Buffer.alloc(0)],
  ] as const)('%s with corrupt bytes is refused and named', async (encoding, bytes) => {
    expect(await codeOf(inflateBody([bytes], encoding, limits.inflatedBytesMax))).toBe(
      'notifier_invalid_encoding',
    );
  });
});

describe('small bodies, decompressed synchronously', () => {
  const seeds: ReadonlyArray<readonly [Compressed, Buffer]> = [
    ['gzip', gzipSync(body)],
    ['gzip', Buffer.concat([gzipSync(body), gzipSync('more')])],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['zstd', zstdCompressSync(body)],
  ];
  const byDecoder = (bytes: Buffer, encoding: Compressed): Promise<Buffer | null> =>
    new Promise<Buffer>((resolve, reject) => {
      const [inflater, chunks] = [createInflater(encoding, bytes), [] as Buffer[]];
      inflater.on('data', (chunk: Buffer) => void chunks.push(chunk));
      inflater.once('end', () => resolve(Buffer.concat(chunks)));
      inflater.on('error', reject);
      inflater.end(bytes);
    }).catch(() => null);

  it.each(seeds)('%s gives the same as a streaming decoder, corrupt or not', async (encoding, seed) => {
    const check = fc.asyncProperty(nearly([seed]), async (sent) => {
      fc.pre(sent.length > 0);
      const plain = inflateSmallSync(sent, encoding, limits.inflatedBytesMax);
      const other = await byDecoder(sent, encoding);
      expect(plain).toEqual(other === null || other.length > 128 * 1024 ? null : other);
    });
    expect(inflateSmallSync(seed, encoding, limits.inflatedBytesMax)).not.toBeNull();
    await fc.assert(check, { numRuns: fullOrShort(runs(1_600), 20) });
  });

  it('exclude Brotli: 27 bytes of it take 8 ms before they can be aborted', () => {
    expect(inflateSmallSync(brotli(body, 22), 'br', limits.inflatedBytesMax)).toBeNull();
  });

  it('are decompressed as far as they have arrived, except bombs', () => {
    const [noise, bomb] = [randomBytes(20_000).toString('hex'), gzipSync(Buffer.alloc(1_000_000))];
    const first = inflateStartSync(gzipSync(`{"dsn":"a"}\n${noise}`).subarray(0, 5_000), 'gzip').toString();
    expect([first.slice(0, 12), noise.startsWith(first.slice(12))]).toEqual(['{"dsn":"a"}\n', true]);
    expect(inflateStartSync(deflateRawSync('{}\n'), 'deflate').toString()).toBe('{}\n');
    const others = [inflateStartSync(bomb, 'gzip'), inflateStartSync(brotli(body, 22), 'br')];
    expect(others.map(({ length }) => length)).toEqual([0, 0]);
  });

  it('reserve memory for their plain bytes and release the compressed chunks', async () => {
    const [sent, held] = [gzipSync(body), [] as number[]];
    const pieces = [sent.subarray(0, 10), sent.subarray(10)];
    const used: Buffer[] = [];
    const hold = (bytes: number) => void held.push(bytes);
    const asked = inflateBody(pieces, 'gzip', 1_000_000, {
      reserve: hold,
      used: (piece) => void used.push(piece),
    });
    // No other turn of the loop has been taken when it is there.
    expect([held, used]).toEqual([[body.length], pieces]);
    expect(await asked).toEqual(body);
  });
});

describe('decompression bombs', () => {
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const bombs = [
    ['gzip', gzipSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['deflate', deflateRawSync(zeros)],
    ['br', brotli(zeros, 22)],
    ['zstd', zstdCompressSync(zeros)],
  ] as const;

  it.each(bombs)('%s: decompression stops at the limit', async (encoding, bytes) => {
    expect(await codeOf(inflateBody([bytes], encoding, limits.inflatedBytesMax))).toBe(
      'rest_payload_too_large',
    );
  });

  it('stops growth by a hundred times below the limit', async () => {
    const bytes = gzipSync(Buffer.alloc(3 * 1024 * 1024));
    expect(await codeOf(inflateBody([bytes], 'gzip', limits.inflatedBytesMax))).toBe(
      'rest_payload_too_large',
    );
  });

  inFull(it)('stops at a first part that grows past the limit before the rest is read', async () => {
    const rest = randomBytes(512 * 1024);
    const bomb = gzipSync(Buffer.concat([Buffer.alloc(6 * 1024 * 1024), rest]));
    expect(await codeOf(inflateBody([bomb], 'gzip', limits.inflatedBytesMax))).toBe('rest_payload_too_large');
    const honest = gzipSync(Buffer.concat([Buffer.alloc(3 * 1024 * 1024), rest]));
    expect((await inflateBody([honest], 'gzip', limits.inflatedBytesMax)).length).toBe(3.5 * 1024 * 1024);
  });

  it('reads the br window size from its first byte, and refuses above 22 bits', async () => {
    for (const bits of [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]) {
      expect(brotliWindowBits(brotli(body, bits)[0] ?? 0)).toBe(bits);
    }
    expect(await codeOf(inflateBody([brotli(zeros, 24)], 'br', limits.inflatedBytesMax))).toBe(
      'notifier_invalid_encoding',
    );
  });

  inFull(it)('refuses a zstd window size above 23 bits', async () => {
    const noise = Buffer.alloc(64 * 1024, 'abc');
    const wide = zstdCompressSync(Buffer.concat([noise, zeros]), {
      params: { [constants.ZSTD_c_windowLog]: 27 },
    });
    expect(await codeOf(inflateBody([wide], 'zstd', 256 * 1024 * 1024))).toBe('notifier_invalid_encoding');
  });

  it.each(bombs)(
    'chunks of %s have buffers of their own, which are freed at once',
    async (encoding, bytes) => {
      const inflater = createInflater(encoding, bytes);
      inflater.end(bytes);
      let kept = 0;
      for await (const piece of inflater as AsyncIterable<Buffer>) {
        freeBuffer(piece);
        kept += piece.length;
      }
      expect(kept).toBeLessThan(zeros.length / 100);
    },
  );

  inFull(it)('reports every compressed chunk as no longer used, of bombs too', async () => {
    const tight = gzipSync(Buffer.alloc(40 * 1024 * 1024), { level: 1 });
    for (const whole of [gzipSync(randomBytes(200_000)), tight]) {
      const pieces = [0, 1, 2, 3].map((at) =>
        whole.subarray(at * 50_000, at === 3 ? undefined : (at + 1) * 50_000),
      );
      const told: Buffer[] = [];
      const all = new Promise<void>((resolve) => {
        const used = (piece: Buffer): void => {
          if (told.push(piece) === pieces.length) resolve();
        };
        inflateBody(pieces, 'gzip', limits.inflatedBytesMax, { used }).catch(() => {});
      });
      await all;
      expect(told).toEqual(pieces);
    }
  });

  it('decompresses many bodies in turn', async () => {
    const bytes = gzipSync(body);
    const all = await Promise.all(
      Array.from({ length: 40 }, () => inflateBody([bytes], 'gzip', limits.inflatedBytesMax)),
    );
    expect(all.every((one) => one.equals(body))).toBe(true);
  });
});

async function received(send: (port: number) => void, own = limits): Promise<string> {
  const outcome = Promise.withResolvers<string>();
  const server = createServer((incoming, response) => {
    readRequestBody(incoming, own)
      .then(
        (bytes) => outcome.resolve(String(bytes.length)),
        (error: unknown) =>
          outcome.resolve(
            error instanceof RestError
              ? error.code
              : error instanceof ClientAborted
                ? 'aborted'
                : String(error),
          ),
      )
      .finally(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    send((server.address() as AddressInfo).port);
    return await outcome.promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const post = (port: number, headers: Record<string, string | number>) => {
  const client = request({ port, method: 'POST', headers });
  client.on('error', () => {});
  return client;
};

describe('the memory budget for bodies', () => {
  it('accepts small bodies when full, and larger ones again once one is finished', () => {
    const { openShare: takePlace } = createBodyMemory(100_000);
    const [large, small, other] = [takePlace(), takePlace(), takePlace()];
    large.reserve(90_000);
    small.reserve(60_000);
    expect(() => other.reserve(70_000)).toThrow(
      expect.objectContaining({ code: 'rest_too_many_requests', extra: { retry_after: expect.any(Number) } }),
    );
    large.release();
    small.release();
    other.reserve(70_000);
    expect(() => small.reserve(70_000)).toThrow(RestError);
  });

  it('is released by every body, however it ended', async () => {
    const declared = { 'content-length': 1_000_000 };
    for (let round = 0; round < fullOrShort(100, 10); round += 1) {
      const aborts = (port: number) => {
        const client = post(port, declared);
        client.write(Buffer.alloc(900_000), () => client.destroy());
      };
      expect(await received(aborts, { ...limits, sentBytesMax: 1_048_576 })).toBe('aborted');
    }
  });
});

describe('requests', () => {
  it('reads a complete body, with and without Content-Length', async () => {
    expect(await received((port) => post(port, { 'content-length': body.length }).end(body))).toBe(
      String(body.length),
    );
    expect(await received((port) => post(port, { 'content-encoding': 'gzip' }).end(gzipSync(body)))).toBe(
      String(body.length),
    );
  });

  it('refuses by Content-Length before anything is sent', async () => {
    const declared = limits.sentBytesMax + 1;
    expect(await received((port) => post(port, { 'content-length': declared }).flushHeaders())).toBe(
      'rest_payload_too_large',
    );
  });

  it('refuses a body that grows past its limit while it comes', async () => {
    const sent = (port: number) => void post(port, {}).write(Buffer.alloc(limits.sentBytesMax + 1));
    expect(await received(sent)).toBe('rest_payload_too_large');
  });

  inFull(it)('refuses a large bomb by how it begins, before the rest is sent', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024), { level: 1 });
    const headers = { 'content-encoding': 'gzip', 'content-length': 200_000 };
    const sent = (port: number) => void post(port, headers).write(bomb.subarray(0, 64 * 1024));
    expect(await received(sent, { ...limits, sentBytesMax: 1_048_576 })).toBe('rest_payload_too_large');
  });

  it('reads a large compressed body to its end after peeking at it', async () => {
    const noise = randomBytes(300_000);
    const packed = gzipSync(noise);
    const headers = { 'content-encoding': 'gzip', 'content-length': packed.length };
    const own = { ...limits, sentBytesMax: 1_048_576 };
    expect(await received((port) => post(port, headers).end(packed), own)).toBe(String(noise.length));
    const drips = async (port: number): Promise<void> => {
      const client = post(port, headers);
      for (let at = 0; at < packed.length; at += 10_000) {
        await new Promise((sent) => client.write(packed.subarray(at, at + 10_000), sent));
      }
      client.end();
    };
    expect(await received((port) => void drips(port), own)).toBe(String(noise.length));
  });

  it('distinguishes a client that disconnected from a corrupt body', async () => {
    const aborts = (port: number) => {
      const client = post(port, { 'content-length': 1000 });
      client.write('half', () => client.destroy());
    };
    expect(await received(aborts)).toBe('aborted');
  });
});
