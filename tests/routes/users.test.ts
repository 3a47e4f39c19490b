import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finishBackgroundWork } from '../../src/core/issues/background-work.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

let app: TestApp;
let elsewhere: Awaited<ReturnType<TestApp['addProject']>>;
let issueId: number;

const renske = {
  id: '84213',
  email: 'Renske@northwind.example',
  username: 'renske',
  name: 'Renske de Vries',
  ip_address: '203.0.113.77',
};
const event = (message: string, user: object, more: object = {}) => ({
  message,
  platform: 'javascript',
  release: 'shop-web@4.18.0',
  contexts: { browser: { name: 'Firefox', version: '133.0' } },
  user,
  ...more,
});

beforeAll(async () => {
  app = await openTestApp({ domains: ['shop.example'] });
  elsewhere = await app.addProject('elsewhere');
  const first = await app.post('/store', event('Cart broke', renske));
  issueId = first.body.issue_id;
  app.advance(1_000);
  const { email: _later, ...withoutMail } = renske;
  await app.post('/store', event('Cart broke', withoutMail));
  await app.post('/store', event('Cart broke', { id: '7', username: 'other' }));
  await app.post('/store', event('Anonymous', { ip_address: '198.51.100.4' }));
  await app.post('/store', event('Elsewhere', renske), { 'X-Notifier-Key': elsewhere.publicKey });
  const shop = { 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' };
  await app.post('/feedback', { message: 'About the event', event_id: first.body.event_id }, shop);
  await app.post('/feedback', { message: 'By address', email: 'renske@NORTHWIND.example' }, shop);
  await app.post('/feedback', { message: 'Of another', email: 'x@northwind.example' }, shop);
});
afterAll(() => app.close());

const find = (query: string) => app.get(`/users?query=${encodeURIComponent(query)}`);
const hashOf = async (query: string): Promise<string> => (await find(query)).body[0].user_hash;

describe('GET /users', () => {
  const cases = [
    ['an id', '84213'],
    ['an e-mail address in other case', 'RENSKE@northwind.example'],
    ['a user name', 'Renske'],
    ['a name', 'renske DE vries'],
    ['a key of the search', 'user.email:renske@northwind.example'],
    ['quoted text', 'user.username:"Renske de Vries"'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('%s', async (_what, query) => {
    const answer = await find(query);
    expect(answer).toHaveStatus(200);
    expect(answer.headers['x-wp-total']).toBe('1');
    expect(answer.body).toEqual([
      {
        user_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
        id: '84213',
        email: 'Renske@northwind.example',
        username: 'renske',
        name: 'Renske de Vries',
        ip_address: null,
        events: 2,
        events_capped: false,
        first_seen: '2026-11-21T12:00:00.000Z',
        last_seen: '2026-11-21T12:00:01.000Z',
      },
    ]);
  });

  it('an IP address finds users that send nothing else', async () => {
    expect((await find('198.51.100.4')).body).toMatchObject([{ id: null, events: 1 }]);
  });

  it.each(['8421', 'northwind.example', 'user.id:renske', 'user.ip:84213'])(
    '%s finds nobody',
    async (query) => {
      const answer = await find(query);
      expect(answer).toHaveStatus(200);
      expect(answer.body).toEqual([]);
    },
  );

  it('needs a query of at most 300 characters', async () => {
    expect(await app.get('/users')).toHaveStatus(400);
    expect(await find('x'.repeat(301))).toHaveStatus(400);
  });

  it('refuses a public key', async () => {
    const answer = await app.agent
      .get('/wp-json/notifier/v1/users?query=84213')
      .set('X-Notifier-Key', app.publicKey);
    expect(answer).toHaveStatus(401);
  });
});

describe('GET /users/{user_hash}', () => {
  it('has the issues, latest events, feedback and properties of a user', async () => {
    const answer = await app.get(`/users/${await hashOf('84213')}`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({
      id: '84213',
      issues: [{ issue_id: issueId, events: 3, users: 2, user_events: 2 }],
      issues_total: 1,
      latest_events: [{ title: 'Cart broke' }, { title: 'Cart broke' }],
      seen_with: {
        of_events: 2,
        browser: [{ value: 'Firefox 133', events: 2 }],
        release: [{ value: 'shop-web@4.18.0', events: 2 }],
      },
    });
    expect(answer.body.feedback.map(({ message }: { message: string }) => message).sort()).toEqual([
      'About the event',
      'By address',
    ]);
    expect(answer.body.days).toHaveLength(30);
    expect(answer.body.days.at(-1)).toEqual({ from: '2026-11-21T00:00:00.000Z', events: 2 });
  });
});

describe('export and erasure', () => {
  it('need their scopes', async () => {
    const hash = await hashOf('84213');
    const readKey = (await createKey(app.deps, app.project.id, 'secret', { scopes: ['read'] })).text;
    const asReader = { Authorization: `Bearer ${readKey}` };
    const path = `/wp-json/notifier/v1/users/${hash}`;
    expect(await app.agent.delete(path).set(asReader)).toHaveStatus(403);
    expect(await app.agent.get(`${path}/export`).set(asReader)).toHaveStatus(200);
    expect(await app.get(`/users/${hash}/export?before=x`)).toHaveStatus(400);
  });

  it('an export has the stored events in full, and the feedback', async () => {
    const { body } = await app.get(`/users/${await hashOf('84213')}/export`);
    expect(body).toMatchObject({
      user: { id: '84213', events: 2 },
      events: [{ user: { id: '84213' } }, { user: { email: renske.email } }],
      next: null,
    });
    expect(body.feedback).toHaveLength(2);
    const rest = await app.get(`/users/${await hashOf('84213')}/export?before=${app.deps.now()}-1`);
    expect(rest.body).toMatchObject({ events: [{ user: { email: renske.email } }], feedback: [] });
  });

  it("erases only the user of the key's project", async () => {
    const hash = await hashOf('84213');
    expect(await app.deleteSecret(`/users/${hash}`)).toHaveStatus(200);
    await finishBackgroundWork(app.deps, () => false);
    expect(await app.get(`/users/${hash}`)).toHaveStatus(404);
    expect((await app.get(`/issues/${issueId}`)).body).toMatchObject({ events: 3, users: 2 });
    const answer = await app.agent
      .get('/wp-json/notifier/v1/users?query=84213')
      .set('Authorization', `Bearer ${elsewhere.secretKey}`);
    expect(answer.body).toMatchObject([{ id: '84213', events: 1 }]);
  });
});

describe('GET /issues/{id}/tags', () => {
  it('lists the tags of an issue and of those merged into it, most events first', async () => {
    const send = async (message: string, shelf: string): Promise<number> =>
      (await app.post('/store', { message, level: 'error', tags: { shelf } })).body.issue_id;
    const first = await send('Shelf broke', 'north');
    await send('Shelf broke', 'south');
    app.advance(1_000);
    const other = await send('Rack broke', 'north');
    expect(await app.postSecret(`/issues/${first}`, { merge: [other] })).toHaveStatus(200);
    const answer = await app.get(`/issues/${first}/tags`);
    expect(answer).toHaveStatus(200);
    const shelf = answer.body.find(({ tag }: { tag: string }) => tag === 'shelf');
    expect(shelf).toMatchObject({ events: 3, values: [{ value: 'north', events: 2 }, { value: 'south' }] });
    expect(Date.parse(shelf.values[0].last_seen)).toBe(app.deps.now());
    expect(await app.get('/issues/999999/tags')).toHaveStatus(404);
  });
});

describe('GET /issues/{id}/users', () => {
  it('lists the users of an issue and of those merged into it, seen last first, each once', async () => {
    const send = async (message: string, id: string): Promise<number> =>
      (await app.post('/store', event(message, { id, email: `${id}@shop.example` }))).body.issue_id;
    const first = await send('Stock broke', 'ada');
    await send('Stock broke', 'eve');
    app.advance(1_000);
    const other = await send('Depot broke', 'ada');
    expect(await app.postSecret(`/issues/${first}`, { merge: [other] })).toHaveStatus(200);
    const answer = await app.get(`/issues/${first}/users`);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject([
      { id: 'ada', email: 'ada@shop.example', user_hash: await hashOf('ada'), ip_address: null, events: 2 },
      { id: 'eve', user_hash: await hashOf('eve'), events: 1 },
    ]);
    expect(Date.parse(answer.body[0].last_seen)).toBe(app.deps.now());
    const second = await app.get(`/issues/${first}/users?per_page=1&page=2`);
    expect([second.body.length, second.body[0].id, second.headers['x-wp-total']]).toEqual([1, 'eve', '2']);
    expect(await app.get('/issues/999999/users')).toHaveStatus(404);
  });
});
