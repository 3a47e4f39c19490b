import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diffIndexes, readIndex } from '../../src/contract/namespace-index.ts';
import { createReferenceServer } from '../wordpress/reference/reference-server.ts';
import { caught } from './support/run.ts';

const route = (methods: string[], args: object) => ({
  namespace: 'notifier/v1',
  methods,
  endpoints: [{ methods, args }],
});

describe('a namespace index', () => {
  it('is compared by method and path, with patterns as {id}', () => {
    const index = {
      namespace: 'notifier/v1',
      routes: {
        '/notifier/v1': route(['GET'], {}),
        '/notifier/v1/store': route(['POST'], { message: { type: 'string', required: true } }),
        '/notifier/v1/domain-verifications/(?P<proof>(?:dv_)?[\\w-]+)/check': route(['POST', 'PUT'], []),
      },
    };
    expect(readIndex(index)).toEqual([
      { name: 'POST /store', args: { message: { type: 'string', required: true } } },
      { name: 'POST /domain-verifications/{id}/check', args: {} },
      { name: 'PUT /domain-verifications/{id}/check', args: {} },
    ]);
  });

  it.each([[null], [[]], [{}], [{ routes: [] }], ['text']])('refuses %j', (json) => {
    expect(readIndex(json)).toBeNull();
  });

  it('differs by route, by argument and by keyword', () => {
    const there = readIndex({
      routes: {
        '/notifier/v1/store': route(['POST'], {
          a: { type: 'string', maxLength: 5 },
          b: { type: 'integer', required: true },
        }),
        '/notifier/v1/theirs': route(['GET'], {}),
      },
    });
    const here = readIndex({
      routes: {
        '/notifier/v1/store': route(['POST'], { a: { type: ['string', 'null'], description: 'x' }, c: {} }),
        '/notifier/v1/ours': route(['GET'], {}),
      },
    });
    expect(diffIndexes(there ?? [], here ?? [])).toEqual([
      { route: 'POST /store', argument: 'a', keyword: 'type', there: 'string', here: '["string","null"]' },
      { route: 'POST /store', argument: 'a', keyword: 'maxLength', there: '5', here: '' },
      { route: 'POST /store', argument: 'b', keyword: '', there: 'integer, required', here: '' },
      { route: 'POST /store', argument: 'c', keyword: '', there: '', here: 'anything' },
      { route: 'GET /theirs', argument: '', keyword: '', there: 'yes', here: '' },
      { route: 'GET /ours', argument: '', keyword: '', there: '', here: 'yes' },
    ]);
  });
});

describe('contract describe', () => {
  let reference: Server;
  let other: Server;
  let url: string;
  let otherUrl: string;

  beforeAll(async () => {
    reference = createReferenceServer();
    other = createServer((_request, response) => void response.end('<html></html>'));
    url = await listening(reference);
    otherUrl = await listening(other);
  });
  afterAll(async () => {
    for (const server of [reference, other]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('prints routes that only one of the servers has', async () => {
    const { code, out } = await caught(['describe', '--url', url]);
    expect(code).toBe(0);
    expect(out).toMatch(/Only on the other server:\n(?: {2}.*\n)* {2}POST \/_required\n/);
    expect(out).toMatch(/Only in this program:\n(?: {2}.*\n)* {2}POST \/artifacts\n/);
    expect(out).toMatch(/POST \/deploys +environment +enum +\["production","staging","development"\]/);
    expect(out).not.toMatch(/^ {2}(GET|POST) \/(store|domain-verifications\/\{id\})$/m);
  });

  it('finds no difference between a server and itself', async () => {
    const { out } = await caught(['describe', '--url', url, '--against', url]);
    expect(out).toMatch(/They match ours/);
  });

  it('prints JSON', async () => {
    const { out } = await caught(['describe', '--url', url, '--format', 'json']);
    const { routes, differences } = JSON.parse(out);
    expect(routes.map((each: { name: string }) => each.name)).toContain('POST /store');
    expect(differences.length).toBeGreaterThan(10);
  });

  it('reports a missing index', async () => {
    const { code, err } = await caught(['describe', '--url', otherUrl]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/namespace index of .* returned status 200 \(no type\)/),
    ]);
  });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
