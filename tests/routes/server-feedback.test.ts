// Bug reports that name no page, as servers send them: the event that they name decides.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
/** Called in place of the time that a report waits for its event. */
let whileWaiting: (ms: number) => Promise<unknown> = async () => {};
let quiet: { publicKey: string; secretKey: string };
let program: { publicKey: string; secretKey: string };
const events: Record<string, string> = {};

const newId = () => randomBytes(16).toString('hex');

beforeAll(async () => {
  const deps = { sleep: (ms: number) => whileWaiting(ms) };
  app = await openTestApp({ domains: ['shop.example'], deps });
  await app.deps.store.changeProject(app.project.id, { bugReports: false });
  await app.postSecret('/domains', { domain: 'off.example' });
  await app.postSecret('/domains', {
    domain: '*.wide.example',
    bug_reports: true,
    allowed_origins: ['https://app.elsewhere.example:8443'],
  });
  const silent = await app.addProject('quiet');
  await app.deps.store.changeProject(silent.project.id, { bugReports: false });
  quiet = silent;
  program = await app.addProject('program');
  for (const host of [
    'shop.example',
    'off.example',
    'a.wide.example',
    'app.elsewhere.example',
    'stranger.example',
  ]) {
    events[host] = await storeEvent(`https://${host}`);
  }
  events['none'] = await storeEvent(null);
});
afterAll(() => app.close());

async function storeEvent(origin: string | null, key = app.publicKey): Promise<string> {
  const event_id = newId();
  const headers = { 'X-Notifier-Key': key, ...(origin === null ? {} : { Origin: origin }) };
  const answer = await app.post('/store', { message: 'Boom', platform: 'node', event_id }, headers);
  expect(answer).toHaveStatus(201);
  return event_id;
}

const report = (event_id: string | undefined, more: object = {}, key = app.publicKey) =>
  app.post('/feedback', { message: 'It broke', event_id, ...more }, { 'X-Notifier-Key': key });

function envelope(header: object, ...items: ReadonlyArray<readonly [string, object]>): string {
  const lines = items.flatMap(([type, payload]) => [JSON.stringify({ type }), JSON.stringify(payload)]);
  return `${[JSON.stringify(header), ...lines].join('\n')}\n`;
}

const send = (body: string, key = app.publicKey) =>
  app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': key, 'Content-Type': 'application/x-sentry-envelope' })
    .send(body);

const stored = async (id: number) => (await app.get(`/feedback/${id}`)).body;
const count = async () => Number((await app.get('/feedback')).headers['x-wp-total']);

describe('a report that names an event and no page', () => {
  it.each([
    ['shop.example', 'shop.example'],
    ['a.wide.example', '*.wide.example'],
    ['app.elsewhere.example', '*.wide.example'],
    ['none', null],
  ])('is accepted for an event from %s, with the domain %s', async (host, domain) => {
    const answer = await report(events[host]);
    expect([answer.status, answer.body.event_id]).toEqual([201, events[host]]);
    expect(answer.body.issue_id).toEqual(expect.any(Number));
    expect(await stored(answer.body.feedback_id)).toMatchObject({ domain, event_id: events[host] });
  });

  it.each([
    ['off.example', 'bug_reports_disabled'],
    ['stranger.example', 'unknown_domain'],
  ])('is refused for an event from %s: %s', async (host, reason) => {
    const before = await count();
    const answer = await report(events[host]);
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([
      403,
      'rest_forbidden',
      { status: 403, reason },
    ]);
    expect(await count()).toBe(before);
  });

  it('is refused for an event without a domain if no domain accepts reports', async () => {
    const headers = { Authorization: `Bearer ${quiet.secretKey}`, 'Content-Type': 'application/json' };
    const add = (body: object) =>
      app.agent.post('/wp-json/notifier/v1/domains').set(headers).send(JSON.stringify(body));
    const event_id = await storeEvent(null, quiet.publicKey);
    const refused = await report(event_id, {}, quiet.publicKey);
    expect([refused.status, refused.body.data.reason]).toEqual([403, 'bug_reports_disabled']);
    await add({ domain: 'one.example' });
    expect(await report(event_id, {}, quiet.publicKey)).toHaveStatus(403);
    await add({ domain: 'two.example', bug_reports: true });
    expect(await report(event_id, {}, quiet.publicKey)).toHaveStatus(201);
  });

  it('may arrive before its event', async () => {
    const event_id = newId();
    whileWaiting = () => app.post('/store', { message: 'Late', platform: 'node', event_id }).expect(201);
    const early = await report(event_id);
    whileWaiting = async () => {};
    expect(early).toHaveStatus(201);
    expect(await stored(early.body.feedback_id)).toMatchObject({ event_id, issue_id: expect.any(Number) });
  });

  it('is refused for an unknown event, also of another project', async () => {
    const others = await storeEvent('https://shop.example', quiet.publicKey);
    for (const id of [newId(), others]) {
      const answer = await report(id);
      expect([answer.status, answer.body.data.reason]).toEqual([403, 'bug_reports_disabled']);
    }
  });

  it('follows the rule of its page if it names one, whatever the event', async () => {
    for (const page of [{ url: 'https://stranger.example/' }, { domain: 'stranger.example' }]) {
      expect(await report(events['shop.example'], page)).toHaveStatus(403);
    }
    const headers = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
    const body = { message: 'x', event_id: events['off.example'] };
    expect(await app.post('/feedback', body, headers)).toHaveStatus(201);
    expect((await app.post('/feedback', body, { ...headers, Origin: 'https://off.example' })).status).toBe(
      403,
    );
    const referer = { 'X-Notifier-Key': app.publicKey, Referer: 'https://stranger.example/x' };
    expect((await app.post('/feedback', { message: 'x', event_id: events['none'] }, referer)).status).toBe(
      403,
    );
  });

  it('has no page if its fields are empty', async () => {
    expect(await report(events['shop.example'], { url: '', domain: ' ' })).toHaveStatus(201);
  });

  it('is refused if it names neither and the project accepts no reports of apps', async () => {
    const answer = await report(undefined);
    expect([answer.status, answer.body.data.reason]).toEqual([403, 'bug_reports_disabled']);
  });

  it('is listed with the others, and filtered by an empty domain', async () => {
    const domains = async (query: string) =>
      ((await app.get(`/feedback?per_page=100${query}`)).body as Array<{ domain: string | null }>).map(
        (each) => each.domain,
      );
    expect(await domains('')).toContain(null);
    expect(new Set(await domains('&domain='))).toEqual(new Set([null]));
    expect(new Set(await domains('&domain=shop.example'))).toEqual(new Set(['shop.example']));
  });
});

describe('a report of an app, which has no page', () => {
  const item = (feedback: object) =>
    envelope({ event_id: newId() }, ['feedback', { event_id: newId(), contexts: { feedback } }]);
  const listed = async () => {
    const headers = { Authorization: `Bearer ${program.secretKey}` };
    const { body } = await app.agent.get('/wp-json/notifier/v1/feedback?per_page=100').set(headers);
    return (body as Array<{ message: string; domain: string | null; event_id: string | null }>).map(
      ({ message, domain, event_id }) => ({ message, domain, event_id }),
    );
  };

  it('is accepted with and without an error, at every endpoint', async () => {
    const lost = newId();
    const eventId = await storeEvent(null, program.publicKey);
    const answers = await Promise.all([
      app.post('/feedback', { message: 'by the form' }, { 'X-Notifier-Key': program.publicKey }),
      send(item({ message: 'by captureFeedback', contact_email: 'ada@example.com' }), program.publicKey),
      send(item({ message: 'with its error', associated_event_id: eventId }), program.publicKey),
      send(item({ message: 'with an error that was lost', associated_event_id: lost }), program.publicKey),
      send(item({ message: 'from a window', url: 'app:///index.html' }), program.publicKey),
      send(envelope({}, ['user_report', { comments: 'as of old', event_id: eventId }]), program.publicKey),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const kept = await listed();
    expect(kept).toHaveLength(answers.length);
    for (const [message, event_id] of [
      ['by the form', null],
      ['by captureFeedback', null],
      ['with its error', eventId],
      ['with an error that was lost', lost],
      ['from a window', null],
      ['as of old', eventId],
    ]) {
      expect(kept).toContainEqual({ message, domain: null, event_id });
    }
  });

  it('follows the rule of domains with an Origin, a Referer, a URL or a domain', async () => {
    const key = { 'X-Notifier-Key': program.publicKey };
    const refused = [
      await app.post('/feedback', { message: 'x' }, { ...key, Origin: 'https://stranger.example' }),
      await app.post('/feedback', { message: 'x' }, { ...key, Origin: 'null' }),
      await app.post('/feedback', { message: 'x' }, { ...key, Referer: 'https://stranger.example/a' }),
      await app.post('/feedback', { message: 'x', url: 'https://stranger.example/a' }, key),
      await app.post('/feedback', { message: 'x', domain: 'stranger.example' }, key),
      await send(item({ message: 'x', url: 'https://stranger.example/a' }), program.publicKey),
    ];
    for (const { status, body } of refused) {
      expect([status, body.data]).toEqual([403, { status: 403, reason: 'unknown_domain' }]);
    }
    const from = await app.post(
      '/store',
      { message: 'Boom', platform: 'node' },
      { ...key, Origin: 'https://stranger.example' },
    );
    const answer = await report(from.body.event_id, {}, program.publicKey);
    expect([answer.status, answer.body.data.reason]).toEqual([403, 'unknown_domain']);
  });

  it('is refused where the switch of the project is off', async () => {
    const answer = await send(item({ message: 'x' }), quiet.publicKey);
    expect([answer.status, answer.body.data]).toEqual([403, { status: 403, reason: 'bug_reports_disabled' }]);
  });
});

describe('bug reports of servers in envelopes', () => {
  const words = { name: 'Ada', email: 'ada@example.com', comments: 'It broke' };
  const associated = (event_id: string | undefined, message: string) =>
    [
      'feedback',
      { event_id: newId(), contexts: { feedback: { message, associated_event_id: event_id } } },
    ] as const;

  it.each([
    ['in its payload', (id: string) => envelope({}, ['user_report', { ...words, event_id: id }])],
    ['in the header alone', (id: string) => envelope({ event_id: id }, ['user_report', words])],
    [
      'with dashes and capitals, as old kits write it',
      (id: string) => {
        const parts = [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)];
        return envelope({}, ['user_report', { ...words, event_id: parts.join('-').toUpperCase() }]);
      },
    ],
    ['as a feedback item', (id: string) => envelope({}, associated(id, `Of ${id}`))],
  ])('a report that names its event %s is stored', async (_how, bodyOf) => {
    const id = await storeEvent('https://shop.example');
    const answer = await send(bodyOf(id));
    expect([answer.status, answer.body.event_id]).toEqual([201, id]);
    expect(await stored(answer.body.feedback_id)).toMatchObject({ domain: 'shop.example', event_id: id });
    const refused = await send(bodyOf(await storeEvent('https://off.example')));
    expect([refused.status, refused.body.data]).toEqual([
      403,
      { status: 403, reason: 'bug_reports_disabled' },
    ]);
  });

  it('is stored with its event in one envelope, in any order of the items', async () => {
    for (const reverse of [false, true]) {
      for (const kind of ['user_report', 'feedback', 'feedback that names none'] as const) {
        const id = newId();
        const event = ['event', { event_id: id, message: `Boom ${kind} ${reverse}` }] as const;
        const other =
          kind === 'user_report'
            ? (['user_report', { ...words, comments: id }] as const)
            : associated(kind === 'feedback' ? id : undefined, id);
        const items = reverse ? [other, event] : [event, other];
        const answer = await send(envelope({}, ...items));
        expect([kind, answer.status, answer.body.event_id]).toEqual([kind, 201, id]);
        expect([kind, await stored(answer.body.feedback_id)]).toMatchObject([
          kind,
          { event_id: id, domain: null, issue_id: answer.body.issue_id },
        ]);
      }
    }
  });

  describe('a report made while a server answers a request', () => {
    const made = (eventId: string | undefined, requestUrl: string, pageUrl?: string) =>
      send(
        envelope({}, [
          'feedback',
          {
            event_id: newId(),
            platform: 'node',
            request: { url: requestUrl },
            contexts: { feedback: { message: 'It broke', associated_event_id: eventId, url: pageUrl } },
          },
        ]),
      );
    const inside = 'http://shop-api:3000/cart';

    it('belongs to its event, and keeps the URL of the request', async () => {
      const answer = await made(events['none'], inside);
      expect(answer).toHaveStatus(201);
      expect(await stored(answer.body.feedback_id)).toMatchObject({
        event_id: events['none'],
        domain: null,
        url: inside,
      });
      const refused = await made(events['off.example'], 'https://shop.example/cart');
      expect([refused.status, refused.body.data?.reason]).toEqual([403, 'bug_reports_disabled']);
    });

    it('belongs to its page first', async () => {
      const answer = await made(undefined, inside, 'https://shop.example/cart');
      expect(answer).toHaveStatus(201);
      expect(await stored(answer.body.feedback_id)).toMatchObject({
        domain: 'shop.example',
        url: 'https://shop.example/cart',
      });
    });

    it('belongs to the requested host if it names no page and no known event', async () => {
      const tell = async (eventId: string | undefined): Promise<void> => {
        const [outside, within] = await Promise.all([
          made(eventId, 'https://shop.example/cart'),
          made(eventId, inside),
        ]);
        expect([eventId, outside.status]).toEqual([eventId, 201]);
        expect(within.body.data?.reason).toBe('unknown_domain');
      };
      await Promise.all([tell(undefined), tell(newId())]);
    });
  });

  it('counts as filtered when refused, with the reason', async () => {
    const answer = await send(
      envelope(
        {},
        ['user_report', { ...words, event_id: events['off.example'] }],
        ['event', { message: 'x' }],
      ),
    );
    expect([answer.status, answer.body.items, answer.body.skipped, answer.body.errors]).toEqual([
      201,
      { event: 1 },
      { user_report: 1 },
      [{ type: 'rest_forbidden', name: 'user_report' }],
    ]);
  });
});
