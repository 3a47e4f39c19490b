import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createKey, generateKey } from '../../src/core/projects/keys.ts';
import { openTestApp } from '../support/app.ts';
import { describeWithShared } from '../support/needs.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp();

const forbidden =
  '{"code":"rest_forbidden","message":"Sorry, you are not allowed to do that.","data":{"status":401}}';

async function eventsKept(): Promise<number> {
  const page = await app.deps.store.listIssues(app.project.id, {
    orderBy: 'id',
    descending: false,
    limit: 100,
    offset: 0,
  });
  return page.rows.reduce((sum, issue) => sum + issue.eventsCount, 0);
}

describe('an event', () => {
  it('is answered 201 with its ids, and 200 when repeated, counted once', async () => {
    const event = { event_id: 'A'.repeat(32), message: 'Twice sent', platform: 'php' };
    const first = await app.post('/store', event);
    expect(first).toHaveStatus(201);
    expect(first.headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(Object.keys(first.body)).toEqual([
      'accepted',
      'event_id',
      'issue_id',
      'id',
      'is_new',
      'is_regression',
    ]);
    expect(first.body).toMatchObject({
      accepted: true,
      event_id: 'a'.repeat(32),
      id: 'a'.repeat(32),
      is_new: true,
    });
    const again = await app.post('/store', { ...event, message: 'Another text under the same id' });
    expect(again).toHaveStatus(200);
    expect(again.body).toMatchObject({ duplicate: true, issue_id: first.body.issue_id, is_new: false });
    const issue = await app.deps.store.findIssue(app.project.id, first.body.issue_id);
    expect(issue?.eventsCount).toBe(1);
  });

  it('explains its grouping on request', async () => {
    const key = { 'X-Notifier-Key': app.publicKey, 'X-Notifier-Explain': '1' };
    const answer = await app.post('/store', { message: 'User 42 not found' }, key);
    expect(answer.body.grouping).toMatchObject({ algorithm: 'ng2', source: 'message', notes: [] });
    const other = await app.post('/store', { message: 'User 97 not found' }, key);
    expect(other.body.issue_id).toBe(answer.body.issue_id);
  });

  it('drops an invalid field and says which', async () => {
    const answer = await app.post('/store', { message: 'odd', timestamp: 'yesterday', level: 'loud' });
    expect(answer).toHaveStatus(201);
    expect(answer.body.errors.map((error: { name: string }) => error.name).sort()).toEqual([
      'level',
      'timestamp',
    ]);
  });

  it.each([
    ['an exception', { exception: { values: [{ type: 'TypeError' }] } }],
    ['a bare list of exceptions', { exception: [{ value: 'broken' }] }],
    ['a logentry', { logentry: { message: 'said %s', params: ['it'] } }],
    ['a stack of a thread', { threads: [{ stacktrace: { frames: [{ function: 'main' }] } }] }],
    ['the object form of a message', { message: { message: 'said %s', params: ['it'] } }],
    ['a message that is null beside an exception', { message: null, exception: { type: 'E' } }],
  ])('needs no message text with %s', async (_, event) => {
    expect(await app.post('/store', event)).toHaveStatus(201);
  });

  it('is read with any Content-Type, and as a form if it is one', async () => {
    const send = (type: string, body: string) =>
      app.agent
        .post('/wp-json/notifier/v1/store')
        .set({ 'X-Notifier-Key': app.publicKey, 'Content-Type': type })
        .send(body);
    expect(await send('text/plain;charset=UTF-8', '{"message":"plain"}')).toHaveStatus(201);
    expect((await send('application/x-www-form-urlencoded', '{"message":"json after all"}')).status).toBe(
      201,
    );
    expect(await send('application/x-www-form-urlencoded', 'message=a+form&platform=php')).toHaveStatus(201);
  });
});

describe('a refusal', () => {
  const missing = { code: 'rest_missing_callback_param', data: { status: 400, params: ['message'] } };
  it.each([
    ['nothing', {}, missing],
    ['a blank message', { message: ' \n' }, missing],
    ['null', { message: null }, missing],
    ['an exception that says nothing', { exception: { values: [] } }, missing],
    ['a list', [1], missing],
    [
      'a number as message',
      { message: 5 },
      { code: 'rest_invalid_param', data: { params: { message: 'message is not of type string,object.' } } },
    ],
    [
      'a number as platform',
      { message: 'x', platform: 7 },
      { code: 'rest_invalid_param', data: { params: { platform: 'platform is not of type string.' } } },
    ],
    [
      'a malformed id',
      { message: 'x', event_id: 'zz' },
      { code: 'rest_invalid_param', data: { status: 400 } },
    ],
  ])('of %s is 400 with the message of WordPress, and stores nothing', async (_, event, expected) => {
    const before = await eventsKept();
    const answer = await app.post('/store', event);
    expect(answer).toHaveStatus(400);
    expect(answer.body).toMatchObject(expected);
    expect(await eventsKept()).toBe(before);
  });

  it('of broken JSON, of too much and of too deep has its own code', async () => {
    const send = (body: string) =>
      app.agent
        .post('/wp-json/notifier/v1/store')
        .set({ 'X-Notifier-Key': app.publicKey, 'Content-Type': 'application/json' })
        .send(body);
    expect((await send('{"message":')).body).toMatchObject({
      code: 'rest_invalid_json',
      data: { json_error_code: 4 },
    });
    const tooLarge = await send(JSON.stringify({ message: 'x', extra: { pad: 'a'.repeat(1_153_434) } }));
    expect(tooLarge).toHaveStatus(400);
    expect(tooLarge.body).toMatchObject({ code: 'rest_payload_too_large', data: { status: 400 } });
    const nested = (levels: number) => `{"message":"x","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await send(nested(99))).toHaveStatus(201);
    const deep = await send(nested(100));
    expect(deep.body).toMatchObject({ code: 'rest_invalid_json', data: { json_error_code: 1 } });
  });

  it.each([
    ['GET', '/store'],
    ['PUT', '/store'],
    ['DELETE', '/store'],
    ['POST', '/nothing'],
    ['POST', '/store/more'],
  ])('of %s %s is 404 rest_no_route', async (method, path) => {
    const answer = await fetch(app.api + path, { method, headers: { 'X-Notifier-Key': app.publicKey } });
    expect(answer).toHaveStatus(404);
    expect(await answer.json()).toEqual({
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
      data: { status: 404 },
    });
  });
});

describe('a credential', () => {
  it('that is missing, unknown, malformed, revoked, expired or of the wrong kind gets the same bytes', async () => {
    const revoked = await createKey(app.deps, app.project.id, 'public');
    expect((await app.post('/store', { message: 'live' }, { 'X-Notifier-Key': revoked.text })).status).toBe(
      201,
    );
    await app.deps.store.revokeKey(app.project.id, revoked.key.id, app.deps.now());
    const expired = await createKey(app.deps, app.project.id, 'public');
    await app.deps.store.expireKey(app.project.id, expired.key.id, app.deps.now() - 1);
    const unknown = generateKey('public', app.deps.randomBytes);
    const bad: Array<Record<string, string>> = [
      {},
      { 'X-Notifier-Key': '' },
      { 'X-Notifier-Key': unknown },
      { 'X-Notifier-Key': 'short' },
      { 'X-Notifier-Key': 'x'.repeat(5000) },
      { 'X-Notifier-Key': app.secretKey },
      { 'X-Notifier-Key': revoked.text },
      { 'X-Notifier-Key': expired.text },
      { Authorization: `Bearer ${app.publicKey}` },
      { 'X-Notifier-Key': app.publicKey, 'X-Sentry-Auth': `Sentry sentry_key=${unknown}` },
    ];
    for (const headers of bad) {
      const answer = await app.post('/store', { message: 'x' }, headers);
      expect([answer.status, answer.text]).toEqual([401, forbidden]);
    }
  });

  it('that is invalid is explained on request, with the same status', async () => {
    const other = await app.addProject('explained');
    const revoked = await createKey(app.deps, app.project.id, 'public');
    await app.deps.store.revokeKey(app.project.id, revoked.key.id, app.deps.now());
    const expired = await createKey(app.deps, app.project.id, 'public');
    await app.deps.store.expireKey(app.project.id, expired.key.id, app.deps.now() - 1);
    const cases: Array<[reason: string, headers: Record<string, string>]> = [
      ['key_missing', {}],
      ['key_missing', { 'X-Sentry-Auth': 'Sentry sentry_version=7' }],
      ['key_unknown', { 'X-Notifier-Key': 'x'.repeat(5000) }],
      ['key_kind', { 'X-Notifier-Key': app.secretKey }],
      ['key_revoked', { 'X-Notifier-Key': revoked.text }],
      ['key_expired', { 'X-Notifier-Key': expired.text }],
      [
        'keys_differ',
        { 'X-Notifier-Key': app.publicKey, 'X-Sentry-Auth': `Sentry sentry_key=${other.publicKey}` },
      ],
    ];
    for (const [reason, headers] of cases) {
      const answer = await app.post('/store', { message: 'x' }, { ...headers, 'X-Notifier-Explain': '1' });
      expect([answer.status, answer.body.data]).toEqual([401, { status: 401, reason }]);
    }
    const wrongProject = await app.agent
      .post(`/wp-json/notifier/v1/api/${other.project.id}/store/?sentry_key=${app.publicKey}`)
      .set('X-Notifier-Explain', '1')
      .send({ message: 'x' });
    expect([wrongProject.status, wrongProject.body.data.reason]).toEqual([401, 'key_project']);
  });

  it('that was rotated stays valid for its grace period', async () => {
    const ending = await createKey(app.deps, app.project.id, 'public');
    await app.deps.store.expireKey(app.project.id, ending.key.id, app.deps.now() + 60_000);
    expect(await app.post('/store', { message: 'x' }, { 'X-Notifier-Key': ending.text })).toHaveStatus(201);
  });

  it('is checked before the body: invalid JSON without a key is 401', async () => {
    const answer = await app.agent
      .post('/wp-json/notifier/v1/store')
      .set('Content-Type', 'application/json')
      .send('{broken');
    expect([answer.status, answer.text]).toEqual([401, forbidden]);
  });

  it('may have the forms of the Sentry protocol, all naming one project', async () => {
    const other = await app.addProject('other');
    const send = (headers: Record<string, string>, query = '') =>
      app.post(`/store${query}`, { message: 'sentry' }, headers);
    expect(
      (await send({ 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${app.publicKey}` })).status,
    ).toBe(201);
    expect(await send({ Authorization: `Sentry sentry_key=${app.publicKey}` })).toHaveStatus(201);
    expect(await send({}, `?sentry_key=${app.publicKey}&sentry_version=7`)).toHaveStatus(201);
    expect((await send({ 'X-Notifier-Key': app.publicKey }, `?sentry_key=${other.publicKey}`)).status).toBe(
      401,
    );
  });
});

describeWithShared('the sample events', 'samples/events', (folder) => {
  it('are all accepted, equal ids once, one error of several browsers as one issue', async () => {
    const samples = await openTestApp();
    const issues = new Map<string, number>();
    const seen = new Set<string>();
    for (const file of readdirSync(folder).sort()) {
      const event = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const answer = await samples.post('/store', event);
      const id = String(event.event_id ?? file)
        .replaceAll('-', '')
        .toLowerCase();
      expect([file, answer.status]).toEqual([file, seen.has(id) ? 200 : 201]);
      expect(answer.body.duplicate ?? false).toBe(seen.has(id));
      expect(answer.body).toMatchObject({
        accepted: true,
        event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(Number.isInteger(answer.body.issue_id)).toBe(true);
      seen.add(id);
      issues.set(file, answer.body.issue_id);
    }
    expect(issues.get('js-xbrowser-chrome.json')).toBe(issues.get('js-xbrowser-firefox.json'));
    await samples.close();
  });
});
