import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createByteLru } from '../../src/symbolication/content-cache.ts';
import { openSymbolicator } from '../../src/symbolication/symbolicator.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';

const mapText = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  names: [],
  mappings: 'AACA',
  sourcesContent: ['one\ntwo'],
});
const frames = [{ filename: 'a.js', lineno: 1, colno: 1 }];
const budgetMs = 20_000;

let folder = '';
const symbolicator = openSymbolicator();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'notifier-test-'));
});
afterAll(async () => {
  await symbolicator.close();
  rmSync(folder, { recursive: true });
});

let files = 0;
function written(text: string | Buffer): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, text);
  return path;
}

function jobFor(text: string, sha256: string, isInline = false) {
  const script = {
    content: { sha256, size: Buffer.byteLength(text) },
    isInline,
    address: 'https://x.example/a.js.map',
  };
  return { stacks: [frames], scriptOf: [[0]], scripts: [script] };
}

const partsOf = (text: string) => async () => {
  const packed = gzipSync(text);
  return [packed.subarray(0, 10), packed.subarray(10)];
};

it('symbolicating and unpacking have one running and at most 200 waiting tasks each', async () => {
  const silent = openSymbolicator({
    start: () => new Worker('setInterval(() => {}, 1e6)', { eval: true }),
    uploadMsMax: 600_000,
  });
  const refused: number[] = [];
  const asked = Array.from({ length: 203 }, (_, index) =>
    silent.unpackJson('a.json', folder, {} as never).catch(() => refused.push(index)),
  );
  await setImmediate();
  const refusedAtOnce = [...refused];
  await silent.close();
  await Promise.all(asked);
  expect(refusedAtOnce).toEqual([201, 202]);
});

describe('symbolicating in a worker', () => {
  inFull(it)('reads a content once and then caches it', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return partsOf(mapText)();
    };
    for (let round = 0; round < 3; round += 1) {
      const outcome = await symbolicator.mapStacks(jobFor(mapText, 'known'), read, budgetMs);
      expect(outcome).toMatchObject({
        done: true,
        stacks: [[{ mapped: true, frame: { filename: 'a.ts', lineno: 2, context_line: 'two' } }]],
      });
    }
    expect(reads).toBe(1);
  });

  it('reads a map inside its script', async () => {
    const script = `a()\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(mapText).toString('base64')}\n`;
    const outcome = await symbolicator.mapStacks(jobFor(script, 'inline', true), partsOf(script), budgetMs);
    expect(outcome).toMatchObject({ stacks: [[{ mapped: true }]] });
  });

  it('reads a map of more than 25 MiB', async () => {
    const wide = mapText + ' '.repeat(26 * 1024 * 1024);
    const outcome = await symbolicator.mapStacks(jobFor(wide, 'wide'), partsOf(wide), budgetMs);
    expect(outcome).toMatchObject({ stacks: [[{ mapped: true }]] });
  });

  it.each([
    ['is no map', async () => [gzipSync('no map')]],
    ['is no gzip', async () => [Buffer.from('no gzip at all')]],
    ['is gone', async () => null],
    ['is cut off', async () => [gzipSync(mapText).subarray(0, 20)]],
    ['is larger than it was said to be', partsOf(`${mapText}   `)],
  ])('leaves frames as sent when the content %s', async (why, read) => {
    const outcome = await symbolicator.mapStacks(jobFor(mapText, why), read, budgetMs);
    expect(outcome).toMatchObject({ done: true, stacks: [[{ mapped: false, frame: frames[0] }]] });
  });

  it('stops at its timeout, and has the map ready for the next event', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = async () => {
      await gate;
      return partsOf(mapText)();
    };
    const late = await symbolicator.mapStacks(jobFor(mapText, 'slow'), slow, 1);
    expect(late).toEqual({ done: false });
    release();
    const next = await symbolicator.mapStacks(jobFor(mapText, 'slow'), partsOf(mapText), budgetMs);
    expect(next).toMatchObject({ done: true, stacks: [[{ mapped: true }]] });
  });

  it('never rejects, whatever reading does', async () => {
    const failing = async () => {
      throw new Error('disk');
    };
    expect(await symbolicator.mapStacks(jobFor(mapText, 'failing'), failing, budgetMs)).toEqual({
      done: false,
    });
  });

  it('returns lines of a source', async () => {
    const source = 'one\ntwo\nthree';
    const content = { sha256: 'source', size: source.length };
    expect(await symbolicator.sourceContext(content, 2, partsOf(source), budgetMs)).toEqual({
      pre_context: ['one'],
      context_line: 'two',
      post_context: ['three'],
    });
    expect(await symbolicator.sourceContext(content, 9, partsOf(source), budgetMs)).toBeNull();
  });
});

describe('a cache bounded in bytes', () => {
  it('keeps what fits, and drops first what was used longest ago', () => {
    const cache = createByteLru<string>(10);
    const get = (...keys: string[]) => keys.map((key) => cache.get(key) ?? null);
    cache.set('a', 'A', 5);
    cache.set('b', 'B', 5);
    expect([get('b', 'a'), cache.bytes]).toEqual([['B', 'A'], 10]);
    cache.set('c', 'C', 1);
    expect([get('a', 'b', 'c'), cache.bytes]).toEqual([['A', null, 'C'], 6]);
    cache.set('d', 'D', 11);
    expect([get('a', 'c', 'd'), cache.bytes]).toEqual([[null, null, 'D'], 11]);
  });
});

describe('reading an upload in a worker', () => {
  const inspect = (text: string | Buffer, name = '~/a', declaredType: string | null = null) =>
    symbolicator.inspect({ path: written(text), name, declaredType });

  it.each([
    ['a map by its members', mapText, '~/a', 'source_map'],
    ['a map by its name', 'broken', '~/a.js.map?x=1', 'source_map'],
    ['a script by its name', 'a()', 'https://x.example/a.mjs?v=2', 'minified_source'],
    ['a script by its comment', 'a()\n//# sourceMappingURL=b.map', '~/a', 'minified_source'],
    ['a source', 'body { color: red }', '~/a.css', 'source'],
    ['an empty file', '', '~/a', 'source'],
  ])('recognizes %s', async (_name, text, name, type) => {
    expect(await inspect(text, name)).toMatchObject({ type, size: text.length });
  });

  it('recognizes a broken map by a member of maps within its first 4,096 bytes', async () => {
    const member = '"mappings":';
    const typeOf = async (end: number) => (await inspect(`{${member.padStart(end - 1)}`)).type;
    expect([await typeOf(4_096), await typeOf(4_097)]).toEqual(['source_map', 'source']);
  });

  it('inflates a gzip file into a file beside it', async () => {
    const found = await inspect(gzipSync(mapText), '~/a.js.map.gz');
    expect(found).toMatchObject({ type: 'source_map', refusal: null, wasGzip: true, size: mapText.length });
    expect(readFileSync(found.path, 'utf8')).toBe(mapText);
  });

  inFull(it)('refuses a gzip file that grows past the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(51 * 1024 * 1024));
    await expect(inspect(bomb)).rejects.toThrow(/larger than 52428800 bytes/);
  });

  it('has a reason why a map, or an inline one, cannot be used', async () => {
    expect((await inspect('{"version":2,"mappings":""}')).refusal).toMatch(/version is not 3/);
    const script = 'a()\n//# sourceMappingURL=data:application/json;base64,e30=';
    expect((await inspect(script)).refusal).toMatch(/inline map cannot be used/);
  });

  it('warns of a map without sources and of mappings that point nowhere', async () => {
    const bare = JSON.stringify({ version: 3, sources: ['a'], mappings: 'ACAA' });
    expect((await inspect(bare)).warnings.join()).toMatch(/no sourcesContent.*1 mappings point/);
  });
});

describe('unpacking a JSON body in a worker', () => {
  const unpack = (body: unknown, limits = { filesMax: 100, fileBytesMax: 10_000_000 }) =>
    symbolicator.unpackJson(
      written(typeof body === 'string' ? body : JSON.stringify(body)),
      mkdtempSync(join(folder, 'unpack-')),
      limits,
    );

  inFull(it)('writes every content byte for byte, however it is chunked', async () => {
    // Pieces are 256 KiB: two, three and four byte characters, escapes and pairs all come to lie on a cut.
    const texts = ['é"\\\n', '€\u2028', '😀\t', `${'x'.repeat(262_141)}😀`, `${'x'.repeat(262_143)}\\"`];
    const contents = texts.map((text) => text.repeat(Math.ceil(600_000 / text.length)));
    const escaped = JSON.stringify({
      files: contents.map((content, index) => ({ name: `${index}`, content })),
    });
    const ascii = escaped.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    for (const body of fullOrShort([escaped, ascii], [ascii])) {
      const { files } = await unpack(body);
      for (const [index, file] of files.entries()) {
        expect(readFileSync(file.path, 'utf8') === contents[index]).toBe(true);
        expect(file.size).toBe(Buffer.byteLength(contents[index] ?? ''));
      }
    }
  });

  inFull(it)('decodes base64, wrapped or not', async () => {
    const bytes = Buffer.from(Array.from({ length: 700_001 }, (_, index) => index % 251));
    const wrapped = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
    const { files } = await unpack({
      release: '1',
      dist: 'x',
      files: [{ name: 'a', content_base64: wrapped }],
    });
    expect(readFileSync(files[0]?.path ?? '').equals(bytes)).toBe(true);
  });

  it.each([
    ['no files', {}, /"files" is missing/],
    ['files that are no list', { files: 1 }, /"files" is not an array/],
    ['too many files', { files: Array(101).fill({ name: 'a', content: '' }) }, /more than 100/],
    ['a file without content', { files: [{ name: 'a' }] }, /files\[0\] has no content/],
    [
      'a file that is too large',
      { files: [{ name: 'a', content: 'x'.repeat(10_000_001) }] },
      /files\[0\] is larger/,
    ],
    ['a broken escape', '{"files":[{"name":"a","content":"\\x"}]}', /files\[0\] is not a valid JSON string/],
    ['no JSON', 'files', /not valid JSON/],
  ])('refuses %s', async (_name, body, words) => {
    await expect(unpack(body)).rejects.toThrow(words);
  });
});

describe('a worker that crashes', () => {
  it('on an upload is reported with the reason', async () => {
    const path = written(JSON.stringify({ version: 3, sources: [], mappings: ';'.repeat(1_900_000) }));
    const hasty = openSymbolicator({ uploadMsMax: 0 });
    const inspected = hasty.inspect({ path, name: '~/a', declaredType: null });
    await expect(inspected).rejects.toMatchObject({ name: 'WorkerLost', message: 'it took too long' });
    await hasty.close();
  });

  it('on a map does not get it again: its frames stay as sent', async () => {
    let started = 0;
    let reads = 0;
    const program = `
      const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ kind, stacks, scripts }) => {
        if (kind === 'load') process.exit(0);
        const missing = scripts.map(({ content }) => content);
        parentPort.postMessage({ answer: missing.length > 0 ? { missing } : { stacks } });
      });`;
    const workers = openSymbolicator({
      start() {
        started += 1;
        return new Worker(program, { eval: true });
      },
    });
    const read = async () => {
      reads += 1;
      return partsOf(mapText)();
    };
    const job = jobFor(mapText, 'poison');
    expect(await workers.mapStacks(job, read, budgetMs)).toEqual({ done: false });
    for (let again = 0; again < 2; again += 1) {
      expect(await workers.mapStacks(job, read, budgetMs)).toEqual({ done: true, stacks: [frames] });
    }
    expect([started, reads]).toEqual([2, 1]);
    await workers.close();
  });

  it('and a closed symbolicator do no work', async () => {
    const workers = openSymbolicator();
    await workers.close();
    await expect(workers.inspect({ path: '', name: '', declaredType: null })).rejects.toThrow(
      'too many tasks',
    );
    expect(await workers.mapStacks(jobFor(mapText, 'closed'), partsOf(mapText), budgetMs)).toEqual({
      done: false,
    });
  });
});
