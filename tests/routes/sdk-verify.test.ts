import { describe, expect, it } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { forEachTest, itForAll } from '../support/shared.ts';

const app = forEachTest(() => openTestApp({ domains: ['shop.example'] }));

const sdk = { name: 'notifier.browser', version: '2.1.0' };
const origin = 'https://shop.example';
const verify = (body: object = {}, headers: Record<string, string> = { Origin: origin }) =>
  app.post('/sdk-verify', { sdk, ...body }, { 'X-Notifier-Key': app.publicKey, ...headers });
const checksOf = (body: { checks: Array<{ code: string; ok: boolean | null }> }) =>
  Object.fromEntries(body.checks.map((check) => [check.code, check.ok]));

describe('the answer of /sdk-verify', () => {
  it('has all its members', async () => {
    app.advance(30_500);
    const answer = await verify({ url: 'https://shop.example/cart' });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({
      accepted: true,
      verified: true,
      verification_id: expect.stringMatching(/^sv_[A-Za-z0-9]{22}$/),
      server_time: '2026-11-21T12:00:30.500Z',
      ttl: 300,
      etag: expect.stringMatching(/^W\/"[A-Za-z0-9_-]{22}"$/),
      project: { id: app.project.id, slug: 'test' },
      domain: { name: 'shop.example', known: true, verified: false },
      flags: {
        errors: true,
        envelope: true,
        bug_reports: true,
        source_maps: true,
        releases: true,
        test_runs: true,
        sampling: 1,
      },
      stats: {
        events_total: 0,
        events_24h: 0,
        issues_open: 0,
        first_event_at: null,
        last_event_at: null,
        last_event_id: null,
        sdk_first_seen_at: '2026-11-21T12:00:00.000Z',
        sdk_last_seen_at: '2026-11-21T12:00:00.000Z',
        sdks: [
          {
            ...sdk,
            events: 0,
            first_seen_at: '2026-11-21T12:00:00.000Z',
            last_seen_at: '2026-11-21T12:00:00.000Z',
          },
        ],
        verifications: 1,
        hours: [],
      },
      checks: [
        { code: 'origin_matches_domain', ok: true },
        { code: 'domain_known', ok: true },
        { code: 'sdk_version_supported', ok: true },
        { code: 'event_received', ok: null },
      ],
    });
  });

  it('says what is wrong', async () => {
    const elsewhere = await verify({ url: 'https://other.example/' });
    expect(checksOf(elsewhere.body)).toMatchObject({ origin_matches_domain: false, domain_known: true });
    expect(elsewhere.body.verified).toBe(false);
    const unknown = await verify({}, { Origin: 'https://evil.example' });
    expect(unknown).toHaveStatus(200);
    expect(unknown.body).toMatchObject({ verified: false, domain: { name: 'evil.example', known: false } });
    expect(unknown.body.flags).toMatchObject({ errors: true, bug_reports: false });
    const odd = await verify({ sdk: { name: 'x', version: 'latest' } });
    expect(checksOf(odd.body)).toMatchObject({ sdk_version_supported: false });
    const old = await verify({ sdk: { name: 'sentry.javascript.browser', version: '5.30.0' } });
    expect(checksOf(old.body)).toMatchObject({ sdk_version_supported: false });
  });

  it('says whether an event arrived', async () => {
    const eventId = 'a'.repeat(32);
    expect(checksOf((await verify({ event_id: eventId })).body)['event_received']).toBe(false);
    await app.post('/store', { message: 'Boom', platform: 'javascript', event_id: eventId });
    expect(checksOf((await verify({ event_id: eventId.toUpperCase() })).body)['event_received']).toBe(true);
    const other = await app.addProject('other');
    const theirs = await verify({ event_id: eventId }, { Origin: origin, 'X-Notifier-Key': other.publicKey });
    expect(checksOf(theirs.body)['event_received']).toBe(false);
  });

  it('says whether the domain is verified', async () => {
    await app.deps.store.insertDomainVerification(
      {
        id: 'dv_x',
        projectId: app.project.id,
        domain: 'shop.example',
        scope: 'host',
        method: 'any',
        label: null,
        token: 'x',
        tokenIssuedAtMs: 0,
        status: 'verified',
        createdAtMs: 0,
        expiresAtMs: null,
        verifiedAtMs: 1,
        verifiedBy: 'dns_txt',
        lastCheckedAtMs: 1,
        nextCheckAtMs: null,
        failures: 0,
        failingSinceMs: null,
        lastError: null,
      },
      { proofsMax: 1 },
    );
    expect((await verify()).body.domain).toMatchObject({ verified: true, verification_id: 'dv_x' });
  });
});

describe('the switches', () => {
  it('are those that /feedback obeys', async () => {
    const reported = async () =>
      (await app.post('/feedback', { message: 'x' }, { 'X-Notifier-Key': app.publicKey, Origin: origin }))
        .status;
    for (const bugReports of [false, true, false]) {
      await app.postSecret('/domains/1', { bug_reports: bugReports });
      expect((await verify()).body.flags.bug_reports).toBe(bugReports);
      expect(await reported()).toBe(bugReports ? 201 : 403);
    }
  });

  it('give errors and sampling of the domain', async () => {
    await app.postSecret('/domains/1', { errors: false, sampling: 0.5 });
    expect((await verify()).body.flags).toMatchObject({ errors: false, envelope: false, sampling: 0.5 });
  });
});

describe('the statistics', () => {
  it('name the SDK that just sent, in the project of the key only', async () => {
    const other = await app.addProject('other');
    await app.post(
      '/store',
      { message: 'Theirs', platform: 'php', sdk: { name: 'their.sdk', version: '9' } },
      { 'X-Notifier-Key': other.publicKey },
    );
    await app.post(
      '/store',
      {
        message: 'Boom',
        platform: 'javascript',
        event_id: 'b'.repeat(32),
        sdk: { name: 'sentry.javascript.browser', version: '11.12.0' },
      },
      { 'X-Notifier-Key': app.publicKey, Origin: origin },
    );
    app.advance(61_000);
    const { stats } = (await verify()).body;
    expect(stats).toMatchObject({
      events_total: 1,
      events_24h: 1,
      issues_open: 1,
      first_event_at: '2026-11-21T12:00:00.000Z',
      last_event_id: 'b'.repeat(32),
      sdk_first_seen_at: '2026-11-21T12:01:00.000Z',
    });
    expect(stats.sdks).toContainEqual({
      name: 'sentry.javascript.browser',
      version: '11.12.0',
      events: 1,
      first_seen_at: '2026-11-21T12:00:00.000Z',
      last_seen_at: '2026-11-21T12:00:00.000Z',
    });
    expect(JSON.stringify(stats)).not.toContain('their.sdk');
  });
});

describe('a repeated request', () => {
  it('gets a short answer without a change, and a full one after a switch changed', async () => {
    const first = await verify();
    const { etag } = first.body;
    expect(first.headers['etag']).toBe(etag);
    app.advance(600_000);
    const unchanged = await verify({}, { Origin: origin, 'If-None-Match': etag });
    expect(unchanged).toHaveStatus(304);
    expect(unchanged.text).toBe('');
    const short = await verify({ etag });
    expect(short).toHaveStatus(200);
    expect(short.body).toMatchObject({ accepted: true, verified: true, not_modified: true, ttl: 300, etag });
    expect(short.body).not.toHaveProperty('flags');
    await app.postSecret('/domains/1', { bug_reports: false });
    const changed = await verify({ etag }, { Origin: origin, 'If-None-Match': `"x", ${etag}` });
    expect(changed).toHaveStatus(200);
    expect(changed.body.flags.bug_reports).toBe(false);
    expect(changed.body.etag).not.toBe(etag);
  });
});

describe('what is refused', () => {
  itForAll(
    [
      [{ sdk: undefined }, 'rest_missing_callback_param', ['sdk']],
      [{ sdk: 'x' }, 'rest_invalid_param', { sdk: expect.any(String) }],
      [{ sdk: { name: 'x' } }, 'rest_invalid_param', { sdk: expect.any(String) }],
      [{ sdk: { name: '', version: '1' } }, 'rest_invalid_param', { sdk: expect.any(String) }],
      [{ sdk: { name: 'x'.repeat(65), version: '1' } }, 'rest_invalid_param', { sdk: expect.any(String) }],
      [{ url: 'about:blank' }, 'rest_invalid_param', { url: expect.any(String) }],
      [{ domain: 'a b' }, 'rest_invalid_param', { domain: expect.any(String) }],
      [{ event_id: 'x' }, 'rest_invalid_param', { event_id: expect.any(String) }],
    ],
    'is an invalid field',
    async (body, code, params) => {
      const answer = await verify(body);
      expect(answer).toHaveStatus(400);
      expect(answer.body.code).toBe(code);
      expect(answer.body.data.params).toEqual(params);
    },
  );

  it('is a request without a page', async () => {
    const answer = await verify({}, {});
    expect(answer.body).toMatchObject({ code: 'rest_missing_callback_param', data: { params: ['url'] } });
  });

  it('is a body over 1 MiB, and a missing key', async () => {
    expect((await verify({ extra: 'x'.repeat(1_153_434) })).body.code).toBe('rest_payload_too_large');
    expect(await app.post('/sdk-verify', { sdk }, { Origin: origin })).toHaveStatus(401);
  });
});
