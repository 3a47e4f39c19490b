import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { allOrSome, fullOrShort } from '../support/test-level.ts';
import { addresses } from './wordpress/address-rows.ts';
import { ask, differencesOf } from './wordpress/differences.ts';
import type { Row } from './wordpress/expectations.ts';
import { routeRows } from './wordpress/route-rows.ts';
import type { Keys } from './wordpress/shared-rows.ts';
import { writtenRows } from './wordpress/written-rows.ts';

function keysOf(app: TestApp): Keys {
  return { secret: ['Authorization', `Bearer ${app.secretKey}`], key: ['X-Notifier-Key', app.publicKey] };
}

const portOf = (app: TestApp): number => (app.server.address() as AddressInfo).port;

describe('the recorded behaviour', () => {
  let app: TestApp;
  let inFolder: TestApp;
  beforeAll(async () => {
    app = await openTestApp({ env: { BASE_URL: 'https://shop.example' } });
    inFolder = await openTestApp({ env: { BASE_URL: 'https://shop.example', WP_PATH: '/blog' } });
  });
  afterAll(async () => {
    await app.close();
    await inFolder.close();
  });

  it('is the same for every route of the table, byte for byte', async () => {
    const keys = keysOf(app);
    const ofRoutes = routeRows(notifierRoutes(app.deps), [keys.secret, keys.key]);
    const rows = [...allOrSome(ofRoutes, 4), ...writtenRows(keys)];
    const different = await differencesOf(portOf(app), rows, 'https://shop.example/wp-json/');
    process.stdout.write(`same ${rows.length - different.length} of ${rows.length}\n`);
    expect(different).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(fullOrShort(150, 60));
  });

  it('is the same in the folder of WP_PATH, and nowhere else', async () => {
    const rows = addresses(keysOf(inFolder), '/blog');
    rows.push({
      name: 'the page before',
      method: 'GET',
      path: '/blog/wp-json/notifier/v1/deploys?page=2',
      headers: [keysOf(inFolder).secret],
      status: 200,
      body: '[]',
      own: [
        ['X-WP-Total', '0'],
        ['X-WP-TotalPages', '0'],
      ],
      link: '<https://shop.example/blog/wp-json/notifier/v1/deploys?page=1>; rel="prev"',
      allow: 'POST, GET',
    });
    expect(await differencesOf(portOf(inFolder), rows, 'https://shop.example/blog/wp-json/')).toEqual([]);
    for (const path of [
      '/wp-json/notifier/v1/deploys',
      '/?rest_route=/notifier/v1/deploys',
      '/blogs/wp-json/',
    ]) {
      const answer = await ask(portOf(inFolder), { name: path, method: 'GET', path, status: 404, body: '' });
      expect([path, answer.status, answer.body.toString()]).toEqual([path, 404, 'Not found.\n']);
    }
  });

  it.each([
    ['a blank in the name of a header', { headers: [['Bad Name', 'x']] }],
    ['a length that is none', { headers: [['Content-Length', 'x']] }],
    ['headers that are too big', { headers: [['X-Big', 'x'.repeat(20_000)]] }],
  ] as const)('is the same for what the HTTP parser refuses: %s', async (name, { headers }) => {
    const body = '{"code":"rest_bad_request","message":"Bad request.","data":{"status":400}}';
    const row: Row = { name, method: 'GET', path: '/wp-json/notifier/v1', headers, status: 400, body };
    expect(await differencesOf(portOf(app), [row], 'https://shop.example/wp-json/')).toEqual([]);
  });
});
