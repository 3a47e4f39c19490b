import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type supertest from 'supertest';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/store/counts.ts';
import type { Store } from '../../src/core/store/store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { createdStatus, doors } from '../support/entries.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, rows, runs } from '../support/test-level.ts';
import { codePointText } from '../support/texts.ts';

const app = sharedApp({ domains: ['a.example'] });

describe('numbers out of range', () => {
  it.each([
    ['a tag', '"tags":{"a":1e400}', 'tags.a'],
    ['a level', '"level":-1e400', 'level'],
    ['a line number', '"stacktrace":{"frames":[{"lineno":1e400}]}', 'stacktrace.frames.0.lineno'],
    ['a flag', '"exception":[{"mechanism":{"handled":1e400}}]', 'exception.values.0.mechanism.handled'],
    ['an entry of extra', '"extra":{"a":[{"b":1e400}]}', 'extra.a'],
    ['an unknown field', '"unheard_of":1e400', 'unheard_of'],
    ['a context', '"contexts":{"app":{"a":-1e400}}', 'contexts.app'],
    ['variables of a frame', '"stacktrace":[{"vars":[1e400]}]', 'stacktrace.frames.0.vars'],
    ['a time', '"timestamp":1e400', 'timestamp'],
  ])('%s out of range is dropped, noted and not repeated', async (_name, field, noted) => {
    for (const door of doors) {
      const { status, body, request } = await door.send(app, `{"message":"x",${field}}`);
      expect({ door: door.name, status }).toEqual({ door: door.name, status: createdStatus(request.url) });
      expect(body.errors).toContainEqual({ type: 'invalid_data', name: noted });
    }
  });
});

/** The least that each writing route takes, and the names that it reads. */
const routes: ReadonlyArray<
  readonly [path: string, right: Record<string, unknown>, names: readonly string[]]
> = [
  [
    '/store',
    { message: 'x' },
    ['message', 'platform', 'level', 'tags', 'exception', 'fingerprint', 'release'],
  ],
  ['/store?_envelope=1', { message: 'x' }, ['message', 'event_id', 'user', 'request', 'contexts', '_fields']],
  [
    '/envelope',
    { message: 'x' },
    ['message', 'events', 'extra', 'timestamp', 'breadcrumbs', 'threads', 'sdk'],
  ],
  [
    '/feedback',
    { message: 'x' },
    ['message', 'tags', 'metadata', 'console', 'viewport', 'email', 'contexts'],
  ],
  [
    '/sdk-verify',
    { sdk: { name: 'a', version: '1' }, domain: 'a.example' },
    ['sdk', 'release', 'sent_at', 'etag'],
  ],
  [
    '/releases',
    { version: '1' },
    ['version', 'commits', 'refs', 'metadata', 'url', 'date_released', 'finalize'],
  ],
  [
    '/deploys',
    { version: '1', environment: 'e' },
    ['version', 'environment', 'deploy', 'status', 'key', 'name'],
  ],
  ['/domains', { domain: 'b.example' }, ['domain', 'sampling', 'allowed_origins', 'bug_reports']],
  ['/domain-verifications', { domain: 'c.example' }, ['domain', 'method', 'scope', 'label']],
  [
    '/issues/1',
    { status: 'resolved' },
    ['status', 'in', 'until', 'count', 'users', 'merge', 'undo_merge', 'date'],
  ],
];

describe('any body', () => {
  it.each(rows(() => fullOrSome(routes, 3)))(
    'to %s gets a success if something was stored, and never a 500',
    async (path, right, names) => {
      await fc.assert(
        fc.asyncProperty(bodyOf(right, names), async (body) => {
          const before = await totals();
          const { status, text } = await post(path, body);
          expect({ body, text, isFault: status >= 500 }).toMatchObject({ isFault: false });
          if (status >= 300) expect(await totals()).toEqual(before);
        }),
        { numRuns: runs(40) },
      );
    },
  );
});

describe('a store that fails between two items', () => {
  it.each([
    ['is busy', new StoreBusyError('busy'), 'rest_too_many_requests'],
    ['cannot write', new StoreUnavailableError('full'), 'rest_unavailable'],
    ['breaks', new Error('broken'), 'internal_server_error'],
  ])('accepts an envelope whose event is stored when the store %s after it', async (_name, fault, code) => {
    const other = await openFailing({
      recordFeedback: () => Promise.reject(fault),
      addSessions: () => Promise.reject(fault),
    });
    try {
      const lost: string[][] = [];
      Object.assign(other.deps.outcomes, {
        count: ({ category, outcome }: Outcome) => void lost.push([category, outcome]),
      });
      const report = '{"contexts":{"feedback":{"message":"x","url":"https://a.example/"}}}';
      const items = [
        ['event', '{"message":"x"}'],
        ['feedback', report],
        ['session', '{"init":true}'],
      ];
      const lines = items.map(([type, json]) => `{"type":"${type}"}\n${json}\n`);
      const answer = await post('/envelope', `{}\n${lines.join('')}`, other);
      expect(answer).toHaveStatus(201);
      expect(answer.body).toMatchObject({
        accepted: true,
        event_id: expect.any(String),
        items: { event: 1 },
        skipped: { feedback: 1, session: 1 },
        errors: [
          { type: code, name: 'feedback' },
          { type: code, name: 'session' },
        ],
      });
      const outcome = fault instanceof StoreBusyError ? 'rate_limited' : 'failed';
      expect(lost).toEqual([
        ['feedback', outcome],
        ['session', outcome],
      ]);
    } finally {
      await other.close();
    }
  });

  it('answers each event of a list separately once one is stored', async () => {
    // Refused by what it says: the events of a list reach the store in no fixed order.
    const other = await openFailing({
      recordEvent: (event) =>
        event.title.includes('refused')
          ? Promise.reject(new StoreBusyError('busy'))
          : app.deps.store.recordEvent(event),
    });
    try {
      const answer = await post(
        '/envelope',
        '{"events":[{"message":"a"},{"message":"refused"},{"message":"c"}]}',
        other,
      );
      expect(answer).toHaveStatus(201);
      expect(answer.body.events).toEqual([
        expect.objectContaining({ event_id: expect.any(String) }),
        {
          event_id: null,
          issue_id: null,
          error: { code: 'rest_too_many_requests', message: expect.any(String) },
        },
        expect.objectContaining({ event_id: expect.any(String) }),
      ]);
    } finally {
      await other.close();
    }
  });

  it('refuses an envelope of which nothing was stored', async () => {
    const other = await openFailing({ recordEvent: () => Promise.reject(new StoreBusyError('busy')) });
    try {
      const answer = await post('/envelope', '{}\n{"type":"event"}\n{"message":"x"}\n', other);
      expect([answer.status, answer.body.code]).toEqual([429, 'rest_too_many_requests']);
      const list = await post('/envelope', '{"events":[{"message":"x"}]}', other);
      expect([list.status, list.body.code]).toEqual([429, 'rest_too_many_requests']);
    } finally {
      await other.close();
    }
  });
});

let projects = 0;

async function openFailing(methods: Partial<Store>): Promise<TestApp> {
  const { createProject } = app.deps.store;
  projects += 1;
  const name = `failing ${projects}`;
  const named: Partial<Store> = { createProject: (project) => createProject({ ...project, name }) };
  const store = Object.assign(Object.create(app.deps.store) as Store, named, methods);
  const quiet = { ...app.deps.log, error: () => {} };
  return openTestApp({ deps: { store, log: quiet }, domains: ['a.example'] });
}

async function totals(): Promise<string[]> {
  const lists = ['/feedback', '/releases', '/deploys', '/domains', '/issues', '/outcomes'];
  const answers = await Promise.all(lists.map((path) => app.get(path)));
  const outcomes: Array<{ outcome: string; quantity: number }> = answers.at(-1)?.body ?? [];
  const accepted = outcomes.filter(({ outcome }) => outcome === 'accepted');
  return [...answers.map(({ headers }) => String(headers['x-wp-total'])), JSON.stringify(accepted)];
}

function post(path: string, body: string, to: TestApp = app): supertest.Test {
  const isPublic = /^\/(?:store|envelope|feedback|sdk-verify)/.test(path);
  return to.agent
    .post(`/wp-json/notifier/v1${path}`)
    .set('Origin', 'https://a.example')
    .set('X-Notifier-Explain', '1')
    .set(isPublic ? 'X-Notifier-Key' : 'Authorization', isPublic ? to.publicKey : `Bearer ${to.secretKey}`)
    .set('Content-Type', 'application/json')
    .send(body);
}

const oddText = fc.oneof(
  fc.constantFrom(
    '1e400',
    '-1e400',
    '-0.0',
    '1e-400',
    '9007199254740993',
    '1e21',
    '0',
    '[]',
    '{}',
    'null',
    'true',
  ),
  fc.constantFrom(
    '"\\u0000"',
    '"\\ud83d\\ude00"',
    '"\\u202e"',
    '"__proto__"',
    '"constructor"',
    '"[Filtered]"',
    '""',
  ),
  codePointText({ maxLength: 8 }).map((text) => JSON.stringify(text.toWellFormed())),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);
const { valueText } = fc.letrec<{ valueText: string }>((tie) => ({
  valueText: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oddText,
    fc.array(tie('valueText'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(
        fc.tuple(
          fc.constantFrom('a', '0', '', '__proto__', 'values', 'id', 'frames', 'value'),
          tie('valueText'),
        ),
        {
          maxLength: 3,
        },
      )
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
  ),
}));

function bodyOf(right: Record<string, unknown>, names: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.tuple(fc.constantFrom(...names), valueText), { maxLength: 4 }).map((members) => {
    const all = new Map(Object.entries(right).map(([name, value]) => [name, JSON.stringify(value)]));
    for (const [name, value] of members) all.set(name, value);
    return `{${[...all].map(([name, value]) => `"${name}":${value}`).join(',')}}`;
  });
}
