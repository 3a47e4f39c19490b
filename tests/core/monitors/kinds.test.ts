import { createServer, type Server } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { startMonitorLoop } from '../../../src/core/monitors/runner.ts';
import { databases } from '../../data/support/databases.ts';
import { openTestApp } from '../../support/app.ts';
import { createSelfSigned } from '../../support/certificates.ts';
import { addressRecord, startDnsServer } from '../../support/dns-server.ts';
import { nextChecks } from '../../support/monitored.ts';
import { forEachTest } from '../../support/shared.ts';

const hourMs = 3_600_000;

describe.each(databases)('other monitor types on $name', (database) => {
  const dns = forEachTest(startDnsServer);
  const app = forEachTest(async () =>
    openTestApp({
      env: {
        DATABASE_URL: await database.createMigrated(),
        NOTIFIER_DNS_SERVERS: dns.address,
        // Addresses that stand in documents are nobody's, so nobody may be sent there.
        NOTIFIER_FETCH_ALLOW: '127.0.0.0/8,203.0.113.0/24,198.51.100.0/24',
      },
    }),
  );
  const monitoring = forEachTest(() => startMonitorLoop(app.deps, { everyMs: hourMs }));

  const make = async (body: object): Promise<number> => {
    const made = await app.postSecret('/monitors', { name: 'one', confirmations: 1, ...body });
    expect(made).toHaveStatus(201);
    await monitoring.runNow();
    return made.body.monitor_id;
  };
  const read = async (id: number) => (await app.get(`/monitors/${id}`)).body;
  const next = async (id: number) => {
    await nextChecks(app, monitoring, 1, id);
    return read(id);
  };

  it('DNS: the records of a hostname are checked', async () => {
    const name = 'shop.test';
    const answer = (...addresses: string[]) =>
      dns.answer(() => ({ records: addresses.map((each) => addressRecord(name, each)) }));
    answer('203.0.113.7', '203.0.113.8');
    const answers = '203.0.113.8, 203.0.113.7';
    const id = await make({ type: 'dns', host: name, record: 'A', answers });
    expect(await read(id)).toMatchObject({ state: 'up', target: 'shop.test A', certificate_ends_at: null });
    answer('198.51.100.66');
    const other = 'does not have the expected records';
    expect(await next(id)).toMatchObject({ state: 'down', reason: other });
    expect(JSON.stringify(await read(id))).not.toContain('198.51.100.66');
    answer('203.0.113.7', '203.0.113.8');
    expect(await next(id)).toMatchObject({ state: 'up', reason: '' });
    dns.answer(() => ({ rcode: 'NXDOMAIN' }));
    expect(await next(id)).toMatchObject({ state: 'down', reason: 'the name does not exist' });
  });

  it('TLS: an untrusted certificate is down, with the day on which it expires', async () => {
    const server: Server = createServer(createSelfSigned('localhost'), (socket) =>
      socket.on('error', () => {}),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const id = await make({ type: 'tls', host: `127.0.0.1:${port}` });
    // The first good check alone ends `pending`, and one that is not good confirms itself here.
    expect(await read(id)).toMatchObject({
      state: 'down',
      reason: 'its certificate is not trusted',
      certificate_ends_at: expect.stringMatching(/^\d{4}-/),
    });
    await new Promise<void>((done) => server.close(() => done()));
    const gone = await next(id);
    expect(gone).toMatchObject({ state: 'down', certificate_ends_at: expect.stringMatching(/^\d{4}-/) });
    expect(gone.last_check.message).toBe('cannot be reached');
  });
});
