import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, parseCommandArgs } from '../../src/cli/command.ts';
import { issueCommands } from '../../src/cli/commands/issues.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { type IssuesModel, issuesModel } from '../../src/core/page-models/issues/list.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import { searches } from '../fixtures/search/searches.ts';
import { openTestApp, startOfTests, type TestApp } from '../support/app.ts';
import { fullOrShort } from '../support/test-level.ts';

const hour = 3_600_000;

const frames = (...of: Array<readonly [string, string]>) => ({
  frames: of.map(([name, filename]) => ({ function: name, filename, lineno: 1, in_app: true })),
});
const raised = (type: string, value: string, stacktrace?: object, mechanism?: object) => ({
  exception: { values: [{ type, value, stacktrace, mechanism }] },
});

/** Hours before now, and the event. */
const events: ReadonlyArray<readonly [letter: string, hoursAgo: number, event: Record<string, unknown>]> = [
  [
    'A',
    240,
    {
      ...raised(
        'TypeError',
        'cart is undefined',
        frames(['main', 'src/main.js'], ['addToCart', 'src/checkout/cart.js']),
        { type: 'onerror', handled: false },
      ),
      ...{ level: 'error', platform: 'javascript', release: 'shop@1.0.0', environment: 'production' },
      user: { id: '84213', email: 'mara@shop.example', username: 'Mara B' },
      tags: { cart: 'full', sku_class: 'glass' },
      request: { url: 'https://shop.example/checkout?step=2' },
      contexts: { browser: { name: 'Chrome', version: '141.0.1' }, os: { name: 'Windows', version: '11' } },
    },
  ],
  [
    'E',
    230,
    {
      ...raised('TimeoutError', 'Timeout of 5 s', frames(['Client.call', 'Client.java'])),
      ...{ level: 'error', platform: 'java', release: 'shop@1.0.0', environment: 'production' },
      user: { id: '9', email: 'jane@example.com', username: 'Jane Doe' },
      contexts: {
        browser: { name: 'Safari', version: '17.2' },
        os: { name: 'Mac OS X', version: '14.1' },
        device: { model: 'iPhone15,2', family: 'iPhone' },
      },
    },
  ],
  [
    'B',
    190,
    {
      ...raised('PaymentError', 'card declined', frames(['capture', 'app/pay.py']), {
        type: 'generic',
        handled: true,
      }),
      ...{ level: 'fatal', platform: 'python', release: 'shop@1.1.0', environment: 'production' },
      ...{ transaction: '/pay', tags: { cart: 'empty' }, user: { id: '7' } },
      contexts: { runtime: { name: 'CPython', version: '3.13.1' } },
    },
  ],
  [
    'C',
    100,
    {
      ...{ message: 'Disk almost full', level: 'warning', platform: 'php', release: 'shop@1.1.0' },
      ...{ environment: 'staging', server_name: 'web-8' },
    },
  ],
  [
    'G',
    90,
    {
      ...raised('TypeError', 'no cart'),
      platform: 'node',
      culprit: 'cart.js',
      user: { email: 'john@example.com' },
    },
  ],
  [
    'D',
    20,
    {
      ...raised('ValueError', 'not a number', frames(['parse', 'lib/parse.js'])),
      ...{ level: 'info', platform: 'node', release: 'shop@1.2.0', environment: 'dev' },
      ...{ user: { ip_address: '203.0.113.9' }, tags: { 'http.method': 'POST' } },
    },
  ],
  ['F', 10, { ...raised('KeyError', 'gone'), platform: 'ruby', release: 'shop@1.2.0' }],
];

describe('a search', () => {
  let app: TestApp;
  const letters = new Map<number, string>();
  const idOf = (letter: string): number => [...letters].find(([, each]) => each === letter)?.[0] ?? 0;

  const send = async (event: Record<string, unknown>): Promise<number> =>
    (await app.post('/store', event).expect(201)).body.issue_id as number;
  const lettersOf = (rows: ReadonlyArray<{ readonly issue_id: number }>): string =>
    rows
      .map(({ issue_id: id }) => letters.get(id) ?? '?')
      .sort()
      .join('');

  beforeAll(async () => {
    app = await openTestApp({ nowMs: startOfTests - 240 * hour });
    const { store, now } = app.deps;
    let hoursAgo = 240;
    for (const [letter, ago, event] of events) {
      app.advance((hoursAgo - ago) * hour);
      hoursAgo = ago;
      letters.set(await send(event), letter);
    }
    const merged = await send({ ...raised('TypeError', 'other'), tags: { only: 'merged' } });
    await app.postSecret(`/issues/${idOf('A')}`, { merge: [merged] }).expect(200);
    for (const [letter, status] of [
      ['E', 'resolved'],
      ['F', 'ignored'],
      ['G', 'resolved'],
    ] as const) {
      await app.postSecret(`/issues/${idOf(letter)}`, { status }).expect(200);
    }
    app.advance(10 * hour);
    await send({ ...events[0]?.[2], user: { id: '84214' }, release: 'shop@1.0.0' });
    await send({ ...events[4]?.[2] });
    const team = { name: 'payments', hasAllProjects: true, createdAtMs: now(), createdBy: 'test' };
    const { id: teamId } = (await store.addTeam(team)) ?? { id: 0 };
    const act = { actor: 'test', nowMs: now() };
    await store.assignIssue(app.project.id, idOf('F'), { teamId, name: 'payments' }, act);
    for (const [letter, name, email] of [
      ['B', 'Mara B', 'mara@shop.example'],
      ['E', 'Jane Doe', null],
    ] as const) {
      const member = await store.addMember({
        ...{ name, nameKey: name.toLowerCase(), email, role: 'member' },
        ...{ createdAtMs: now(), createdBy: 'test' },
      });
      await store.assignIssue(app.project.id, idOf(letter), { memberId: member?.id ?? 0, name }, act);
    }
    // The link of a merged issue is one of the issue that it was merged into.
    for (const id of [idOf('G'), merged]) {
      const link = { projectId: app.project.id, issueId: id, url: 'https://t.example/1', createdBy: 'test' };
      await store.addIssueLink({ ...link, createdAtMs: now() }, 'test');
    }
  });
  afterAll(() => app.close());

  const visitOf = (query: string): RequestContext => ({
    ...{
      deps: app.deps,
      projects: [app.project],
      hasAllProjects: true,
      project: null,
      path: {},
      nowMs: app.deps.now(),
    },
    ...{ apiUrl: '', pagesUrl: '', by: commandLineSource },
    settings: { timeZone: 'UTC', defaultView: 'unresolved', hasShortcuts: true },
    currentUser: { memberId: null, name: 'x', role: 'viewer', sessionId: null, csrfToken: '' },
    query: new URLSearchParams({ query, range: '30d' }),
  });
  const command = async (query: string): Promise<string | null> => {
    const [list] = issueCommands;
    if (list === undefined) throw new Error('no command');
    const context = { env: {}, deps: async () => app.deps, out: () => {}, err: () => {}, isTerminal: false };
    try {
      const done = await list.run(context, parseCommandArgs(list, [`--query=${query}`]));
      return lettersOf((done as CommandResult).json as Array<{ issue_id: number }>);
    } catch (error) {
      expect(error).toMatchObject({ code: 'rest_invalid_param' });
      return null;
    }
  };

  it('finds the same in the page, the API and the command line', async () => {
    expect(searches.length).toBeGreaterThanOrEqual(120);
    const got = [];
    for (const [index, [query, , mistakes = 0]] of searches.entries()) {
      const model: IssuesModel = await issuesModel(visitOf(query));
      const onPage = lettersOf(model.issues);
      const seen = model.search.mistakes.length;
      got.push(seen === 0 ? [query, onPage] : [query, onPage, seen]);
      // In the short form most searches are asked of the page alone.
      if (index % fullOrShort(1, 24) !== 0) continue;
      const answer = await app.get(`/issues?per_page=100&query=${encodeURIComponent(query)}`);
      const byApi = answer.status === 200 ? lettersOf(answer.body) : null;
      expect([query, answer.status]).toEqual([query, mistakes === 0 ? 200 : 400]);
      expect([query, byApi, await command(query)]).toEqual(
        mistakes === 0 ? [query, onPage, onPage] : [query, null, null],
      );
    }
    expect(got).toEqual(searches.map((each) => [...each]));
  });

  it('names the nearest known key in the error format of WordPress', async () => {
    const { status, body } = await app.get('/issues?query=lvl:error');
    const message = 'Unknown key `lvl`: did you mean `level`?';
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        code: 'rest_invalid_param',
        data: expect.objectContaining({ params: { query: message } }),
      }),
    ]);
  });

  it('finds events of an issue by columns, tags and texts', async () => {
    const total = async (query: string): Promise<number> => {
      const path = `/issues/${idOf('A')}/events?query=${encodeURIComponent(query)}`;
      return Number((await app.get(path).expect(200)).headers['x-wp-total']);
    };
    const asked = {
      ...{ '': 3, 'release:shop@1.0.0': 2, '!release:shop@1.0.0': 1, 'user.email:mara@shop.example': 1 },
      ...{
        'user.id:[84213,84214]': 2,
        'timestamp:-1h': 1,
        'only:merged': 1,
        '!only:merged': 2,
        'cart:f*': 2,
      },
      ...{
        'browser.name:Chrome': 2,
        'file:*cart.js': 2,
        'function:addtocart level:error': 2,
        'type:TypeError': 3,
      },
      ...{ 'message:"is undefined"': 2, other: 1, '!other': 2, 'has:environment': 2, '!has:user': 1 },
    };
    for (const [query, found] of Object.entries(asked)) {
      expect([query, await total(query)]).toEqual([query, found]);
    }
    await app.get(`/issues/${idOf('A')}/events?query=is:resolved`).expect(400);
  });
});
