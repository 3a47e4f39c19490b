import { describe, expect, it } from '@jest/globals';
import { findMatchingDomain, findSenderHost } from '../../src/core/domains/domains.ts';
import type { Domain } from '../../src/core/store/domains.ts';
import { openTestApp } from '../support/app.ts';
import { forEachTest, itForAll } from '../support/shared.ts';

const app = forEachTest(() => openTestApp());

describe('adding a domain', () => {
  it('answers 201 with its switches, and 200 with what was changed after', async () => {
    const first = await app.postSecret('/domains', { domain: 'MÜNCHEN.de' });
    expect(first).toHaveStatus(201);
    expect(first.body).toEqual({
      accepted: true,
      domain_id: 1,
      domain: 'xn--mnchen-3ya.de',
      bug_reports: false,
      errors: true,
      sampling: 1,
      allowed_origins: [],
      verified: false,
      verification_id: null,
      created_at: '2026-11-21T12:00:00.000Z',
    });
    const second = await app.postSecret('/domains', {
      host: 'xn--mnchen-3ya.de',
      bug_reports: true,
      sampling: 0.25,
    });
    expect(second).toHaveStatus(200);
    expect(second.body).toMatchObject({ domain_id: 1, bug_reports: true, errors: true, sampling: 0.25 });
  });

  itForAll(
    [
      ['domain', { domain: 'https://a.example' }],
      ['domain', { domain: 'a.example:80' }],
      ['domain', { domain: '*' }],
      ['domain', { domain: 'a b' }],
      ['domain', { domain: ['a.example'] }],
      ['bug_reports', { domain: 'a.example', bug_reports: 'perhaps' }],
      ['sampling', { domain: 'a.example', sampling: 1.1 }],
      ['sampling', { domain: 'a.example', sampling: -0.1 }],
      ['allowed_origins', { domain: 'a.example', allowed_origins: ['https://a.example/path'] }],
      ['allowed_origins', { domain: 'a.example', allowed_origins: ['javascript:alert(1)'] }],
      ['allowed_origins', { domain: 'a.example', allowed_origins: ['*'] }],
    ],
    'refuses invalid fields',
    async (field, body) => {
      const refused = await app.postSecret('/domains', body);
      expect(refused).toHaveStatus(400);
      expect(refused.body.code).toBe('rest_invalid_param');
      expect(Object.keys(refused.body.data.params)).toEqual([field]);
      expect((await app.get('/domains')).body).toEqual([]);
    },
  );

  it('refuses a missing domain', async () => {
    expect((await app.postSecret('/domains', {})).body.code).toBe('rest_missing_callback_param');
  });
});

describe('listing and changing', () => {
  it('finds a host as it is written and as it is spelled in ASCII, in any case', async () => {
    await app.postSecret('/domains', { domain: '*.straße.example' });
    await app.postSecret('/domains', { domain: 'münchen.example' });
    const found = async (search: string) =>
      (await app.get(`/domains?search=${encodeURIComponent(search)}`)).body.map(
        (each: { domain: string }) => each.domain,
      );
    const hosts = ['*.xn--strae-oqa.example', 'xn--mnchen-3ya.example'];
    for (const typed of ['MÜNCHEN', 'mu\u0308nch', ' XN--MNCHEN ', 'ｍünchen']) {
      expect([typed, await found(typed)]).toEqual([typed, hosts.slice(1)]);
    }
    for (const typed of ['STRASSE', '*.straß', 'Xn--Strae']) {
      expect([typed, await found(typed)]).toEqual([typed, hosts.slice(0, 1)]);
    }
    expect(await found('Example')).toEqual(hosts);
    expect(await found('munchen')).toEqual([]);
  });

  it('goes page by page, in the order of adding unless asked', async () => {
    for (const domain of ['c.example', 'a.example', 'b.test']) await app.postSecret('/domains', { domain });
    const hosts = async (query: string) =>
      (await app.get(`/domains?${query}`)).body.map((each: { domain: string }) => each.domain);
    expect(await hosts('')).toEqual(['c.example', 'a.example', 'b.test']);
    expect(await hosts('orderby=domain')).toEqual(['a.example', 'b.test', 'c.example']);
    expect(await hosts('order=desc&per_page=1&page=2')).toEqual(['a.example']);
    expect(await hosts('search=EXAMPLE')).toEqual(['c.example', 'a.example']);
    expect((await app.get('/domains?per_page=1')).headers).toMatchObject({
      'x-wp-total': '3',
      'x-wp-totalpages': '3',
    });
    expect(await app.get('/domains?per_page=0')).toHaveStatus(400);
  });

  it('changes what is given and leaves the rest', async () => {
    await app.postSecret('/domains', { domain: 'a.example', bug_reports: true });
    const changed = await app.postSecret('/domains/1', {
      errors: false,
      allowed_origins: ['https://CDN.example', 'http://b.example:8080/'],
    });
    expect(changed.body).toMatchObject({
      accepted: true,
      bug_reports: true,
      errors: false,
      allowed_origins: ['https://cdn.example', 'http://b.example:8080'],
    });
    const { accepted: _, ...record } = changed.body;
    expect((await app.get('/domains/1')).body).toEqual(record);
  });
});

describe('the host of a request', () => {
  itForAll(
    [
      [
        { origin: 'https://a.example:8080', referer: 'https://b.example/', url: 'https://c.example' },
        'a.example',
      ],
      [{ referer: 'https://b.example/x', url: 'https://c.example' }, 'b.example'],
      [{ url: 'https://C.example./x', domain: 'd.example' }, 'c.example'],
      [{ domain: 'D.example' }, 'd.example'],
      [{ origin: '', domain: 'd.example' }, 'd.example'],
      [{ origin: 'null', url: 'https://c.example' }, null],
      [{ origin: 'file://', url: 'https://c.example' }, null],
      [{ url: 'chrome-extension://abc/x' }, null],
      [{ origin: 'http://[::1]:3000' }, '[::1]'],
      [{}, null],
    ],
    'is that of the origin, then of the referer, the url and the domain',
    (sender, host) => {
      expect(findSenderHost(sender)).toBe(host);
    },
  );

  it('finds the exact host first, then an invited origin, then the nearest wildcard', () => {
    const domain = (id: number, host: string, allowedOrigins: string[] = []): Domain => ({
      id,
      projectId: 1,
      host,
      bugReports: false,
      errors: true,
      sampling: 1,
      allowedOrigins,
      verificationId: null,
      createdAtMs: 0,
    });
    const domains = [
      domain(1, '*.example.com'),
      domain(2, '*.shop.example.com'),
      domain(3, 'a.shop.example.com'),
      domain(4, 'guest.net', ['https://b.shop.example.com']),
    ];
    const idFor = (host: string, origin: string | null = null) =>
      findMatchingDomain(domains, host, origin)?.id ?? null;
    expect(idFor('a.shop.example.com')).toBe(3);
    expect(idFor('b.shop.example.com')).toBe(2);
    expect(idFor('b.shop.example.com', 'https://b.shop.example.com')).toBe(4);
    expect(idFor('x.example.com')).toBe(1);
    expect(idFor('example.com')).toBeNull();
  });
});
