import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type supertest from 'supertest';
import { openLargeBodyReader } from '../../src/http/large-bodies/open-reader.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { doors, sameByAnyDoor, storedBy } from '../support/entries.ts';
import { anyEvent } from '../support/events.ts';
import { heavyBodies } from '../support/large-bodies.ts';
import { heavyEvents } from '../support/large-events.ts';
import { allOrSome, fullOrShort, fullOrSome, inFull, rows, runs } from '../support/test-level.ts';
import { oddEvents } from '../support/unusual-events.ts';

let asked = 0;
const reader = openLargeBodyReader();
const heavy = new Proxy(reader, {
  get(target, name: keyof typeof reader) {
    asked += 1;
    return target[name];
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ deps: { largeBodyReader: heavy }, domains: ['a.example'] });
});
afterAll(async () => {
  await app.close();
  await reader.close();
});

const [store] = doors;
if (store === undefined) throw new Error('there is no door');

const blanks = ' '.repeat(70_000);

describe('a large event is stored as a small one', () => {
  it('at every endpoint, whatever it contains', async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (raw) => {
        const event = JSON.stringify({
          ...(raw as object),
          message: 'x',
          platform: 'php',
          event_id: undefined,
        });
        const light = sameByAnyDoor(await storedBy(app, store, event));
        for (const door of doors) {
          expect(sameByAnyDoor(await storedBy(app, door, event + blanks))).toEqual(light);
        }
      }),
      { numRuns: fullOrShort(runs(15), 1) },
    );
  });

  it.each(rows(() => allOrSome(Object.entries(heavyEvents), 6)))(
    '%s: everything is stored',
    async (_name, event) => {
      const text = event(fullOrShort(200_000, 70_000));
      const stored = sameByAnyDoor(await storedBy(app, store, text));
      const enveloped = doors.find((door) => door.name === 'an item of an envelope') ?? store;
      expect(sameByAnyDoor(await storedBy(app, enveloped, text))).toEqual(stored);
    },
  );

  it('with query parameters, which the body overrides', async () => {
    const sent = (body: string): supertest.Test => post('/store?release=7&level=info', body);
    for (const pad of ['', blanks]) {
      const { body } = await sent(`{"message":"x","level":"fatal"${pad}}`);
      const stored = await app.deps.store.findEvent(app.project.id, body.event_id);
      expect(JSON.parse(stored?.payload ?? '')).toMatchObject({ release: '7', level: 'fatal' });
    }
  });

  it('as a form', async () => {
    const { body } = await post(
      '/store',
      `message=x&tags%5Ba%5D=b&extra%5Bc%5D=${'d'.repeat(70_000)}`,
      'application/x-www-form-urlencoded',
    );
    const stored = await app.deps.store.findEvent(app.project.id, body.event_id);
    expect(JSON.parse(stored?.payload ?? '')).toMatchObject({
      tags: [['a', 'b']],
      extra: { c: expect.any(String) },
    });
  });
});

describe('a large body is answered as a small one', () => {
  const cases = [
    ...oddEvents,
    ['/envelope', '{"events":[]}'],
    ['/envelope', '{"events":5}'],
    ['/envelope', '{"events":[5,[],"x"]}'],
    ['/envelope', '{}\n{"type":"event"}\n[]\n'],
    ['/envelope', '{}\n{"type":"event"}\n{]\n'],
    ['/feedback', '{}'],
    ['/feedback', '{"message":"x","email":5}'],
    ['/feedback', '{"message":"x","console":[{"level":5}]}'],
    ['/feedback', '{"message":"x","screenshots":[{"data":"!"}]}'],
    ['/feedback', '{"message":"x","url":"ftp://a.example"}'],
    ['/sdk-verify', '{"sdk":{"name":""}}'],
    ['/sdk-verify', '{"sdk":{"name":"a","version":5}}'],
    ['/releases', '{}'],
    ['/releases', '{"version":"1","commits":[{}]}'],
    ['/releases', '{"version":"1","commits":[{"id":" "}],"url":"x"}'],
    ['/releases', '{"version":"1","commits":[{"id":"a","timestamp":"x"}]}'],
    ['/deploys', '{"deploy":{"version":5}}'],
    ['/deploys', '{"version":"1","environment":"a/b"}'],
    ['/domains', '{"domain":"b.example","allowed_origins":["x"]}'],
    ['/domain-verifications', '{"domain":"localhost"}'],
    ['/issues/999999', '{"status":"resolved"}'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('%s %s', async (path, body) => {
    const light = await post(path, body);
    // Before the end of the text, so that a line stays a line.
    const heavy = await post(
      path,
      body.startsWith('{}\n') ? body.replace(/\n$/, `${blanks}\n`) : body + blanks,
    );
    expect({ status: heavy.status, body: heavy.body }).toEqual({ status: light.status, body: light.body });
  });

  it('unknown members of a large body are ignored', async () => {
    const wide = fullOrShort(20_000, 2_500);
    const many = Array.from({ length: wide }, (_, index) => `"k${index}":{"a":[${index}]}`).join(',');
    const answers = [
      await post('/releases', `{${many},"version":"wide@1","commits":[{"id":"abc"}],"_fields":"version"}`),
      await post('/deploys', `{${many},"deploy":{${many},"version":"wide@1","environment":"e"}}`),
      await post('/sdk-verify', `{${many},"sdk":{"name":"a","version":"1"},"domain":"a.example"}`),
      await post('/domains', `{"allowed_origins":["https://b.example"],${many},"domain":"b.example"}`),
      await post('/feedback', `{${many},"message":"wide","contexts":{${many},"feedback":{"name":"Ada"}}}`),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 200, 201, 201]);
    expect(answers[0]?.body).toEqual({ version: 'wide@1' });
    expect(answers[3]?.body).toMatchObject({ domain: 'b.example', allowed_origins: ['https://b.example'] });
    const report = await app.get(`/feedback/${answers[4]?.body.feedback_id}`);
    expect(report.body).toMatchObject({ message: 'wide', name: 'Ada' });
  });

  it('a large release is stored completely', async () => {
    const patch = Array.from({ length: 900 }, (_, index) => ({ path: `src/${index}.ts`, type: 'M' }));
    const count = fullOrShort(30, 3);
    const commits = Array.from({ length: count }, (_, index) => ({ id: `c${index}`, patch_set: patch }));
    const { body } = await post('/releases', JSON.stringify({ version: 'large@1', commits }));
    const release = await app.get(`/releases/${body.release_id}`);
    expect(release.body.commits).toHaveLength(count);
    expect(release.body.commits[count - 1].patch_set).toEqual(patch);
    const sentry = await app.agent
      .post('/api/0/organizations/o/releases/')
      .set('Authorization', `Bearer ${app.secretKey}`)
      .send({ version: 'large@2', commits });
    expect([sentry.status, sentry.body.commitCount]).toEqual([201, count]);
  });

  it('an envelope stores valid items beside invalid ones', async () => {
    const report = `{"contexts":{"feedback":{"message":"x"}},"a":"${blanks}"}`;
    const sessions = `{"aggregates":[{"exited":2}],"a":"${blanks}"}`;
    const losses = `{"discarded_events":[{"reason":"r","category":"error","quantity":3}],"a":"${blanks}"}`;
    const lines = [
      '{}',
      ...item('event', `{${blanks}]`),
      ...item('feedback', report),
      ...item('sessions', sessions),
    ];
    const answer = await post('/envelope', [...lines, ...item('client_report', losses), ''].join('\n'));
    expect(answer.body).toMatchObject({
      accepted: true,
      feedback_id: expect.any(Number),
      items: { feedback: 1, sessions: 1, client_report: 1 },
      skipped: { event: 1 },
      errors: [{ type: 'rest_invalid_json', name: 'event' }],
    });
  });
});

describe('a large event is symbolicated', () => {
  it('as a small one', async () => {
    const folder = join(import.meta.dirname, '../fixtures/sourcemaps/esbuild');
    const form = app.agent
      .post('/wp-json/notifier/v1/artifacts')
      .set('Authorization', `Bearer ${app.secretKey}`)
      .field('release', 'maps@1');
    for (const name of ['app.min.js', 'app.min.js.map']) {
      form.attach('file', readFileSync(join(folder, name)), `~/${name}`);
    }
    expect(await form).toHaveStatus(201);
    const frame = {
      abs_path: 'https://a.example/app.min.js',
      function: 'a',
      lineno: 1,
      colno: 300,
      vars: { a: 1 },
    };
    const stack = { frames: [{ ...frame, colno: 20 }, { filename: 'x.js', lineno: 3 }, frame] };
    const event = JSON.stringify({
      release: 'maps@1',
      exception: [
        { type: 'E', value: 'v', stacktrace: stack },
        { type: 'F', stacktrace: stack },
      ],
      threads: [{ id: 1, stacktrace: stack }],
    });
    const light = sameByAnyDoor(await storedBy(app, store, event));
    expect(JSON.stringify(light)).toContain('"sourcemap":');
    for (const door of doors) expect(sameByAnyDoor(await storedBy(app, door, event + blanks))).toEqual(light);
  });
});

describe('no body blocks the main thread', () => {
  const lightBytesMax = 64 * 1_024;
  const bodies = heavyBodies().filter(
    ({ contentType, path }) => contentType === undefined && path !== '/test-runs',
  );

  it.each(
    rows(() =>
      allOrSome(bodies, 40)
        .filter((body) => body.body().length > lightBytesMax)
        .map((body) => [`${body.path} ${body.name}`, body] as const),
    ),
  )('a thread reads %s', async (_name, body) => {
    const before = asked;
    const path = body.path.startsWith('//') ? body.path.slice(1) : `/wp-json/notifier/v1${body.path}`;
    const credential: [string, string] =
      body.credential === 'public'
        ? ['X-Notifier-Key', app.publicKey]
        : ['Authorization', `Bearer ${app.secretKey}`];
    const answer = await fetch(app.origin + path, {
      method: 'POST',
      headers: [credential, ['Content-Type', 'application/json'], ['Origin', 'https://a.example']],
      body: new Uint8Array(body.body()),
    });
    await answer.arrayBuffer();
    expect([200, 201, 207, 208, 400]).toContain(answer.status);
    expect(asked).toBeGreaterThan(before);
  });
});

describe('a worker that exits', () => {
  it('while reading is a 400 and leaves the server as it was', async () => {
    // As Node tells of a thread that met the limit of its heap.
    const lost = `throw Object.assign(new Error(), { code: 'ERR_WORKER_OUT_OF_MEMORY' })`;
    const start = () =>
      new Worker(`require('node:worker_threads').parentPort.on('message', () => { ${lost} })`, {
        eval: true,
      });
    const heavy = openLargeBodyReader({ start });
    const other = await openTestApp({ deps: { largeBodyReader: heavy } });
    try {
      const answer = await other.post('/store', { message: 'x', a: blanks });
      expect([answer.status, answer.body.code]).toEqual([400, 'notifier_body_too_complex']);
      expect(await other.post('/store', { message: 'x' })).toHaveStatus(201);
    } finally {
      await heavy.close();
      await other.close();
    }
  });

  inFull(it)('without a message is a 500', async () => {
    const start = () =>
      new Worker(`require('node:worker_threads').parentPort.on('message', () => process.exit(0))`, {
        eval: true,
      });
    const heavy = openLargeBodyReader({ start });
    const other = await openTestApp({
      deps: { largeBodyReader: heavy, log: { ...app.deps.log, error: () => {} } },
    });
    try {
      const answer = await other.post('/store', { message: 'x', a: blanks });
      expect([answer.status, answer.body.code]).toEqual([500, 'internal_server_error']);
    } finally {
      await heavy.close();
      await other.close();
    }
  });
});

function item(type: string, payload: string): string[] {
  return [`{"type":"${type}","length":${Buffer.byteLength(payload)}}`, payload];
}

function post(path: string, body: string, type = 'application/json'): supertest.Test {
  const isPublic = /^\/(?:store|envelope|feedback|sdk-verify)/.test(path);
  return app.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set('Origin', 'https://a.example')
    .set(isPublic ? 'X-Notifier-Key' : 'Authorization', isPublic ? app.publicKey : `Bearer ${app.secretKey}`)
    .set('Content-Type', type)
    .send(body);
}
