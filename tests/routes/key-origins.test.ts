import { beforeAll, describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { updateKey } from '../../src/core/projects/change-keys.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { sharedApp } from '../support/shared.ts';

const home = 'https://shop.example';
const bodies = {
  '/store': { message: 'a' },
  '/envelope': null,
  '/feedback': { message: 'it is broken', url: `${home}/cart` },
  '/sdk-verify': { sdk: { name: 'kit', version: '1' }, url: `${home}/cart` },
} as const;
const paths = Object.keys(bodies) as Array<keyof typeof bodies>;
const envelope = '{}\n{"type":"event"}\n{"message":"in an envelope"}\n';

let text = '';
let plain = '';
const app = sharedApp({ domains: ['shop.example', 'elsewhere.example'] });
beforeAll(async () => {
  const { deps, project } = app;
  text = (await createKey(deps, project.id, 'public', { allowedOrigins: [home] })).text;
  plain = app.publicKey;
});

async function send(path: keyof typeof bodies, key: string, headers: Record<string, string> = {}) {
  const {
    status,
    body,
    headers: answered,
  } = await app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set({ 'X-Notifier-Key': key, 'Content-Type': 'text/plain', ...headers })
    .send(path === '/envelope' ? envelope : JSON.stringify(bodies[path]));
  return { status, body, headers: answered };
}

describe.each(paths)('%s', (path) => {
  it.each([{ Origin: home }, { Origin: 'https://SHOP.example' }, {}])('takes %j', async (headers) => {
    expect((await send(path, text, headers as Record<string, string>)).status).toBeLessThan(300);
  });

  it.each([
    'https://elsewhere.example',
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.evil.example',
    'https://a.shop.example',
    'null',
    'https://shop.example, https://elsewhere.example',
  ])('refuses %s, so that the page can read why', async (origin) => {
    const { status, body, headers } = await send(path, text, { Origin: origin });
    expect([status, body]).toEqual([
      403,
      {
        code: 'rest_forbidden',
        message: 'Sorry, you are not allowed to do that.',
        data: { status: 403, reason: 'origin_not_allowed' },
      },
    ]);
    expect(headers['access-control-allow-origin']).toBe(
      (await send(path, plain, { Origin: origin })).headers['access-control-allow-origin'],
    );
  });

  it('takes every origin with a key that lists none, as far as domains do', async () => {
    const origin = 'https://elsewhere.example';
    expect((await send(path, plain, { Origin: origin })).status).toBeLessThan(300);
  });
});

describe('origins of a key', () => {
  it('hold for the forms of the Sentry protocol too', async () => {
    const at = `/wp-json/notifier/v1/api/${app.project.id}/envelope/?sentry_key=${text}`;
    const statusFrom = async (origin: string): Promise<number> =>
      (await app.agent.post(at).set('Origin', origin).set('Content-Type', 'text/plain').send(envelope))
        .status;
    expect([await statusFrom(home), await statusFrom('https://elsewhere.example')]).toEqual([200, 403]);
    const dsn = app.origin.replace('http://', `http://${text}@`);
    const withDsn = `{"dsn":"${dsn}/${app.project.id}"}\n{"type":"event"}\n{"message":"by its dsn"}\n`;
    const { status } = await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set({ Origin: 'https://elsewhere.example', 'Content-Type': 'text/plain' })
      .send(withDsn);
    expect(status).toBe(403);
  });

  it('are counted where they refuse, and nothing is kept', async () => {
    const { store, outcomes, now } = app.deps;
    const before = await store.countStoredEvents(app.project.id);
    await send('/store', text, { Origin: 'https://elsewhere.example' });
    await outcomes.flush();
    const counted = await store.listOutcomes(app.project.id, 0, now() + 1);
    expect(counted).toContainEqual(
      expect.objectContaining({ category: 'error', outcome: 'filtered', reason: 'origin_not_allowed' }),
    );
    expect(await store.countStoredEvents(app.project.id)).toBe(before);
  });

  it('hold from the next request on', async () => {
    const { deps, project } = app;
    const made = await createKey(deps, project.id, 'public');
    const status = async () =>
      (await send('/store', made.text, { Origin: 'https://elsewhere.example' })).status;
    expect(await status()).toBe(201);
    await updateKey(deps, made.key, { allowedOrigins: [home] }, commandLineSource);
    expect(await status()).toBe(403);
    await updateKey(deps, { ...made.key, allowedOrigins: [home] }, { allowedOrigins: [] }, commandLineSource);
    expect(await status()).toBe(201);
  });
});
