import { afterEach, describe, expect, it } from '@jest/globals';
import { isRunRequested } from '../../src/core/retention/project-quotas.ts';
import { type RetentionRunOptions, runRetention } from '../../src/core/retention/retention.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { inFull } from '../support/test-level.ts';
import { until } from '../support/until.ts';

const quota = 400_000;
const roomMs = 5_000;
let app: TestApp;
afterEach(() => app.close());

const round = (more: Partial<RetentionRunOptions> = {}) =>
  runRetention(app.deps, {
    isOver: () => false,
    sleep: async () => {},
    onProgress: () => {},
    isConfirmed: false,
    isDryRun: false,
    ...more,
  });

let sent = 0;
/** An event of 100,000 bytes that no compression makes much smaller. */
function send(key = app.publicKey, path = '/store') {
  sent += 1;
  const noise = Array.from({ length: 9_000 }, (_, at) =>
    ((at * 7919 + sent * 104_729) % 1_000_003).toString(36),
  );
  const event = { message: `kind ${sent % 3}`, extra: { noise: noise.join(' ').padEnd(100_000, '-') } };
  const text = JSON.stringify(event);
  return app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set({ 'X-Notifier-Key': key, 'Content-Type': 'text/plain' })
    .send(path === '/store' ? text : `{}\n{"type":"event"}\n${text}\n`);
}

describe.each(['/store', '/envelope'])('at %s a project', (path) => {
  it('over its quota gets 429 until retention has made space, and no other does', async () => {
    app = await openTestApp({ env: { RETENTION_BYTES_PER_PROJECT: String(quota) } });
    await round();
    const statuses: number[] = [];
    for (let times = 0; times < 7; times += 1) statuses.push((await send(app.publicKey, path)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
    const refused = await send(app.publicKey, path);
    expect(refused.body).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(60);
    expect(refused.headers['x-sentry-rate-limits']).toMatch(/^\d+:error:key:key_quota$/);
    expect(await app.deps.store.countStoredEvents(app.project.id)).toBe(5);
    const other = await app.addProject('other');
    expect(await send(other.publicKey, path)).toHaveStatus(201);
    // A round was asked for before the project was over its quota; it says what is really held.
    await until(() => isRunRequested(app.deps.store));
    app.advance(roomMs);
    await round();
    expect(await isRunRequested(app.deps.store)).toBe(false);
    app.advance(roomMs);
    await send(app.publicKey, path);
    await until(async () => (await send(app.publicKey, path)).status === 201);
  });
});

describe('a database that retention does not change', () => {
  inFull(it)('refuses nothing because of a quota set later', async () => {
    app = await openTestApp({ env: { RETENTION_BYTES_PER_PROJECT: '1000' } });
    expect(await send()).toHaveStatus(201);
    expect((await round()).state?.heldBack).toBe('first');
    app.advance(roomMs);
    for (let times = 0; times < 5; times += 1) expect(await send()).toHaveStatus(201);
    // Somebody says yes: from then on it holds.
    await round({ isConfirmed: true });
    app.advance(roomMs);
    await send();
    await until(async () => (await send()).status === 429);
  });

  it('without a quota refuses nothing', async () => {
    app = await openTestApp({ env: { RETENTION_BYTES_PER_PROJECT: '0' } });
    await round();
    for (let times = 0; times < 8; times += 1) expect(await send()).toHaveStatus(201);
  });
});
