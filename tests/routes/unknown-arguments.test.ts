import { beforeAll, describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { required } from '../support/one-of-each.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome } from '../support/test-level.ts';

const app = sharedApp();
beforeAll(async () => {
  expect(await app.postSecret('/monitors', required['/monitors'])).toHaveStatus(201);
});

const api = '/wp-json/notifier/v1';
const bearer = (): string => `Bearer ${app.secretKey}`;

function refusalOf(...names: string[]): object {
  const sentences = names.map((name) => [name, `${name} is not a parameter of this route.`] as const);
  return {
    code: 'rest_invalid_param',
    message: `Invalid parameter(s): ${names.join(', ')}`,
    data: {
      status: 400,
      params: Object.fromEntries(sentences),
      details: Object.fromEntries(
        sentences.map(([name, message]) => [name, { code: 'rest_invalid_param', message, data: null }]),
      ),
    },
  };
}

const refusing = (): ReadonlyArray<{ readonly method: string; readonly path: string }> =>
  notifierRoutes(app.deps).filter(
    ({ refusesUnknown, credential }) => refusesUnknown === true && credential !== 'personal',
  );

describe('an unknown argument on routes where ignoring it would change the meaning', () => {
  it('is checked on every route of these nouns', () => {
    const nouns = ['alert-channels', 'monitors', 'maintenance-windows', 'status-pages', 'incidents'];
    const missed = notifierRoutes(app.deps).filter(
      ({ path, refusesUnknown }) => nouns.includes(path.split('/')[1] ?? '') && refusesUnknown !== true,
    );
    expect(missed.map(({ path }) => path)).toEqual([]);
  });

  it('is named by every such route, in the query too', async () => {
    const answers: unknown[] = [];
    const asked = fullOrSome(refusing(), 4);
    for (const { method, path } of asked) {
      const address = `${api}${path.replaceAll(/\{\w+\}/g, '1')}?paused_for=1`;
      const { status, body } = await app.agent[method.toLowerCase() as 'get' | 'post' | 'delete'](address)
        .set('Authorization', bearer())
        .send(method === 'POST' ? required[path] : undefined);
      answers.push({ method, path, status, body });
    }
    const expected = asked.map(({ method, path }) => {
      return { method, path, status: 400, body: refusalOf('paused_for') };
    });
    expect(answers).toEqual(expected);
    expect((await app.get('/monitors')).body).toHaveLength(1);
  });

  it('is named once each, from body and query', async () => {
    const { body } = await app.postSecret('/monitors?retries=3&verb=GET', {
      ...required['/monitors'],
      verb: 'POST',
      constructor: 'x',
    });
    expect(body).toEqual(refusalOf('verb', 'constructor', 'retries'));
  });

  it('is named in forms and multipart bodies too, and files', async () => {
    const asForm = await app.agent
      .post(`${api}/monitors/1`)
      .set('Authorization', bearer())
      .type('form')
      .send({ name: 'Other', verb: 'POST' });
    expect(asForm.body).toEqual(refusalOf('verb'));
    const asFile = await app.agent
      .post(`${api}/monitors/1`)
      .set('Authorization', bearer())
      .field('name', 'Other')
      .attach('logo', Buffer.from('x'), 'logo.png');
    expect(asFile.body).toEqual(refusalOf('logo'));
    expect((await app.get('/monitors/1')).body.name).toBe('Front page');
  });

  it.each([
    ['rules', '/alert-channels', { rules: [{ on: 'issue.is_new', every: 5 }] }, 'every'],
    ['limit', '/alert-channels', { rules: [{ on: 'issue.is_new', limit: { count: 1, per: 1 } }] }, 'per'],
    [
      'filters',
      '/alert-channels',
      { rules: [{ on: 'issue.is_new', filters: [{ field: 'level', value: 'x', not: true }] }] },
      'not',
    ],
    ['components', '/status-pages', { components: [{ name: 'Shop', monitor: 1 }] }, 'monitor'],
  ])('is named inside of %s as well', async (_noun, path, sent, name) => {
    const { status, body } = await app.postSecret(path, { ...required[path], ...sent });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(JSON.stringify(body.data.params)).toContain(`${name} is not a valid property of Object.`);
  });

  it('is not an id in the body that equals that of the path', async () => {
    expect(await app.postSecret('/monitors/1', { id: 1, group: 'Shop' })).toHaveStatus(200);
    expect((await app.postSecret('/monitors/1', { id: 2, group: 'Shop' })).body).toEqual(refusalOf('id'));
  });
});

describe('a meta parameter of WordPress', () => {
  it.each([
    ['GET', '/monitors?_fields=name&_locale=user&_pretty=1&_embed=1&context=edit'],
    ['GET', '/monitors?_envelope=1'],
    ['GET', '/monitors?_jsonp=show'],
    ['GET', '/monitors/1?context=view&_fields=name'],
    ['POST', '/monitors/1?_locale=user&_fields=name'],
    ['POST', '/monitors/1?_method=GET'],
  ])('is allowed: %s %s', async (method, path) => {
    const asked = app.agent[method === 'GET' ? 'get' : 'post'](api + path);
    expect(await asked.set('Authorization', bearer())).toHaveStatus(200);
  });

  it('is allowed with rest_route, and in a body', async () => {
    const plain = app.agent.get('/?rest_route=/notifier/v1/monitors&_fields=name');
    expect(await plain.set('Authorization', bearer())).toHaveStatus(200);
    expect(await app.postSecret('/monitors/1', { group: 'Shop', _locale: 'user' })).toHaveStatus(200);
  });

  it('is allowed as force of a DELETE', async () => {
    const made = await app.postSecret('/monitors', required['/monitors']);
    const gone = app.agent.delete(`${api}/monitors/${made.body.monitor_id}?force=true`);
    expect(await gone.set('Authorization', bearer())).toHaveStatus(200);
  });
});

it.each([
  ['/releases', { version: '1.0', colour: 'red' }],
  ['/deploys', { version: '1.0', environment: 'production', colour: 'red' }],
  ['/store', { message: 'x', colour: 'red' }],
])('%s still ignores an unknown argument', async (path, sent) => {
  const answer = path === '/store' ? app.post(path, sent) : app.postSecret(path, sent);
  expect(await answer).toHaveStatus(201);
});
