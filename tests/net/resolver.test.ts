import { describe, expect, it } from '@jest/globals';
import { createResolver } from '../../src/net/dns-resolver.ts';
import { addressRecord, cname, fromTable, startDnsServer, txt } from '../support/dns-server.ts';
import { forEachTest } from '../support/shared.ts';

const dns = forEachTest(() => startDnsServer());
const second = forEachTest(() => startDnsServer());

const oneView = () => createResolver({ servers: [dns.address], timeoutMs: 5000, tries: 2 });
const impatient = () => createResolver({ servers: [dns.address], timeoutMs: 50, tries: 1 });
const twoViews = () => createResolver({ servers: [dns.address, second.address], timeoutMs: 5000, tries: 2 });

describe('texts', () => {
  it('joins the strings of one record and keeps several records apart', async () => {
    dns.answer(
      fromTable({ 'a.com TXT': { records: [txt('a.com', 'x'.repeat(255), 'yz'), txt('a.com', 'other')] } }),
    );
    const texts = await oneView().texts('a.com');
    expect([...texts].sort()).toEqual(['other', `${'x'.repeat(255)}yz`]);
  });

  it('keeps bytes that are no UTF-8', async () => {
    dns.answer(fromTable({ 'a.com TXT': { records: [txt('a.com', Buffer.from([0xff, 0x61, 0xc3]))] } }));
    await expect(oneView().texts('a.com')).resolves.toEqual(['\xffa\xc3']);
  });

  it('follows an alias that the server answers with its target', async () => {
    const records = [cname('a.com', 'b.net'), txt('b.net', 'found')];
    dns.answer(fromTable({ 'a.com TXT': { records } }));
    await expect(oneView().texts('a.com')).resolves.toEqual(['found']);
  });

  it('follows an alias that the server answers alone', async () => {
    dns.answer(
      fromTable({
        'a.com CNAME': { records: [cname('a.com', 'b.net')] },
        'b.net TXT': { records: [txt('b.net', 'found')] },
      }),
    );
    await expect(oneView().texts('a.com')).resolves.toEqual(['found']);
  });

  it('dns-cname-loop: stops at a loop of aliases', async () => {
    dns.answer(
      fromTable({
        'a.com CNAME': { records: [cname('a.com', 'b.net')] },
        'b.net CNAME': { records: [cname('b.net', 'a.com')] },
      }),
    );
    await expect(oneView().texts('a.com')).rejects.toMatchObject({ code: 'bad_response' });
    expect(dns.asked.length).toBeLessThan(40);
  });

  it('reads no more than 8 KiB and 64 records', async () => {
    const long = Array.from({ length: 64 }, () => 'x'.repeat(255));
    dns.answer(fromTable({ 'a.com TXT': { records: [txt('a.com', ...long)] } }));
    await expect(oneView().texts('a.com')).rejects.toMatchObject({ code: 'too_large' });
    const many = Array.from({ length: 65 }, (_, index) => txt('a.com', String(index)));
    dns.answer(fromTable({ 'a.com TXT': { records: many } }));
    await expect(oneView().texts('a.com')).rejects.toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['NXDOMAIN', 'nxdomain'],
    ['SERVFAIL', 'unreachable'],
    ['REFUSED', 'unreachable'],
  ] as const)('dns-nx: reports %s as %s', async (rcode, code) => {
    dns.answer(() => ({ rcode }));
    await expect(oneView().texts('a.com')).rejects.toMatchObject({ code });
  });

  it('dns-timeout: distinguishes a name without records from a missing answer', async () => {
    dns.answer(() => ({ records: [] }));
    await expect(oneView().texts('a.com')).rejects.toMatchObject({ code: 'no_record' });
    dns.answer(() => 'silence');
    await expect(impatient().texts('a.com')).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('addresses', () => {
  it('are of both families', async () => {
    dns.answer(
      fromTable({
        'a.com A': { records: [addressRecord('a.com', '93.184.216.34')] },
        'a.com AAAA': { records: [addressRecord('a.com', '2606:4700:4700::1111')] },
      }),
    );
    await expect(oneView().addresses('a.com')).resolves.toEqual(['93.184.216.34', '2606:4700:4700::1111']);
  });

  it('are enough in one family when the other fails', async () => {
    dns.answer(({ type }) =>
      type === 'A' ? { records: [addressRecord('a.com', '93.184.216.34')] } : { rcode: 'SERVFAIL' },
    );
    await expect(oneView().addresses('a.com')).resolves.toEqual(['93.184.216.34']);
  });

  it('are enough in one family when the other does not respond', async () => {
    dns.answer(({ type }) =>
      type === 'A' ? { records: [addressRecord('a.com', '93.184.216.34')] } : 'silence',
    );
    const patient = createResolver({
      servers: [dns.address],
      // Longer than the test may take.
      timeoutMs: 900_000,
      tries: 1,
      otherFamilyMs: 50,
    });
    await expect(patient.addresses('a.com')).resolves.toEqual(['93.184.216.34']);
  }, 60_000);

  it('dns-many: are at most 16, also of 4,000 records', async () => {
    const count = (length: number) => ({
      records: Array.from({ length }, (_, i) => addressRecord('a.com', `9.9.${i >> 8}.${i & 255}`)),
    });
    dns.answer(fromTable({ 'a.com A': count(16) }));
    await expect(oneView().addresses('a.com')).resolves.toHaveLength(16);
    dns.answer(fromTable({ 'a.com A': count(17) }));
    await expect(oneView().addresses('a.com')).rejects.toMatchObject({ code: 'too_large' });
    dns.answer(fromTable({ 'a.com A': count(4000) }));
    await expect(oneView().addresses('a.com')).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('two resolvers', () => {
  const answering = (...addresses: string[]) =>
    fromTable({ 'a.com A': { records: addresses.map((address) => addressRecord('a.com', address)) } });

  it('have the records that both return', async () => {
    dns.answer(answering('9.9.9.9', '8.8.8.8'));
    second.answer(answering('8.8.8.8', '1.1.1.1'));
    await expect(twoViews().addresses('a.com')).resolves.toEqual(['8.8.8.8']);
    dns.answer(fromTable({ 'a.com TXT': { records: [txt('a.com', 'one'), txt('a.com', 'both')] } }));
    second.answer(fromTable({ 'a.com TXT': { records: [txt('a.com', 'both')] } }));
    await expect(twoViews().texts('a.com')).resolves.toEqual(['both']);
  });

  it('refuse records that only one returns', async () => {
    dns.answer(answering('9.9.9.9'));
    second.answer(answering('8.8.8.8'));
    await expect(twoViews().addresses('a.com')).rejects.toMatchObject({ code: 'mismatch' });
    second.answer(() => ({ rcode: 'NXDOMAIN' }));
    await expect(twoViews().addresses('a.com')).rejects.toMatchObject({ code: 'nxdomain' });
  });

  it('refuse a name when either returns a private address', async () => {
    dns.answer(answering('8.8.8.8'));
    second.answer(answering('8.8.8.8', '10.0.0.1'));
    await expect(twoViews().addresses('a.com')).rejects.toMatchObject({ code: 'refused_address' });
  });
});
