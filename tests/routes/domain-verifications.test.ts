import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recheckDueVerifications } from '../../src/core/domains/recheck-loop.ts';
import { createResolver } from '../../src/net/dns-resolver.ts';
import { createProber } from '../../src/net/prober.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/certificates.ts';
import {
  addressRecord,
  type DnsAnswer,
  type DnsServer,
  fromTable,
  startDnsServer,
  txt,
} from '../support/dns-server.ts';
import { type Internet, startInternet } from '../support/internet.ts';
import { itForAll } from '../support/shared.ts';

const domain = 'example.com';
const challenge = `_notifier-challenge.${domain}`;
const address = '93.184.216.34';
const hourMs = 3_600_000;
const authority = createAuthority();

let app: TestApp;
let dns: DnsServer;
let internet: Internet;
let table: Record<string, DnsAnswer>;

beforeEach(async () => {
  dns = await startDnsServer();
  internet = await startInternet();
  table = { [`${domain} A`]: { records: [addressRecord(domain, address)] } };
  dns.answer((question) => fromTable(table)(question));
  internet.vanish(address);
  const prober = createProber({
    resolver: createResolver({ servers: [dns.address], timeoutMs: 5000, tries: 2 }),
    connect: internet.connect,
    ca: authority.cert,
  });
  app = await openTestApp({ deps: { domainCheckClient: prober } });
});
afterEach(async () => {
  await app.close();
  await internet.close();
  await dns.close();
});

const make = async (body: object = {}) =>
  (await app.postSecret('/domain-verifications', { domain, ...body })).body;
const check = async (id: string, body: object = {}) =>
  (await app.postSecret(`/domain-verifications/${id}/check`, body)).body;
const read = async (id: string) => (await app.get(`/domain-verifications/${id}`)).body;
const publishTxt = (...records: string[]) => {
  table[`${challenge} TXT`] = { records: records.map((record) => txt(challenge, record)) };
};
const serve = (path: string, contentType: string, body: string) =>
  internet.https(address, authority.issue([domain]), (request, response) => {
    response.statusCode = request.url === path ? 200 : 404;
    response.setHeader('Content-Type', contentType);
    response.end(request.url === path ? body : 'not here');
  });
const advance = async (milliseconds: number) => {
  app.advance(milliseconds);
  return await recheckDueVerifications(app.deps);
};

describe('creating a verification', () => {
  it('answers 201 with the record, and 200 with the same one after', async () => {
    const first = await app.postSecret('/domain-verifications', { domain: 'EXAMPLE.com.', label: 'Shop' });
    expect(first).toHaveStatus(201);
    expect(first.body).toMatchObject({
      accepted: true,
      domain,
      scope: 'host',
      method: 'any',
      label: 'Shop',
      status: 'pending',
      verified: false,
      failures: 0,
      last_error: null,
    });
    expect(first.body.id).toMatch(/^dv_[A-Za-z0-9]{22}$/);
    expect(first.body.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.body.challenges).toHaveLength(3);
    const second = await app.postSecret('/domain-verifications', { domain });
    expect(second).toHaveStatus(200);
    expect(second.body).toEqual(first.body);
    const { accepted: _, ...record } = first.body;
    expect(await read(first.body.id)).toEqual(record);
  });

  it('gives another project and another scope their own tokens', async () => {
    const ours = await make();
    const below = await make({ scope: 'subdomains' });
    const other = await app.addProject('other');
    const theirs = await app.post(
      '/domain-verifications',
      { domain },
      { Authorization: `Bearer ${other.secretKey}` },
    );
    expect(theirs).toHaveStatus(201);
    expect(new Set([ours.token, below.token, theirs.body.token]).size).toBe(3);
    expect(below.challenges.map((each: { type: string }) => each.type)).toEqual(['dns_txt']);
  });

  itForAll(
    [
      [{ domain: 'localhost' }, 'domain'],
      [{ domain: ['example.com'] }, 'domain'],
      [{ hostname: 'printer.local' }, 'hostname'],
      [{ domain, method: 'carrier_pigeon' }, 'method'],
      [{ domain, scope: 'everything' }, 'scope'],
      [{ domain, scope: 'subdomains', method: 'http_file' }, 'method'],
      [{ domain: 'foo.github.io', scope: 'subdomains' }, 'scope'],
      [{ domain, label: 'x'.repeat(101) }, 'label'],
    ],
    'refuses invalid fields',
    async (body, field) => {
      const refused = await app.postSecret('/domain-verifications', body);
      expect(refused).toHaveStatus(400);
      expect(refused.body.code).toBe('rest_invalid_param');
      expect(Object.keys(refused.body.data.params)).toEqual([field]);
    },
  );

  it.each([[{}], [{ domain: null }]])('refuses a missing domain in %j', async (body) => {
    const refused = await app.postSecret('/domain-verifications', body);
    expect(refused.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['domain'] } });
  });
});

describe('a verification by DNS', () => {
  const proven = async (publish: (token: string) => void) => {
    const proof = await make({ method: 'dns_txt' });
    publish(proof.token);
    return await check(proof.id);
  };

  it('goes from pending to verified', async () => {
    const proof = await make({ method: 'dns_txt' });
    expect(await check(proof.id)).toMatchObject({
      status: 'pending',
      verified: false,
      last_error: 'nxdomain',
    });
    publishTxt('v=spf1 -all', proof.challenges[0].value);
    expect(await check(proof.id)).toMatchObject({
      accepted: true,
      id: proof.id,
      status: 'verified',
      verified: true,
      verified_by: 'dns_txt',
      expires_at: null,
      failures: 0,
      last_error: null,
      checks: [{ type: 'dns_txt', ok: true, code: 'ok' }],
    });
    expect(await read(proof.id)).toMatchObject({ status: 'verified' });
  });

  it.each([
    [
      'txt-wrong: another token',
      () => txt(challenge, 'token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
      'mismatch',
    ],
    [
      'txt-big: 64 kB',
      (token: string) =>
        txt(challenge, `token=${token}`, ...Array.from({ length: 250 }, () => ' '.repeat(255))),
      'too_large',
    ],
    [
      'txt-binary: no UTF-8',
      (token: string) =>
        txt(challenge, Buffer.concat([Buffer.from(`token=${token}`), Buffer.from([0xff, 0xfe])])),
      'mismatch',
    ],
  ])('is not found in %s', async (_what, record, code) => {
    const after = await proven((token) => {
      table[`${challenge} TXT`] = { records: [record(token)] };
    });
    expect(after).toMatchObject({ status: 'pending', verified: false, checks: [{ ok: false, code }] });
  });

  it('txt-wildcard: is not accepted where every name has the record', async () => {
    const proof = await make({ method: 'dns_txt' });
    dns.answer(({ name, type }) =>
      type === 'TXT' ? { records: [txt(name, `token=${proof.token}`)] } : { records: [] },
    );
    expect(await check(proof.id)).toMatchObject({ verified: false, checks: [{ code: 'mismatch' }] });
  });

  it('txt-parent: a record of the parent says nothing of the child, nor the child of the parent', async () => {
    const child = await make({ domain: `shop.${domain}`, method: 'dns_txt' });
    publishTxt(`token=${child.token}`);
    expect(await check(child.id)).toMatchObject({ verified: false, checks: [{ code: 'nxdomain' }] });
    const parent = await make({ method: 'dns_txt' });
    table = {
      [`_notifier-challenge.shop.${domain} TXT`]: {
        records: [txt(`_notifier-challenge.shop.${domain}`, `token=${parent.token}`)],
      },
    };
    expect(await check(parent.id)).toMatchObject({ verified: false });
  });
});

describe('a verification by file or by meta tag', () => {
  it('verifies by the file', async () => {
    const proof = await make({ method: 'http_file' });
    expect(await check(proof.id)).toMatchObject({ verified: false, last_error: 'unreachable' });
    await serve('/.well-known/notifier-verification.txt', 'text/plain', `${proof.challenges[0].body}\n`);
    expect(await check(proof.id)).toMatchObject({ status: 'verified', verified_by: 'http_file' });
  });

  it('has its own instructions for each method, and one can be chosen', async () => {
    const proof = await make();
    await serve('/', 'text/html', `<head>${proof.challenges[2].tag}</head>`);
    const all = await check(proof.id);
    expect(all.checks.map((each: { type: string; code: string }) => [each.type, each.code])).toEqual([
      ['dns_txt', 'nxdomain'],
      ['http_file', 'status_404'],
      ['html_meta', 'ok'],
    ]);
    expect(all).toMatchObject({ status: 'verified', verified_by: 'html_meta' });
    const one = await check(proof.id, { method: 'http_file' });
    expect(one.checks).toHaveLength(1);
    expect(one).toMatchObject({ status: 'verified', failures: 0, verified: true });
  });

  it('is in the audit log with what each check found; a refused check is not', async () => {
    const proof = await make();
    const checked = async () =>
      (await app.deps.store.walkAudit(0, 1_000)).filter(
        ({ action }) => action === 'domain_verification.checked',
      );
    publishTxt(`token=${proof.token}`);
    await check(proof.id, { method: 'dns_txt' });
    await check('unknown');
    const [entry, ...more] = await checked();
    expect(entry).toMatchObject({ objectName: domain, summary: 'dns txt ok', projectId: app.project.id });
    expect(entry?.actor.kind).toBe('key');
    expect(more).toEqual([]);
  });

  it('refuses a method that the verification does not have', async () => {
    const proof = await make({ method: 'dns_txt' });
    const refused = await app.postSecret(`/domain-verifications/${proof.id}/check`, { method: 'http_file' });
    expect(refused).toHaveStatus(400);
    expect(refused.body.data.params).toHaveProperty('method');
  });

  it('reveals nothing about the internal network', async () => {
    const proof = await make();
    const words = [
      /^(ok|nxdomain|no_record|mismatch|timeout|refused_address|tls|too_large|redirect|unreachable|bad_response|status_\d{3})$/,
    ];
    for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1']) {
      table[`${domain} A`] = { records: [addressRecord(domain, inside)] };
      const after = await check(proof.id);
      expect(JSON.stringify(after)).not.toMatch(
        /127\.|10\.0\.|169\.254|192\.168|ECONN|ENOTFOUND|errno|:\d{2,5}\b(?!:)\/|loopback|private/i,
      );
      for (const each of after.checks) expect(each.code).toMatch(words[0] ?? /^$/);
      expect(after.checks[1]).toEqual({
        type: 'http_file',
        ok: false,
        code: 'refused_address',
        detail:
          'The name does not resolve to a public address. You can also publish a DNS record or the meta tag.',
      });
    }
    expect(internet.canaryTouched()).toBe(0);
    expect(internet.opened).toEqual([]);
  });

  it('connects only to the checked address, also if DNS answers change', async () => {
    const proof = await make({ method: 'http_file' });
    await serve('/.well-known/notifier-verification.txt', 'text/plain', proof.challenges[0].body);
    const asked = new Map<string, number>();
    dns.answer(({ name, type }) => {
      const times = (asked.get(type) ?? 0) + 1;
      asked.set(type, times);
      if (type !== 'A') return { records: [] };
      return { records: [addressRecord(name, times === 1 ? address : '127.0.0.1')] };
    });
    expect(await check(proof.id)).toMatchObject({ verified: true });
    expect(await check(proof.id)).toMatchObject({ checks: [{ code: 'refused_address' }] });
    expect(internet.canaryTouched()).toBe(0);
  });
});

describe('the lifecycle of a verification', () => {
  it('is verified in the background, fails, lapses when the servers stop answering, and recovers', async () => {
    const proof = await make({ method: 'dns_txt' });
    publishTxt(`token=${proof.token}`);
    expect(await advance(2 * hourMs)).toBe(1);
    expect(await read(proof.id)).toMatchObject({ status: 'verified' });
    expect(await advance(hourMs)).toBe(0);

    delete table[`${challenge} TXT`];
    expect(await advance(26 * hourMs)).toBe(1);
    expect(await read(proof.id)).toMatchObject({ status: 'failing', verified: true, failures: 1 });

    publishTxt(`token=${proof.token}`);
    await advance(7 * hourMs);
    expect(await read(proof.id)).toMatchObject({ status: 'verified', failures: 0 });

    delete table[`${challenge} TXT`];
    await advance(27 * hourMs);
    for (let hours = 0; hours < 71; hours += 7) await advance(7 * hourMs);
    expect(await read(proof.id)).toMatchObject({ status: 'lapsed', verified: false, next_check_at: null });

    const again = await check(proof.id);
    expect(again).toMatchObject({ status: 'pending', verified: false, checks: [], failures: 0 });
    expect(again.token).not.toBe(proof.token);
    publishTxt(`token=${proof.token}`);
    expect(await check(proof.id)).toMatchObject({ verified: false, checks: [{ code: 'mismatch' }] });
    publishTxt(`token=${again.token}`);
    expect(await check(proof.id)).toMatchObject({ status: 'verified', verified: true });
  });

  it('expires after a week without proof, and restarts by a check or another POST', async () => {
    const proof = await make({ method: 'dns_txt' });
    app.advance(168 * hourMs);
    expect(await read(proof.id)).toMatchObject({ status: 'expired', expires_at: null });
    const renewed = await check(proof.id);
    expect(renewed).toMatchObject({ id: proof.id, status: 'pending', checks: [] });
    expect(renewed.token).not.toBe(proof.token);
    app.advance(168 * hourMs);
    const posted = await app.postSecret('/domain-verifications', { domain, method: 'http_file' });
    expect(posted).toHaveStatus(201);
    expect(posted.body).toMatchObject({ id: proof.id, status: 'pending', method: 'http_file' });
    expect(posted.body.token).not.toBe(renewed.token);
  });

  it('is marked expired by the background job too', async () => {
    const proof = await make({ method: 'dns_txt' });
    await advance(169 * hourMs);
    const stored = await app.deps.store.findDomainVerification(app.project.id, proof.id);
    expect(stored?.status).toBe('expired');
    expect(dns.asked).toEqual([]);
  });

  it('can be revoked, and then covers no domain', async () => {
    const proof = await make({ method: 'dns_txt' });
    publishTxt(`token=${proof.token}`);
    await check(proof.id);
    const gone = await app.deleteSecret(`/domain-verifications/${proof.id}`);
    expect(gone.body).toMatchObject({ deleted: true, previous: { id: proof.id, status: 'verified' } });
    expect(await read(proof.id)).toMatchObject({ status: 'revoked', verified: false, next_check_at: null });
    const refused = await app.postSecret(`/domain-verifications/${proof.id}/check`, {});
    expect(refused).toHaveStatus(400);
    expect(await advance(1000 * hourMs)).toBe(0);
  });

  it('stays revoked when a check was in progress', async () => {
    const proof = await make({ method: 'dns_txt' });
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const prober = {
      ...app.deps.domainCheckClient,
      texts: async () => {
        asked.resolve();
        await answer.promise;
        return { ok: true, found: [`token=${proof.token}`] } as const;
      },
    };
    const { checkVerification: checkProof } = await import('../../src/core/domains/verifications.ts');
    const checking = checkProof(
      { ...app.deps, domainCheckClient: prober },
      app.project,
      { id: proof.id },
      null,
    );
    await asked.promise;
    await app.deleteSecret(`/domain-verifications/${proof.id}`);
    answer.resolve();
    expect((await checking).proof.status).toBe('revoked');
    expect(await read(proof.id)).toMatchObject({ status: 'revoked' });
  });

  it('verifies the domains it covers', async () => {
    await app.postSecret('/domains', { domain: `shop.${domain}` });
    await app.postSecret('/domains', { domain: `*.${domain}` });
    await app.postSecret('/domains', { domain: 'other.com' });
    const proof = await make({ scope: 'subdomains' });
    publishTxt(`token=${proof.token}`);
    await check(proof.id);
    const domains = (await app.get('/domains')).body as Array<{
      domain: string;
      verified: boolean;
      verification_id: string | null;
    }>;
    expect(domains.map((each) => [each.domain, each.verified, each.verification_id])).toEqual([
      [`shop.${domain}`, true, proof.id],
      [`*.${domain}`, true, proof.id],
      ['other.com', false, null],
    ]);
  });
});

describe('a CNAME, and a custom label', () => {
  const label = '_errornotifier-challenge';
  const own = `${label}.${domain}`;
  const published = (name: string, target: string) => ({
    records: [{ name, type: 'CNAME' as const, ttl: 60, data: target }],
  });

  beforeEach(async () => {
    const { domainCheckClient: prober } = app.deps;
    await app.close();
    const env = { NOTIFIER_CHALLENGE_LABEL: label, BASE_URL: 'https://errors.example.org' };
    app = await openTestApp({ env, deps: { domainCheckClient: prober } });
  });

  const aliasOf = async () => {
    const proof = await make({ method: 'dns_txt' });
    const [way] = proof.challenges;
    expect(way).toMatchObject({ type: 'dns_txt', name: own });
    expect(way.cname_also_ok).toMatch(/^[0-9a-f]{40}\.errors\.example\.org$/);
    return { proof, target: way.cname_also_ok as string };
  };

  it('verifies by the CNAME that the challenge names', async () => {
    const { proof, target } = await aliasOf();
    table[`${own} CNAME`] = published(own, target.toUpperCase());
    expect(await check(proof.id)).toMatchObject({ verified: true, verified_by: 'dns_txt' });
  });

  it('does not verify by another CNAME, and the answer names the alternatives', async () => {
    const { proof, target } = await aliasOf();
    table[`${own} CNAME`] = published(own, `x${target}`);
    const { verified, checks } = await check(proof.id);
    expect([verified, checks[0].ok]).toEqual([false, false]);
    expect(checks[0].detail).toMatch(/ A CNAME counts as well as the TXT record\.$/);
  });

  it('verifies by a TXT record at that label, and not at the usual one', async () => {
    const { proof } = await aliasOf();
    publishTxt(`token=${proof.token}`);
    expect(await check(proof.id)).toMatchObject({ verified: false });
    table[`${own} TXT`] = { records: [txt(own, `token=${proof.token}`)] };
    expect(await check(proof.id)).toMatchObject({ verified: true });
  });
});

it('finds the meta tag of a page whose body never ends', async () => {
  const proof = await make({ method: 'html_meta' });
  await internet.https(address, authority.issue([domain]), (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    // What stands in a comment or a script begins no body.
    response.write('<html><head><!-- <body> --><script>"<body>"</script>');
    response.write(`<meta name="notifier-site-verification" content="${proof.token}"></head><bo`);
    response.write('dy><p>and so on');
  });
  expect(await check(proof.id)).toMatchObject({ verified: true, verified_by: 'html_meta' });
});
