import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRecording } from '../../src/contract/exchange.ts';
import { readHar } from '../../src/contract/har.ts';
import { type PlainServer, startPlainServer } from './support/plain-server.ts';
import { caught, targetWords } from './support/run.ts';

const site = 'https://shop.example/blog';
const event = JSON.stringify({ message: 'Cannot read {{name}} of {{public_key_}}', platform: 'javascript' });

function entry(
  url: string,
  more: { method?: string; headers?: object[]; postData?: object; answer?: string } = {},
) {
  const { method = 'POST', headers = [], postData, answer = '{"accepted":true}' } = more;
  return {
    startedDateTime: '2026-11-21T00:00:00.000Z',
    request: { method, url, headers, cookies: [], ...(postData === undefined ? {} : { postData }) },
    response: {
      status: 201,
      statusText: 'Created',
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'set-cookie', value: 'a=b' },
        { name: 'link', value: `<${site}/wp-json/>; rel="https://api.w.org/"` },
      ],
      content: {
        mimeType: 'application/json',
        text: Buffer.from(answer).toString('base64'),
        encoding: 'base64',
      },
    },
  };
}

const har = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      entry('https://shop.example/cart', { method: 'GET' }),
      entry(`${site}/wp-json/notifier/v1/store`, {
        headers: [
          { name: ':authority', value: 'shop.example' },
          { name: 'x-notifier-key', value: 'pk_page_secretish' },
          { name: 'content-type', value: 'application/json' },
          { name: 'cookie', value: 'session=1' },
          { name: 'origin', value: 'https://shop.example' },
        ],
        postData: { mimeType: 'application/json', text: event },
      }),
      entry(`${site}/?rest_route=/notifier/v1/sdk-verify`, {
        headers: [{ name: 'X-Notifier-Key', value: 'pk_page_secretish' }],
        postData: { text: '{"sdk":{"name":"a","version":"1.0.0"}}' },
      }),
      entry(`${site}/wp-json/notifier/v1/api/1/envelope/?sentry_key=pk_page_secretish`, {
        postData: { text: '{"dsn":"https://pk_page_secretish@shop.example/1"}\n{"type":"session"}\n{}' },
      }),
      entry(`${site}/wp-json/wp/v2/posts`, { method: 'GET' }),
    ],
  },
});

describe('a HAR file', () => {
  const page = readHar(har);

  it('gives the requests to this API, in their order', () => {
    expect(page.map((each) => [each.request.method, each.request.path])).toEqual([
      ['POST', '/blog/wp-json/notifier/v1/store'],
      ['POST', '/blog/?rest_route=/notifier/v1/sdk-verify'],
      ['POST', '/blog/wp-json/notifier/v1/api/1/envelope/?sentry_key={{public_key}}'],
    ]);
  });

  it('gives bodies of requests and answers', () => {
    expect(page[0]?.request).toMatchObject({
      headers: [
        ['x-notifier-key', '{{public_key}}'],
        ['content-type', 'application/json'],
        ['origin', 'https://shop.example'],
      ],
      body: event,
    });
    expect(page[0]?.response).toMatchObject({ status: 201, body: '{"accepted":true}' });
    expect(page[0]?.response.headers).toContainEqual([
      'link',
      '<{{site}}/wp-json/>; rel="https://api.w.org/"',
    ]);
  });

  it('gives no key and no cookie', () => {
    expect(JSON.stringify(page)).not.toMatch(/secretish|session=|set-cookie/i);
  });

  it.each([
    ['no JSON', '{', /not JSON/],
    ['another file', '{"log":{}}', /no HAR file: log\.entries/],
  ])('that is %s is refused with a reason', (_what, text, words) => {
    expect(() => readHar(text)).toThrow(words);
  });
});

describe('contract record --har', () => {
  let server: PlainServer;
  let folder: string;
  const keys = { publicKey: 'pk_plain_0001', secretKey: 'sk_plain_0001', domain: 'shop.example' };

  beforeAll(async () => {
    server = await startPlainServer(keys);
    folder = await mkdtemp(join(tmpdir(), 'notifier-har-'));
    await writeFile(join(folder, 'page.har'), har);
    await writeFile(join(folder, 'empty.har'), '{"log":{"entries":[]}}');
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it('writes the answers that the page received', async () => {
    const out = join(folder, 'page.jsonl');
    const { code } = await caught(['record', '--har', join(folder, 'page.har'), '--out', out]);
    expect(code).toBe(0);
    expect(readRecording(await readFile(out, 'utf8')).map((each) => each.response.status)).toEqual([
      201, 201, 201,
    ]);
  });

  it('replays the requests to a server with its own keys, for comparison', async () => {
    const out = join(folder, 'asked.jsonl');
    const words = targetWords(server.url, keys);
    const { code } = await caught(['record', '--har', join(folder, 'page.har'), '--out', out, ...words]);
    expect(code).toBe(0);
    const asked = readRecording(await readFile(out, 'utf8'));
    expect(asked[0]?.response).toMatchObject({ status: 202, body: expect.stringContaining('"issue_id":1') });
    const same = await caught(['diff', out, '--against', server.url, ...words.slice(2)]);
    expect(same).toMatchObject({ code: 0, out: expect.stringContaining('The same in 3 exchanges') });
    const other = await caught(['diff', join(folder, 'page.jsonl'), out, '--format', 'markdown']);
    expect(other.code).toBe(1);
    expect(other.out).toContain('| page-001 POST /blog/wp-json/notifier/v1/store | status |');
  });

  it('reports a file without requests to this API', async () => {
    const argv = ['record', '--har', join(folder, 'empty.har'), '--out', join(folder, 'x.jsonl')];
    const { code, err } = await caught(argv);
    expect([code, err]).toEqual([1, expect.stringMatching(/contains no requests to notifier\/v1/)]);
  });
});
