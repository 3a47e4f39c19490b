import { METHODS } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { notifierRoutes } from '../../routes/index.ts';
import { addresses } from '../routes/wordpress/address-rows.ts';
import { differencesOf } from '../routes/wordpress/differences.ts';
import type { Row } from '../routes/wordpress/expectations.ts';
import { routeRows } from '../routes/wordpress/route-rows.ts';
import type { Keys } from '../routes/wordpress/shared-rows.ts';
import { writtenRows } from '../routes/wordpress/written-rows.ts';
import { sharedApp } from '../support/shared.ts';
import { allOrSome, byLevel, inFull } from '../support/test-level.ts';
import { type Answer, type Exchange, readExchanges, send } from '../wordpress/exchanges.ts';
import { closeAll, openOwn, oursOf, serveHost } from './foreign-host.ts';

const baseUrl = 'https://shop.example';

afterEach(closeAll);

function keysOf({ secretKey, publicKey }: { secretKey: string; publicKey: string }): Keys {
  return { secret: ['Authorization', `Bearer ${secretKey}`], key: ['X-Notifier-Key', publicKey] };
}

function isKnownMethod({ method }: { readonly method: string }): boolean {
  return METHODS.includes(method);
}

function survivesParser({ sent, headers = [] }: Row): boolean {
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  if (sent === undefined || !/json/.test(type)) return true;
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === 'object' && value !== null && JSON.stringify(value) === sent;
  } catch {
    return false;
  }
}

describe('the behaviour of our routes in a host application', () => {
  const tables = sharedApp();
  const rowsFor = (keys: Keys): Row[] => {
    const rows = [...routeRows(notifierRoutes(tables.deps), [keys.secret, keys.key]), ...writtenRows(keys)];
    return rows.filter(isKnownMethod);
  };

  inFull(it)('is the same at the root', async () => {
    const own = await openOwn({ baseUrl });
    const host = await serveHost((app) => app.use(own.notifier.router));
    const rows = rowsFor(keysOf(own));
    expect(await differencesOf(host.port, rows, `${baseUrl}/wp-json/`, oursOf)).toEqual([]);
    expect(rows.length).toBeGreaterThan(300);
  });

  inFull(it)('is the same behind express.json(), if that returns what was sent', async () => {
    const own = await openOwn({ baseUrl });
    const host = await serveHost((app) => {
      app.use(express.json({ limit: '10mb' }));
      app.use(own.notifier.router);
    });
    const all = rowsFor(keysOf(own)).filter(survivesParser);
    // What the parser leaves behind is the same for every row, and all rows are asked above.
    const rows = allOrSome(all, 12);
    expect(await differencesOf(host.port, rows, `${baseUrl}/wp-json/`, oursOf)).toEqual([]);
    expect(all.length).toBeGreaterThan(250);
  });

  it.each<readonly [string, { readonly wpPath?: string }, string]>([
    ['that wpPath names too', { wpPath: '/blog' }, '/blog'],
    ['without wpPath', {}, '/blog'],
    ['that wpPath names, mounted at the root', { wpPath: '/blog' }, '/'],
  ])('is the same below a folder %s', async (_what, options, mount) => {
    const own = await openOwn({ baseUrl, ...options });
    const host = await serveHost((app) => app.use(mount, own.notifier.router));
    const rows = addresses(keysOf(own), '/blog').filter(isKnownMethod);
    expect(await differencesOf(host.port, rows, `${baseUrl}/blog/wp-json/`, oursOf)).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
  });
});

describe('the recorded requests in a host application', () => {
  const program = sharedApp({ env: { BASE_URL: baseUrl, PAGES: 'off' } });

  inFull(it)('are answered as by the server itself', async () => {
    const own = await openOwn({ baseUrl });
    const host = await serveHost((app) => app.use(own.notifier.router));
    const { port } = program.server.address() as AddressInfo;
    const different: string[] = [];
    let compared = 0;
    // Every one is asked of the engine in tests/wordpress/replay.test.ts; here, whether a host changes it.
    for (const exchange of allOrSome(readExchanges(), 16)) {
      if (!isKnownMethod(exchange.request)) continue;
      const ours = await send(port, withKeys(exchange, program));
      if (isBeforeLayers(ours)) continue;
      compared += 1;
      const mounted = await send(host.port, withKeys(exchange, own));
      const [left, right] = [comparable(ours), comparable({ ...mounted, headers: oursOf(mounted.headers) })];
      if (left !== right) {
        different.push(`${exchange.id}\n  program ${left}\n  mounted ${right}`.slice(0, 4_000));
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(byLevel({ nightly: 500, full: 120, short: 30 }));
  });
});

function withKeys(exchange: Exchange, keys: { publicKey: string; secretKey: string }): Exchange {
  const text = JSON.stringify(exchange.request)
    .replaceAll('pk_test_00000000000000000000000000000001', keys.publicKey)
    .replaceAll('sk_test_00000000000000000000000000000001', keys.secretKey);
  return { ...exchange, request: JSON.parse(text) as Exchange['request'] };
}

function isBeforeLayers({ status, headers, body }: Answer): boolean {
  const closes = headers.some(([name, value]) => name === 'Connection' && value === 'close');
  const isUnread = status === 400 && closes && body.includes('rest_bad_request');
  return isUnread || (status === 404 && body.toString() === 'Not found.\n');
}

function comparable({ status, headers, body }: Answer): string {
  const ignored = /^(?:date|connection|keep-alive|content-length|transfer-encoding)$/i;
  const shown = headers.filter(([name]) => !ignored.test(name));
  return JSON.stringify([status, shown, body.toString('latin1')])
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'DATE');
}
