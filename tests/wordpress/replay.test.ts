import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allOrSome, isFull } from '../support/test-level.ts';
import { differences, namedDifference, readExchanges, send } from './exchanges.ts';
import { createReferenceServer } from './reference/reference-server.ts';

describe('recorded exchanges', () => {
  let server: Server;
  beforeAll(async () => {
    server = createReferenceServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('are answered with the same status, headers and bytes', async () => {
    const { port } = server.address() as AddressInfo;
    const named = new Map<string, number>();
    const different: string[] = [];
    let compared = 0;
    // Those of `pretty` name the issues that the others made.
    const exchanges = readExchanges().filter(({ id }) => isFull() || !id.startsWith('pretty/'));
    for (const exchange of allOrSome(exchanges, 4)) {
      const name = namedDifference(exchange);
      if (name !== null) {
        named.set(name, (named.get(name) ?? 0) + 1);
        continue;
      }
      compared += 1;
      const found = differences(exchange, await send(port, exchange));
      if (found.length > 0) different.push(`${exchange.id}: ${found.join('\n')}`);
    }
    const counts = [...named].map(([name, count]) => `${name} ${count}`).join(', ');
    process.stdout.write(
      `same ${compared - different.length} of ${compared}; named differences: ${counts}\n`,
    );
    expect(different).toEqual([]);
  });
});
