import { describe, expect, it } from '@jest/globals';
import type { StoreHealth } from '../../../src/core/store/store.ts';
import { createReadinessCheck } from '../../../src/http/server/health.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { closerAfterTest } from '../../support/shared.ts';

const closeAfterTest = closerAfterTest();

/** An app whose store answers what `health` says; how often it was asked. */
async function appWith(health: () => Promise<StoreHealth>): Promise<{ app: TestApp; asked: () => number }> {
  const app = closeAfterTest(await openTestApp());
  let asked = 0;
  Object.assign(app.deps.store, {
    health: () => {
      asked += 1;
      return health();
    },
  });
  return { app, asked: () => asked };
}

const fine: StoreHealth = { writable: true, reason: null };
const full: StoreHealth = { writable: false, reason: 'The disk is full.' };

describe('/readyz', () => {
  it('says why the store cannot accept writes', async () => {
    const { app } = await appWith(async () => full);
    const answer = await app.agent.get('/readyz');
    expect([answer.status, answer.body]).toEqual([
      503,
      { ready: false, draining: false, store: { writable: false, reason: 'The disk is full.' } },
    ]);
  });

  it('checks the store once a second, for all requests', async () => {
    let now = fine;
    const { app, asked } = await appWith(async () => now);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.agent.get('/readyz')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(asked()).toBe(1);
    now = full;
    app.advance(1_000);
    expect(await app.agent.get('/readyz')).toHaveStatus(503);
    expect(asked()).toBe(2);
    // A clock that is set back keeps no answer for ever.
    now = fine;
    app.advance(-3_600_000);
    expect(await app.agent.get('/readyz')).toHaveStatus(200);
  });

  it('does not wait for a store that hangs, nor check it twice meanwhile', async () => {
    const { app, asked } = await appWith(() => new Promise(() => {}));
    const check = createReadinessCheck(app.deps, { draining: false, scarce: () => null }, 20);
    const [first, second] = await Promise.all([check(), check()]);
    expect(first).toMatchObject({ ready: false, store: { reason: 'the database did not respond' } });
    expect([second, asked()]).toEqual([first, 1]);
  });
});

describe('/healthz', () => {
  it('checks nothing', async () => {
    const { app, asked } = await appWith(async () => full);
    const answer = await app.agent.get('/healthz');
    expect([answer.status, answer.text, asked()]).toEqual([200, 'ok\n', 0]);
  });
});
