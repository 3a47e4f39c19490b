// Every text that a route takes, and what becomes of it: a table that a new field must be entered in, and
// that is held to by sending a secret in each of its rows.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { notifierRoutes } from '../../routes/index.ts';
import { openTestApp } from '../support/app.ts';
import {
  type Canaries,
  createCanaries,
  leaksOf,
  startWatched,
  type WatchedProgram,
} from '../support/canaries.ts';
import { pngOf } from '../support/images.ts';
import { besides, oneOfEach, required } from '../support/one-of-each.ts';
import { inFull } from '../support/test-level.ts';
import { bodies, type Fields, parts, type Treatment } from '../support/text-inventory.ts';

const canaries: Canaries = createCanaries();
const said = (): string => `x?token=${canaries.secret()}`;
const asAddress = (): string => `https://shop.example/a?token=${canaries.secret()}`;
const inLine = (): string => `token = "${canaries.secret()}"`;
const bag = (): object => ({ password: canaries.secret(), note: said(), [`of ${said()}`]: 'x' });

const values: Readonly<Record<string, () => unknown>> = {
  url: asAddress,
  repository: () => `https://ann:${canaries.secret()}@git.example/a.git?token=${canaries.secret()}`,
  commit: () => `token=${canaries.secret()}`,
  revision: () => `token=${canaries.secret()}`,
  release: () => `1.0 token=${canaries.secret()}`,
  version: () => `1.0 token=${canaries.secret()}`,
  appVersion: () => `1.0 token=${canaries.secret()}`,
  environment: () => `token=${canaries.secret()}`,
  releaseStage: () => `token=${canaries.secret()}`,
  locale: () => `token=${canaries.secret()}`.slice(0, 35),
  author_email: () => `token=${canaries.secret()}`,
  viewport: () => ({ width: 1, height: 1, ...bag() }),
  console: () => [{ level: 'x', message: said() }],
  tags: () => ({ password: canaries.secret(), note: said() }),
  metadata: () => ({ password: canaries.secret(), note: said() }),
  contexts: () => ({ feedback: { message: said() } }),
  screenshots: () => [{ data: pngOf(1, 1).toString('base64'), name: said() }],
  sdk: () => ({ name: said(), version: said() }),
  commits: () => [{ id: 'a', message: said() }],
  refs: () => [{ repository: said(), commit: 'a', note: said() }],
  patch_set: () => [{ path: said(), type: 'A' }],
  timestamp: () => said(),
  deploy: () => ({ comment: said() }),
  build: () => ({ id: said(), number: said(), url: asAddress(), name: said() }),
  results: () => ({
    tool: { name: said() },
    summary: { tests: 1, passed: 1, failed: 0, skipped: 0, pending: 0, other: 0 },
    tests: [{ name: said(), status: 'passed', duration: 1 }],
    environment: { reportName: said(), buildName: said(), branchName: said() },
  }),
  allowed_origins: () => [said()],
  merge: () => [said()],
  platform: said,
  logentry: () => ({ message: said(), params: [said(), bag()], formatted: said() }),
  exception: () => [{ type: said(), value: said() }],
  threads: () => [{ id: said(), name: said(), stacktrace: { frames: [{ function: 'a', vars: bag() }] } }],
  breadcrumbs: () => [{ category: said(), type: said(), message: said(), data: bag(), more: said() }],
  user: () => ({
    id: said(),
    username: said(),
    email: said(),
    name: said(),
    data: bag(),
    geo: { city: said() },
    more: said(),
  }),
  request: () => ({
    url: asAddress(),
    method: said(),
    data: bag(),
    query_string: [
      ['code', canaries.secret()],
      ['state', canaries.secret()],
    ],
    fragment: `access_token=${canaries.secret()}`,
    cookies: { sid: canaries.secret() },
    headers: { 'X-Api-Key': canaries.secret(), Referer: asAddress() },
    env: bag(),
  }),
  fingerprint: () => [said()],
  modules: () => ({ a: said() }),
  debug_meta: () => ({
    images: [{ type: 'sourcemap', code_file: asAddress(), debug_id: 'x', name: said() }],
  }),
  errors: () => [{ type: said(), name: said(), value: said() }],
  mechanism: () => ({ type: said(), data: bag(), description: said(), help_link: asAddress(), more: said() }),
  stacktrace: () => ({ frames: [{ function: 'a', vars: bag() }], note: said() }),
  raw_stacktrace: () => ({ frames: [{ function: 'a', vars: bag() }], note: said() }),
  pre_context: () => [inLine()],
  context_line: inLine,
  post_context: () => [inLine()],
};
const namesOf = (fields: object): string[] => Object.keys(fields).sort();
const sentIn = (field: string): unknown => (values[field] ?? said)();

let watched: WatchedProgram;
let ids: ReadonlyMap<string, string>;

const leaksSoFar = (): Promise<string[]> => leaksOf(watched, canaries);

describe('the list of text fields', () => {
  it('names every field of every body', async () => {
    const app = await openTestApp();
    const routes = notifierRoutes(app.deps).filter((route) => route.method === 'POST' && !route.hidden);
    const fields = routes.flatMap(({ path, schema }) =>
      schema === undefined || path === '/store' ? [] : [[path, namesOf((schema as z.ZodObject).shape)]],
    );
    await app.close();
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(Object.entries(bodies).map(([path, table]) => [path, namesOf(table)])),
    );
    expect(routes.filter(({ schema }) => schema === undefined).map(({ path }) => path)).toEqual([
      '/envelope',
      '/domain-verifications/{id}/token',
      '/artifacts',
      '/security',
      '/otlp/v1/logs',
      '/otlp/v1/traces',
      '/issues/bulk/{id}/undo',
      '/alert-channels/{id}/test',
      '/alert-channels/{id}/retry',
      '/monitors/{id}/check',
      '/members/{id}/invitation',
    ]);
  });

  it.each(parts)('names every field of %s', (_name, schema, table) => {
    expect(namesOf(table)).toEqual(namesOf(schema.shape));
  });
});

const rows = (table: Fields): Array<[string, Treatment]> =>
  Object.entries(table).filter(([, treatment]) => typeof treatment === 'string');

function requestOf(path: string, field: string): { address: string; body: Record<string, unknown> } {
  const body: Record<string, unknown> = { ...besides(path, field), [field]: sentIn(field) };
  if (field === 'contexts') delete body['message'];
  if (path === '/test-runs' && field === 'results') delete body['tests'];
  if (path === '/issues/{id}' && field === 'release') {
    Object.assign(body, { status: 'resolved', in: 'release' });
  }
  if (['release', 'appVersion'].includes(field) && path !== '/test-runs' && path !== '/feedback') {
    delete body['version'];
  }
  return { address: path.replace('{id}', ids.get(path) ?? 'nothing'), body };
}

inFull(describe)('a secret in each listed field', () => {
  beforeAll(async () => {
    watched = await startWatched();
    ids = await oneOfEach(watched);
  });
  afterAll(() => watched.end());

  it.each(Object.entries(bodies))('%s', async (path, table) => {
    for (const [field, treatment] of rows(table)) {
      const { address, body } = requestOf(path, field);
      const { status, text } = await watched.post(address, body);
      if (treatment === 'scrubbed') {
        expect([field, status < 300 ? '' : text, status < 300]).toEqual([field, '', true]);
      } else {
        // It is this field that is looked at, of something that is there.
        const isThere = status !== 404 || text.includes('notifier_test_case_invalid_id');
        const isLookedAt =
          status < 500 &&
          ![401, 403].includes(status) &&
          isThere &&
          !text.includes('rest_missing_callback_param');
        expect([field, isLookedAt ? '' : text]).toEqual([field, '']);
      }
    }
    expect(await leaksSoFar()).toEqual([]);
  });

  it('a commit, a ref, a line of the console', async () => {
    for (const [name, , table] of parts.slice(0, 3)) {
      for (const [field] of rows(table)) {
        const part = { id: 'a', repository: 'a', commit: 'b', message: 'c', [field]: sentIn(field) };
        const path = name === 'a line of the console' ? '/feedback' : '/releases';
        const list = { 'a commit': 'commits', 'a ref': 'refs' }[name] ?? 'console';
        expect((await watched.post(path, { ...required[path], [list]: [part] })).status).toBeLessThan(500);
      }
    }
    expect(await leaksSoFar()).toEqual([]);
  });

  it('an event, an exception, a frame', async () => {
    for (const [name, , table] of parts.slice(4)) {
      for (const [field] of rows(table)) {
        const part = { [field]: sentIn(field) };
        const frame = name === 'a frame' ? { ...part, lineno: 1 } : {};
        const exception = {
          type: 'E',
          value: 'v',
          stacktrace: { frames: [frame] },
          ...(name === 'an exception' ? part : {}),
        };
        const event = { message: 'x', exception: [exception], ...(name === 'an event' ? part : {}) };
        expect((await watched.post('/envelope', { events: [event] })).status).toBeLessThan(500);
      }
    }
    expect(await leaksSoFar()).toEqual([]);
  });

  it('an envelope: headers, items, attachments, sessions, losses', async () => {
    const event_id = 'e'.repeat(32);
    const attrs = {
      release: values['release']?.(),
      environment: `token=${canaries.secret()}`,
      user_agent: said(),
    };
    const items: Array<[object, unknown]> = [
      [
        { type: 'event', note: said() },
        { event_id, message: 'x' },
      ],
      [
        {
          type: 'attachment',
          filename: said(),
          content_type: `text/${said()}`,
          attachment_type: `ghp_${canaries.secret()}${'q7W'.repeat(8)}`,
        },
        'nothing',
      ],
      [{ type: 'user_report' }, { event_id, name: said(), email: said(), comments: said() }],
      [{ type: 'session' }, { init: true, sid: said(), did: said(), attrs }],
      [{ type: 'sessions' }, { aggregates: [{ exited: 1 }], attrs }],
      [
        { type: 'client_report' },
        {
          discarded_events: [
            { reason: `token=${canaries.secret()}`, category: `token=${canaries.secret()}`, quantity: 1 },
          ],
        },
      ],
      [{ type: `token=${canaries.secret()}` }, said()],
    ];
    const lines = items.map(
      ([head, payload]) =>
        `${JSON.stringify(head)}\n${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n`,
    );
    const header = {
      event_id,
      dsn: `https://${canaries.secret()}@shop.example/1`,
      sdk: { name: said() },
      trace: bag(),
    };
    const { status } = await watched.post('/envelope', `${JSON.stringify(header)}\n${lines.join('')}`);
    expect(status).toBe(201);
    expect(await leaksSoFar()).toEqual([]);
  });

  it('artifacts, in a form and as JSON', async () => {
    const script = `~/app.js?token=${canaries.secret()}`;
    const file = {
      name: script,
      content: `//# sourceMappingURL=app.js.map?token=x\nlet a;`,
      type: 'minified_source',
    };
    const json = {
      release: values['release']?.(),
      files: [file, { name: `https://ann:${canaries.secret()}@shop.example/b.js`, content: 'let b;' }],
    };
    expect(await watched.post('/artifacts', json)).toHaveStatus(201);
    const form = new FormData();
    form.set('release', '1.0');
    form.set('minified_url', asAddress());
    form.set('minified_file', new Blob(['let c;']), said());
    await watched.post('/artifacts', form);
    const odd = new FormData();
    odd.set('release', '1.0');
    odd.set(said(), new Blob(['let d;']), said());
    expect(await watched.post('/artifacts', odd)).toHaveStatus(400);
    await watched.post('/artifacts', { release: '1.0', files: [{ name: `../${said()}`, content: 'x' }] });
    expect(await leaksSoFar()).toEqual([]);
  });

  it('the Sentry API: releases, deploys, unreadable bodies', async () => {
    const releases = '/api/0/organizations/x/releases/';
    const named = `1.0 token=${canaries.secret()}`;
    await watched.post(releases, { version: named, projects: [said()], ref: said() });
    const address = `${releases}${encodeURIComponent(named)}/`;
    expect(
      (await watched.post(`${address}deploys/`, { environment: `token=${canaries.secret()}`, name: said() }))
        .status,
    ).toBe(201);
    expect(
      (await watched.ask(address, { headers: { Authorization: `Bearer ${watched.secretKey}` } })).status,
    ).toBe(200);
    await watched.post(releases, `{"password": "${canaries.secret()}", `);
    await watched.post(`${releases}${encodeURIComponent(said())}/files/`, {});
    expect(await leaksSoFar()).toEqual([]);
  });

  it('queries, paths, headers and refusals', async () => {
    const lists = [
      'issues',
      'events',
      'feedback',
      'releases',
      'deploys',
      'artifacts',
      'test-runs',
      'domains',
      'outcomes',
      ...['alert-channels', 'monitors', 'maintenance-windows', 'incidents', 'reports', 'report-schedules'],
      'status-pages',
    ];
    for (const list of lists) {
      const query = new URLSearchParams({
        search: `password=${canaries.secret()}`,
        token: canaries.secret(),
        page: '2',
        per_page: '1',
      });
      await watched.ask(`/${list}?${query}`, { headers: { Authorization: `Bearer ${watched.secretKey}` } });
      await watched.ask(`/${list}/${encodeURIComponent(said())}`, {
        headers: { Authorization: `Bearer ${watched.secretKey}` },
      });
    }
    const headers = {
      'User-Agent': said(),
      Referer: asAddress(),
      'X-Sentry-Auth': `Sentry sentry_key=${canaries.secret()}`,
    };
    await watched.post(`/store?sentry_key=${canaries.secret()}`, { message: 'x' }, headers);
    await watched.post('/store', `{"password": "${canaries.secret()}`);
    await watched.ask('/issues', { headers: { Authorization: `Bearer ntf_sk_${canaries.secret()}` } });
    await watched.post('/store', { message: 'x' }, { 'X-Notifier-Key': `ntf_pk_${canaries.secret()}` });
    await watched.post(
      '/feedback',
      { message: said(), url: asAddress() },
      { Origin: 'https://other.example' },
    );
    await watched.post('/releases', { version: '1.0', metadata: { [`token=${canaries.secret()}`]: {} } });
    await watched.post('/test-runs', `<testsuites><a token="${canaries.secret()}">`, {
      'Content-Type': 'text/xml',
    });
    await watched.post('/test-runs?run_env[key]=x', {
      tests: 1,
      run_env: { [said()]: said(), note: said() },
    });
    expect(await leaksSoFar()).toEqual([]);
  });

  it('is nowhere in the files, nor in all that can be read', async () => {
    expect(await leaksOf(watched, canaries)).toEqual([]);
    expect(watched.answers()).toContain('"issue_id"');
  });
});
