// What the secret reads is kept by no cache on the way: every answer to a bearer GET has the pair that
// WordPress sends to a signed-in user.
import { describe, expect, it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import { openTestApp } from '../support/app.ts';
import { closerAfterTest, sharedApp } from '../support/shared.ts';
import { fullOrSome } from '../support/test-level.ts';

const app = sharedApp();
const closeAfterTest = closerAfterTest();

const pair = {
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
};
const none = { expires: undefined, 'cache-control': undefined };

function pairOf(headers: Record<string, string>): Record<string, string | undefined> {
  return { expires: headers['expires'], 'cache-control': headers['cache-control'] };
}

describe('the no-cache headers of a GET with a bearer token', () => {
  it('are on any route that reads', async () => {
    const paths = notifierRoutes(app.deps)
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace(/\{[^}]*\}+/g, '1'));
    expect(paths.length).toBeGreaterThan(15);
    for (const path of fullOrSome(paths, 4))
      expect([path, pairOf((await app.get(path)).headers)]).toEqual([path, pair]);
  });

  it.each([
    [404, '/nothing', 'a route that is not there'],
    [404, '/store', 'a route that only writes'],
    [404, '/releases/99', 'an id that is not there'],
    [404, '/releases/99?_method=DELETE', 'a writing method by GET'],
    [400, '/issues?per_page=0', 'a wrong parameter'],
    [400, '/issues?_method[]=x', 'a parameter that is no text'],
    [200, '', 'the index'],
    [200, '/issues?_envelope', 'an envelope'],
    [200, '/issues?_jsonp=show', 'JSONP'],
    [200, '/issues?_method=HEAD', 'a method that reads'],
  ])('are on a %i for %s (%s)', async (status, path) => {
    const answer = await app.get(path);
    expect(pairOf(answer.headers)).toEqual(pair);
    expect(answer).toHaveStatus(status);
  });

  it('are there when the key is refused, limited or unknown, and when the store fails', async () => {
    const own = closeAfterTest(
      await openTestApp({ env: { RATE_LIMITS: 'on', RATE_LIMIT_SERVER_PER_MINUTE: '1' } }),
    );
    const ask = (authorization: string) =>
      own.agent.get('/wp-json/notifier/v1/issues').set('Authorization', authorization);
    const refused = await ask('Bearer nobody');
    expect([refused.status, pairOf(refused.headers)]).toEqual([401, pair]);
    expect(pairOf((await ask('bearer')).headers)).toEqual(pair);
    expect(await ask(`Bearer ${own.secretKey}`)).toHaveStatus(200);
    const limited = await ask(`Bearer ${own.secretKey}`);
    expect([limited.status, pairOf(limited.headers)]).toEqual([429, pair]);
    own.advance(60_000);
    Object.assign(own.deps.store, { listIssues: () => Promise.reject(new StoreUnavailableError('gone')) });
    const gone = await ask(`Bearer ${own.secretKey}`);
    expect([gone.status, pairOf(gone.headers)]).toEqual([503, pair]);
  });

  it('are there on a 500', async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const own = closeAfterTest(await openTestApp({ deps: { log } }));
    Object.assign(own.deps.store, { listIssues: () => Promise.reject(new Error('a fault of ours')) });
    const answer = await own.get('/issues');
    expect([answer.status, pairOf(answer.headers)]).toEqual([500, pair]);
  });

  it('are on a HEAD too, and both are on an answer across origins', async () => {
    const head = await app.agent
      .head('/wp-json/notifier/v1/issues')
      .set('Authorization', `Bearer ${app.secretKey}`);
    expect([head.status, pairOf(head.headers)]).toEqual([200, pair]);
    const crossed = await app.get('/issues').set('Origin', 'https://shop.example');
    expect([crossed.headers['vary'], pairOf(crossed.headers)]).toEqual(['Origin', pair]);
  });

  it('are on no other answer: index without a key, event, or write', async () => {
    expect(pairOf((await app.agent.get('/wp-json/notifier/v1')).headers)).toEqual(none);
    expect(pairOf((await app.post('/store', { message: 'x' })).headers)).toEqual(none);
    expect(pairOf((await app.postSecret('/releases', { version: '1.0.0' })).headers)).toEqual(none);
  });
});

describe('the API for sentry-cli', () => {
  it('has them on reads with a bearer token', async () => {
    const ask = (path: string) => app.agent.get(path).set('Authorization', `Bearer ${app.secretKey}`);
    for (const path of ['/api/0/', '/api/0/organizations/any/releases/', '/api/0/nothing']) {
      expect([path, pairOf((await ask(path)).headers)]).toEqual([path, pair]);
    }
  });
});
