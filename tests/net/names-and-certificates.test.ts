import { createServer, type Server } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createChecker } from '../../src/net/checker.ts';
import { createResolver, queryRecords } from '../../src/net/dns-resolver.ts';
import { parseAllowedTargets } from '../../src/net/ssrf-guard.ts';
import { type Certificate, createAuthority, createSelfSigned } from '../support/certificates.ts';
import {
  addressRecord,
  cname,
  type DnsServer,
  fromTable,
  startDnsServer,
  txt,
} from '../support/dns-server.ts';

const authority = createAuthority();
const timeoutMs = 20_000;
const dayMs = 86_400_000;
let dns: DnsServer;
const servers: Server[] = [];
beforeAll(async () => {
  dns = await startDnsServer();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => new Promise<void>((done) => each.close(() => done()))));
});
afterAll(() => dns.close());

const checkerOf = (allowed: string[], addresses: string[] = ['127.0.0.1']) =>
  createChecker({
    resolve: async () => addresses,
    records: createResolver({ servers: [dns.address], tries: 1 }).records,
    allowed: parseAllowedTargets(allowed),
    userAgent: 'test',
    ca: authority.cert,
  });

async function start(certificate: Certificate): Promise<number> {
  const server = createServer(certificate, (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as { port: number }).port;
}

describe('records', () => {
  const shop = 'shop.test';
  const record = (type: 'MX' | 'NS' | 'SRV' | 'CAA', data: unknown) =>
    ({ records: [{ type, name: shop, ttl: 0, data }] }) as never;
  beforeAll(() => {
    dns.answer(
      fromTable({
        'shop.test A': { records: [addressRecord(shop, '203.0.113.7')] },
        'shop.test AAAA': { records: [addressRecord(shop, '2001:db8::7')] },
        'shop.test MX': record('MX', { preference: 10, exchange: 'mail.shop.test' }),
        'shop.test NS': record('NS', 'ns1.shop.test'),
        'shop.test SRV': record('SRV', { priority: 1, weight: 2, port: 993, target: 'imap.shop.test' }),
        'shop.test CAA': record('CAA', { flags: 0, tag: 'issue', value: 'ca.test' }),
        'shop.test TXT': { records: [txt(shop, 'v=spf1 ', '-all'), txt(shop, 'other')] },
        'www.shop.test CNAME': { records: [cname('www.shop.test', shop)] },
        'db.shop.test A': { records: [addressRecord('db.shop.test', '10.0.0.5')] },
        'busy.test A': { rcode: 'SERVFAIL' },
        'mute.test A': 'silence',
      }),
    );
  });

  it.each([
    ['MX', shop, ['10 mail.shop.test']],
    ['NS', shop, ['ns1.shop.test']],
    ['SRV', shop, ['1 2 993 imap.shop.test']],
    ['CAA', shop, ['0 issue ca.test']],
    ['TXT', shop, ['v=spf1 -all', 'other']],
    ['CNAME', 'www.shop.test', [shop]],
  ] as const)('%s of %s', async (kind, name, found) => {
    expect(await checkerOf([]).records({ name, kind, timeoutMs })).toMatchObject({ ok: true, found });
  });

  it.each([
    ['A', 'nowhere.test', 'the name does not exist'],
    ['SRV', 'db.shop.test', 'the record does not exist'],
    ['A', 'busy.test', 'its name cannot be resolved'],
    ['A', 'db.shop.test', 'a private address that is not in NOTIFIER_FETCH_ALLOW'],
  ] as const)('%s of %s: %s', async (kind, name, message) => {
    expect(await checkerOf([]).records({ name, kind, timeoutMs })).toMatchObject({ ok: false, message });
  });

  it('include private addresses where those are allowed', async () => {
    const asked = { name: 'db.shop.test', kind: 'A', timeoutMs } as const;
    expect(await checkerOf(['10.0.0.0/8']).records(asked)).toMatchObject({ found: ['10.0.0.5'] });
    expect(await checkerOf(['db.shop.test']).records(asked)).toMatchObject({ found: ['10.0.0.5'] });
  });

  it('are too many beyond 64, and too long beyond 16 KiB together', async () => {
    const lookUp = async (texts: readonly string[]) =>
      (await queryRecords({ resolveTxt: async () => texts.map((text) => [text]) } as never, shop, 'TXT'))
        .length;
    const tooLarge = { code: 'too_large' };
    expect(await lookUp(Array(64).fill('x'))).toBe(64);
    await expect(lookUp(Array(65).fill('x'))).rejects.toMatchObject(tooLarge);
    const half = 'x'.repeat(8 * 1024);
    expect(await lookUp([half, half])).toBe(2);
    await expect(lookUp([half, `${half}x`])).rejects.toMatchObject(tooLarge);
  });

  it('that are never answered time out', async () => {
    const asked = await checkerOf([]).records({ name: 'mute.test', kind: 'A', timeoutMs: 50 });
    expect(asked).toMatchObject({ ok: false, message: 'no response within 0.05 s' });
  });
});

describe('a certificate', () => {
  const checker = () => checkerOf(['127.0.0.0/8']);
  const until = (ms: number) => ({
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: new Date(Math.floor((Date.now() + ms) / 1000) * 1000),
  });

  it('that is valid has its expiry', async () => {
    const validity = until(40 * dayMs);
    const port = await start(authority.issue(['open.test'], validity));
    expect(await checker().certificate({ host: 'open.test', port, timeoutMs })).toMatchObject({
      ok: true,
      found: { fault: null, endsAtMs: validity.notAfter.getTime() },
    });
  });

  it.each([
    ['ended', authority.issue(['open.test'], until(-3 * dayMs))],
    ['name', authority.issue(['other.test'])],
    ['chain', createSelfSigned('open.test')],
    [
      'early',
      authority.issue(['open.test'], {
        notBefore: new Date(Date.now() + dayMs),
        notAfter: new Date(Date.now() + 2 * dayMs),
      }),
    ],
  ] as const)('that is invalid has the reason and its expiry: %s', async (fault, certificate) => {
    const port = await start(certificate);
    expect(await checker().certificate({ host: 'open.test', port, timeoutMs })).toMatchObject({
      ok: true,
      found: { fault, endsAtMs: expect.any(Number) },
    });
  });

  it('is missing where nothing listens or there is no TLS', async () => {
    const { createServer: createPlain } = await import('node:net');
    const plain = createPlain((socket) => {
      socket.on('error', () => {});
      socket.resume().end('220 mail.test ready\r\n');
    });
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    const { port } = plain.address() as { port: number };
    const asked = { host: 'open.test', port, timeoutMs };
    expect(await checker().certificate(asked)).toMatchObject({
      ok: false,
      message: 'TLS failed',
    });
    await new Promise<void>((done) => plain.close(() => done()));
    expect(await checker().certificate(asked)).toMatchObject({ ok: false, message: 'cannot be reached' });
  });

  it('is not fetched from private addresses', async () => {
    const port = await start(authority.issue(['open.test']));
    let asked = 0;
    servers[0]?.on('connection', () => {
      asked += 1;
    });
    expect(await checkerOf([]).certificate({ host: 'open.test', port, timeoutMs })).toMatchObject({
      ok: false,
      message: 'a private address that is not in NOTIFIER_FETCH_ALLOW',
    });
    expect(asked).toBe(0);
  });
});
