import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { itForAll } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

let app: TestApp;
const open = async (): Promise<void> => {
  app = await openTestApp();
};
const openWithOne = async (): Promise<void> => {
  await open();
  await app.postSecret('/monitors', page);
};
const close = (): Promise<void> => app.close();

const url = 'https://shop.example/health?token=s3cret';
const page = { type: 'http', name: 'Front page', url };

describe('creating a monitor', () => {
  beforeEach(open);
  afterEach(close);

  it('answers 201 with the defaults, and hides the query string', async () => {
    const made = await app.postSecret('/monitors', page);
    expect([made.status, made.body]).toEqual([
      201,
      {
        accepted: true,
        monitor_id: 1,
        slug: 'front-page',
        name: 'Front page',
        type: 'http',
        target: 'https://shop.example/health?••••',
        expects: '200-299 within 10 s',
        interval: 60,
        timeout: 10,
        confirmations: 2,
        slow_ms: 0,
        certificate_days: 14,
        opens_incidents: true,
        group: '',
        tags: [],
        goal: 99.9,
        state: 'pending',
        state_since: '2026-11-21T12:00:00.000Z',
        paused_until: null,
        reason: '',
        last_check: null,
        next_check_at: '2026-11-21T12:00:00.000Z',
        certificate_ends_at: null,
        median_ms: null,
        p95_ms: null,
        created_at: '2026-11-21T12:00:00.000Z',
        created_by: expect.stringMatching(/…/),
      },
    ]);
    const { accepted: _accepted, ...view } = made.body;
    expect((await app.get('/monitors/1')).body).toEqual(view);
    const listed = await app.get('/monitors?search=FRONT');
    expect([listed.headers['x-wp-total'], listed.body]).toEqual(['1', [view]]);
    expect(JSON.stringify(await app.deps.store.listAudit(wholeAudit, slice))).not.toContain('s3cret');
  });

  const cases = [
    [
      { type: 'tcp', name: 'Mail', host: 'mail.example', port: 25 },
      'mail.example:25',
      'a connection within 10 s',
    ],
    [{ type: 'tcp', name: 'Mail', host: 'mail.example:25' }, 'mail.example:25', 'a connection within 10 s'],
    [{ type: 'tcp', name: 'Last', host: 'a.example:65535' }, 'a.example:65535', 'a connection within 10 s'],
    [
      { type: 'tcp', name: 'Last', host: 'a.example', port: 65_535 },
      'a.example:65535',
      'a connection within 10 s',
    ],
    [
      { type: 'tcp', name: 'Six', host: '[2606:4700::1]:443', timeout: 5 },
      '[2606:4700::1]:443',
      'a connection within 5 s',
    ],
    [
      { type: 'tcp', name: 'Six', host: '2606:4700::1', port: 443 },
      '[2606:4700::1]:443',
      'a connection within 10 s',
    ],
    [
      { ...page, type: 'keyword', contains: 'Total', slow_ms: 1500 },
      'https://shop.example/health?••••',
      '200-299, “Total” on the page within 1.5 s',
    ],
    [
      { ...page, status: '200, 302', json_path: '/ok', json_value: 'true' },
      'https://shop.example/health?••••',
      '200 or 302, “true” at /ok within 10 s',
    ],
    [{ ...page, status: '2xx, 401' }, 'https://shop.example/health?••••', '200-299 or 401 within 10 s'],
    [
      { ...page, redirect: 'https://b.example/?x=1' },
      'https://shop.example/health?••••',
      'a redirect to https://b.example/?•••• within 10 s',
    ],
    [
      {
        type: 'dns',
        name: 'Mail records',
        host: 'Shop.example.',
        record: 'MX',
        answers: '10 mx1, 20 MX2.',
      },
      'shop.example MX',
      '10 mx1 and 20 mx2 within 10 s',
    ],
    [
      { type: 'dns', name: 'Policy', host: '_dmarc.shop.example', record: 'TXT' },
      '_dmarc.shop.example TXT',
      'an answer within 10 s',
    ],
    [
      { type: 'tls', name: 'Certificate', host: 'shop.example' },
      'shop.example',
      'a good certificate, 14 days left, within 10 s',
    ],
    [
      { type: 'tls', name: 'Certificate', host: 'shop.example:993', certificate_days: 0 },
      'shop.example:993',
      'a good certificate within 10 s',
    ],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('accepts %j', async (body, target, expects) => {
    const made = await app.postSecret('/monitors', body);
    expect([made.status, made.body.target, made.body.expects]).toEqual([201, target, expects]);
  });

  it('gives each a unique name', async () => {
    const slugs: string[] = [];
    for (const name of ['Front page', 'front  PAGE!', 'Façade', '✓', 'New', 'front-page']) {
      slugs.push((await app.postSecret('/monitors', { ...page, name })).body.slug);
    }
    expect(slugs).toEqual(['front-page', 'front-page-2', 'facade', 'monitor', 'monitor-2', 'front-page-3']);
  });
});

describe('an invalid monitor', () => {
  beforeAll(open);
  afterAll(close);

  itForAll(
    [
      ['type', { ...page, type: 'carrier-pigeon' }],
      ['name', { ...page, name: ' \u0000 ' }],
      ['url', { ...page, url: 'ftp://a.example/' }],
      ['url', { ...page, url: 'https://user:secret@a.example/' }],
      ['url', { ...page, url: 'https://a.example/#top' }],
      ['url', { type: 'tcp', name: 'a', host: 'a.example:1', url }],
      ['host', { ...page, host: 'a.example' }],
      ['host', { type: 'tcp', name: 'a', host: 'a b', port: 1 }],
      ['host', { type: 'tcp', name: 'a', host: '*.example', port: 1 }],
      ['host', { type: 'tcp', name: 'a', host: 'a.example:65536' }],
      ['host', { type: 'tcp', name: 'a', host: 'a.example:100000' }],
      ['port', { type: 'tcp', name: 'a', host: 'a.example:1', port: 2 }],
      ['port', { type: 'tcp', name: 'a', host: 'a.example', port: 65_536 }],
      ['host', { type: 'dns', name: 'a', host: '192.0.2.1', record: 'A' }],
      ['host', { type: 'dns', name: 'a', host: 'a.example:53', record: 'A' }],
      ['record', { type: 'dns', name: 'a', host: 'a.example', record: 'ANY' }],
      ['record', { type: 'tls', name: 'a', host: 'a.example', record: 'A' }],
      ['port', { type: 'dns', name: 'a', host: 'a.example', record: 'A', port: 53 }],
      ['answers', { ...page, answers: '192.0.2.1' }],
      ['certificate_days', { type: 'dns', name: 'a', host: 'a.example', record: 'A', certificate_days: 3 }],
      ['interval', { ...page, interval: 9 }],
      ['interval', { ...page, interval: 'often' }],
      ['timeout', { ...page, interval: 10, timeout: 11 }],
      ['timeout', { ...page, timeout: 31 }],
      ['confirmations', { ...page, confirmations: 0 }],
      ['status', { ...page, status: '6xx' }],
      ['status', { ...page, status: '20x' }],
      ['status', { ...page, status: '2xx-3xx' }],
      ['status', { ...page, status: '300-200' }],
      ['json_path', { ...page, json_path: 'status' }],
      ['redirect', { ...page, redirect: 'javascript:alert(1)' }],
      ['redirect', { ...page, redirect: 'https://b.example/', contains: 'a' }],
      ['tags', { ...page, tags: ['a'.repeat(51)] }],
      ['goal', { ...page, goal: 101 }],
    ],
    'refuses what is wrong',
    async (field, body) => {
      const refused = await app.postSecret('/monitors', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
      expect(Object.keys(refused.body.data.params)).toEqual([field]);
      expect((await app.get('/monitors')).body).toEqual([]);
    },
  );

  itForAll(
    [
      ['url', { type: 'http', name: 'a' }],
      ['host', { type: 'tcp', name: 'a' }],
      ['port', { type: 'tcp', name: 'a', host: 'a.example' }],
      ['contains', { ...page, type: 'keyword' }],
      ['host', { type: 'dns', name: 'a', record: 'A' }],
      ['record', { type: 'dns', name: 'a', host: 'a.example' }],
      ['host', { type: 'tls', name: 'a' }],
    ],
    'names what is missing',
    async (field, body) => {
      const refused = await app.postSecret('/monitors', body);
      expect([refused.status, refused.body.code, refused.body.data.params]).toEqual([
        400,
        'rest_missing_callback_param',
        [field],
      ]);
    },
  );
});

const slice = { limit: 50 };

describe('an existing monitor', () => {
  beforeEach(openWithOne);
  afterEach(close);

  it('changes what is given, and nothing else', async () => {
    const before = (await app.get('/monitors/1')).body;
    const given = { interval: 30, tags: ['wake:yes', 'wake:yes', ' '], group: ' Shop ', goal: 99.95 };
    const changed = await app.postSecret('/monitors/1', given);
    const expected = { ...before, interval: 30, tags: ['wake:yes'], group: 'Shop', goal: 99.95 };
    expect([changed.status, changed.body]).toEqual([200, { accepted: true, ...expected }]);
    expect((await app.postSecret('/monitors/1', {})).body).toEqual({ accepted: true, ...expected });
  });

  it('is deleted, and answers what it was', async () => {
    const before = (await app.get('/monitors/1')).body;
    const deleted = await app.deleteSecret('/monitors/1');
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: true, previous: before }]);
    expect(await app.get('/monitors/1')).toHaveStatus(404);
  });

  it('is in the audit history, with each change', async () => {
    await app.postSecret('/monitors/1', { paused: true });
    await app.deleteSecret('/monitors/1');
    const rows = await app.deps.store.listAudit(wholeAudit, slice);
    expect(rows.map(({ action, objectName, summary }) => [action, objectName, summary])).toEqual([
      ['monitor.deleted', 'Front page', ''],
      ['monitor.changed', 'Front page', 'http https://shop.example/health?••••, each 60 s, paused'],
      ['monitor.created', 'Front page', 'http https://shop.example/health?••••, each 60 s'],
    ]);
  });
});

describe('an invalid change', () => {
  beforeAll(openWithOne);
  afterAll(close);

  it.each([
    ['paused_until', { paused_until: 'tomorrow' }],
    ['paused_until', { paused_until: '2026-11-21T11:00:00Z' }],
    ['paused_until', { paused: false, paused_until: '2026-12-01' }],
    ['timeout', { interval: 10, timeout: 20 }],
    ['host', { host: 'a.example' }],
  ])('is refused for a wrong %s: %j', async (field, body) => {
    const before = (await app.get('/monitors/1')).body;
    const refused = await app.postSecret('/monitors/1', { name: 'other', ...body });
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, [field]]);
    expect((await app.get('/monitors/1')).body).toEqual(before);
  });
});
