import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp({ domains: ['shop.example'] });

const odd = [[[{}]]];
const bearer = () => ({ Authorization: `Bearer ${app.secretKey}` });

describe('values that are not strings', () => {
  it.each(['iPS', 'client_ip', 'X-Forwarded-For', 'remote_addr', 'ip address'])(
    'in an event, under %s',
    async (name) => {
      const held = { [name]: odd };
      const event = {
        message: 'x',
        ...held,
        extra: { a: held },
        contexts: { a: held },
        user: { id: 1, data: held, ...held },
        request: { headers: held, env: held, cookies: held, data: held, query_string: held },
        breadcrumbs: [{ message: 'x', data: held }],
        tags: held,
        logentry: { message: '%s', params: [odd, {}] },
      };
      expect(await app.post('/store', event)).toHaveStatus(201);
    },
  );

  it.each([{ message: odd }, { password: odd }, { name: odd, value: odd }, { code: {}, state: [] }])(
    'in the parts of an event: %j',
    async (held) => {
      const answer = await app.post('/envelope', {
        events: [{ exception: [{ value: 'x', ...held }], extra: held }],
      });
      expect(answer).toHaveStatus(201);
    },
  );

  it('in a bug report, a release, a deploy and a test run', async () => {
    const holds = { a: odd, b: {} };
    const report = { message: 'x', tags: holds, metadata: holds, viewport: holds, console: [holds] };
    const answers = [
      await app.post('/feedback', report, { Origin: 'https://shop.example' }),
      await app.postSecret('/releases', {
        version: '1',
        ref: odd,
        refs: odd,
        commits: [odd],
        metadata: holds,
      }),
      await app.postSecret('/deploys', { version: '1', environment: 'p', comment: odd, key: {} }),
      await app.postSecret('/test-runs', {
        tests: 1,
        tags: holds,
        metadata: holds,
        build: holds,
        run_key: odd,
      }),
    ];
    for (const answer of answers) expect(answer.status).toBeLessThan(500);
  });

  it.each(['/test-runs?run_env[key][a]=1&run_env[CI][]=x', '/test-runs?tags[a][b]=1'])(
    'in the query of %s',
    async (path) => {
      const answer = await app.agent
        .post(`/wp-json/notifier/v1${path}`)
        .set(bearer())
        .send({ tests: 1, passed: 1 });
      expect([path, answer.status < 500]).toEqual([path, true]);
    },
  );

  it.each(['issues', 'feedback', 'releases', 'deploys', 'artifacts', 'test-runs', 'domains'])(
    'in the query of a list: %s',
    async (path) => {
      const answer = await app.get(`/${path}?odd[0][a]=1&odd[1][][]=2&x[y][z]=3&page=2`);
      expect([200, 400]).toContain(answer.status);
    },
  );
});
