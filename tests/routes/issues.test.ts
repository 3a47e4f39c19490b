import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

let app: TestApp;
let others: Awaited<ReturnType<TestApp['addProject']>>;
let foreignIssue: number;
/** Twelve issues, one a minute, the n-th with n events: "cannot find a", "cannot find b" … */
const issues: number[] = [];
const letters = [...'abcdefghijkl'];

beforeAll(async () => {
  app = await openTestApp();
  others = await app.addProject('others');
  for (const [index, letter] of letters.entries()) {
    app.advance(60_000);
    let issueId = 0;
    for (let times = 0; times <= index; times += 1) {
      const answer = await app.post('/store', {
        message: `cannot find ${letter}${letter}`,
        level: index === 3 ? 'fatal' : 'error',
        platform: index === 4 ? 'python' : 'php',
        release: `shop@1.0.${index % 2}`,
        environment: index === 5 ? 'staging' : 'production',
        user: { id: `u${times % 3}` },
      });
      issueId = answer.body.issue_id;
    }
    issues.push(issueId);
  }
  const foreign = await app.post('/store', { message: 'theirs' }, { 'X-Notifier-Key': others.publicKey });
  foreignIssue = foreign.body.issue_id;
});
afterAll(() => app.close());

const idsOf = (body: Array<{ issue_id: number }>): number[] => body.map((issue) => issue.issue_id);

describe('the list of issues', () => {
  it('is a bare array of ten, the last seen first, with totals and the next page', async () => {
    const answer = await app.get('/issues');
    expect(answer).toHaveStatus(200);
    expect(idsOf(answer.body)).toEqual(issues.toReversed().slice(0, 10));
    expect(answer.headers['x-wp-total']).toBe('12');
    expect(answer.headers['x-wp-totalpages']).toBe('2');
    expect(answer.headers['link']).toContain(`<${app.origin}/wp-json/notifier/v1/issues?page=2>; rel="next"`);
    expect(answer.headers['link']).not.toContain('rel="prev"');
    expect(answer.body[0]).toEqual({
      issue_id: issues[11],
      title: 'cannot find ll',
      assigned_to: null,
      culprit: '',
      level: 'error',
      platform: 'php',
      status: 'unresolved',
      substatus: 'new',
      resolution: null,
      ignore: null,
      events: 12,
      users: 3,
      users_capped: false,
      regressions: 0,
      first_seen: '2026-11-21T12:12:00.000Z',
      last_seen: '2026-11-21T12:12:00.000Z',
      first_release: 'shop@1.0.1',
      last_release: 'shop@1.0.1',
      merged_into: null,
      overflow: false,
    });
  });

  it('has pages that list each issue once', async () => {
    const seen: number[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const answer = await app.get(`/issues?per_page=5&page=${page}&order=asc`);
      seen.push(...idsOf(answer.body));
      const link = answer.headers['link'] ?? '';
      expect([page, link.includes('rel="prev"'), link.includes('rel="next"')]).toEqual([
        page,
        page > 1,
        page < 3,
      ]);
      if (page === 2) expect(link).toContain('per_page=5&page=3&order=asc>; rel="next"');
    }
    expect(seen).toEqual(issues);
    const past = await app.get('/issues?page=9');
    expect([past.status, past.body, past.headers['x-wp-total']]).toEqual([200, [], '12']);
  });

  it.each([
    ['orderby=events&order=desc', () => issues.toReversed()],
    ['orderby=events&order=asc', () => issues],
    ['orderby=first_seen&order=asc', () => issues],
    ['orderby=id', () => issues.toReversed()],
    ['search=find+CC', () => [issues[2]]],
    ['search=100%25', () => []],
    ['search=_', () => []],
    ['level=fatal', () => [issues[3]]],
    ['platform=python', () => [issues[4]]],
    ['environment=staging', () => [issues[5]]],
    ['release=shop@1.0.0&order=asc', () => issues.filter((_, index) => index % 2 === 0)],
    ['first_release=shop@1.0.1&order=asc', () => issues.filter((_, index) => index % 2 === 1)],
    ['status=resolved', () => []],
    ['substatus=new&order=asc', () => issues],
  ])('with %s', async (query, expected) => {
    const answer = await app.get(`/issues?per_page=100&${query}`);
    expect(answer).toHaveStatus(200);
    expect(idsOf(answer.body)).toEqual(expected());
    expect(answer.headers['x-wp-total']).toBe(String(expected().length));
  });

  it('returns the requested fields', async () => {
    const { body } = await app.get('/issues?per_page=2&_fields=issue_id,title');
    expect(body).toEqual([
      { issue_id: issues[11], title: 'cannot find ll' },
      { issue_id: issues[10], title: 'cannot find kk' },
    ]);
  });

  it.each([
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['order=sideways', 'order'],
    ['orderby=password', 'orderby'],
    ['status=broken', 'status'],
    ['level=loud', 'level'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ])('refuses %s with the message of WordPress', async (query, parameter) => {
    const answer = await app.get(`/issues?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toEqual([parameter]);
  });
});

describe('the events of the project', () => {
  const idsOf = (list: ReadonlyArray<{ event_id: string }>) => list.map((each) => each.event_id);

  it('are listed newest first, page by page, whatever their issue', async () => {
    const all = await app.get('/events?per_page=100');
    const sums = await Promise.all(
      (await app.get('/issues?per_page=100')).body.map(async ({ issue_id: id }: { issue_id: number }) =>
        idsOf((await app.get(`/issues/${id}/events?per_page=100`)).body),
      ),
    );
    expect(idsOf(all.body).toSorted()).toEqual(sums.flat().toSorted());
    expect(all.headers['x-wp-total']).toBe(String(sums.flat().length));
    const times = all.body.map(({ received: at }: { received: string }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const second = await app.get('/events?per_page=2&page=2');
    expect([idsOf(second.body), second.headers['link']]).toEqual([
      idsOf(all.body).slice(2, 4),
      expect.stringContaining('/events?per_page=2&page=3>; rel="next"'),
    ]);
    const upwards = await app.get('/events?per_page=100&order=asc');
    expect(idsOf(upwards.body)).toEqual(idsOf(all.body).toReversed());
  });

  it('are searched by columns, tags and text, and a key of issues or an unknown one is refused', async () => {
    const sent = await app.post('/store', {
      ...{ message: 'Yak shaved', level: 'warning', release: 'yak@1', tags: { coat: 'wool' } },
    });
    const find = async (query: string) => {
      const { body, headers } = await app.get(`/events?query=${encodeURIComponent(query)}`);
      return [idsOf(body), headers['x-wp-total']];
    };
    for (const query of ['release:yak@1', 'coat:wool level:warning', 'shaved', `id:${sent.body.event_id}`]) {
      expect([query, await find(query)]).toEqual([query, [[sent.body.event_id], '1']]);
    }
    expect(await find('coat:wool level:error')).toEqual([[], '0']);
    const { body, status } = await app.get('/events?query=is:unresolved+colour:red');
    expect([status, body.data.params.query]).toEqual([
      400,
      expect.stringMatching(/`is` is a key of issues.*`colour`/),
    ]);
  });
});

describe('one issue', () => {
  it('has its hourly counts, its history and the reason of its grouping', async () => {
    const { body, status } = await app.get(`/issues/${issues[1]}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issue_id: issues[1],
      grouping: { algorithm: 'ng2', source: 'message', parts: ['cannot find bb'], notes: [] },
      hours: [{ hour: '2026-11-21T12:00:00.000Z', events: 2 }],
      activity: [{ kind: 'first_seen', actor: 'event', release: 'shop@1.0.1' }],
      merges: [],
    });
  });

  it('lists its events, newest first, page by page', async () => {
    const first = await app.get(`/issues/${issues[2]}/events?per_page=2`);
    expect([first.body.length, first.headers['x-wp-total'], first.headers['x-wp-totalpages']]).toEqual([
      2,
      '3',
      '2',
    ]);
    expect(first.headers['link']).toContain(`/issues/${issues[2]}/events?per_page=2&page=2>; rel="next"`);
    const second = await app.get(`/issues/${issues[2]}/events?per_page=2&page=2`);
    const ids = [...first.body, ...second.body].map((event: { event_id: string }) => event.event_id);
    expect(new Set(ids).size).toBe(3);
    const upwards = await app.get(`/issues/${issues[2]}/events?order=asc`);
    expect(upwards.body.map((event: { event_id: string }) => event.event_id)).toEqual(ids.toReversed());
    expect(first.body[0]).toMatchObject({
      issue_id: issues[2],
      title: 'cannot find cc',
      release: 'shop@1.0.0',
    });
    const none = await app.get(`/issues/${issues[2]}/events?release=other`);
    expect([none.body, none.headers['x-wp-total']]).toEqual([[], '0']);
    expect(await app.get(`/issues/${issues[2]}/events?per_page=0`)).toHaveStatus(400);
  });

  it('searches the titles of its events', async () => {
    // One issue by fingerprint, whose events say different things.
    const sent = ['Green door', 'Blue door', 'Blue 100% window'].map((message) =>
      app.post('/store', { message, fingerprint: ['doors'] }),
    );
    const [first] = await Promise.all(sent);
    const issueId: number = first?.body.issue_id;
    const found = async (search: string): Promise<string[]> =>
      (await app.get(`/issues/${issueId}/events?search=${encodeURIComponent(search)}`)).body
        .map((event: { title: string }) => event.title)
        .sort();
    expect(await found('BLUE')).toEqual(['Blue 100% window', 'Blue door']);
    expect(await found('0%')).toEqual(['Blue 100% window']);
    expect(await found('%')).toEqual(['Blue 100% window']);
    expect(await found('red')).toEqual([]);
  });
});

describe('an id', () => {
  const routes: Array<[string, (id: string | number) => Promise<{ status: number; text: string }>]> = [
    ['GET /issues/{id}', (id) => app.get(`/issues/${id}`)],
    ['POST /issues/{id}', (id) => app.postSecret(`/issues/${id}`, { status: 'resolved' })],
    ['GET /issues/{id}/events', (id) => app.get(`/issues/${id}/events`)],
  ];

  it.each(routes)('of another project gets the same answer as an unknown id: %s', async (_name, ask) => {
    const unknown = await ask(987_654);
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { code: 'notifier_issue_invalid_id', message: 'Invalid issue ID.', data: { status: 404 } },
    ]);
    for (const id of [foreignIssue, '0', 'abc', '-', '9'.repeat(30), '007']) {
      const answer = await ask(id);
      expect([id, answer.status, answer.text]).toEqual([id, 404, unknown.text]);
    }
    const theirs = await app.agent
      .get(`/wp-json/notifier/v1/issues/${foreignIssue}`)
      .set('Authorization', `Bearer ${others.secretKey}`);
    expect(theirs.body.status).toBe('unresolved');
  });
});

describe('a change of state', () => {
  const change = async (issueId: number | undefined, body: object) =>
    app.postSecret(`/issues/${issueId}`, body);

  it('resolves now, and an event after it is a regression', async () => {
    const resolved = await change(issues[0], { status: 'resolved' });
    expect(resolved).toHaveStatus(200);
    expect(resolved.body).toMatchObject({
      accepted: true,
      issue_id: issues[0],
      status: 'resolved',
      activity: [{ kind: 'resolved', actor: expect.stringMatching(/^key ntf_sk_/) }, { kind: 'first_seen' }],
    });
    expect(JSON.stringify(resolved.body)).not.toContain(app.secretKey);
    const again = await app.post('/store', { message: 'cannot find aa' });
    expect(again.body).toMatchObject({ issue_id: issues[0], is_regression: true, is_new: false });
    const { body } = await app.get(`/issues/${issues[0]}`);
    expect(body).toMatchObject({ status: 'unresolved', substatus: 'regressed', regressions: 1 });
    expect(body.activity[0]).toMatchObject({ kind: 'regressed', event_id: again.body.event_id });
  });

  it('resolves in a release: what is older is no regression', async () => {
    for (const version of ['shop@2.0.0', 'shop@2.1.0']) await app.postSecret('/releases', { version });
    expect(
      (await change(issues[1], { status: 'resolved', in: 'release', release: 'shop@2.1.0' })).status,
    ).toBe(200);
    const older = await app.post('/store', { message: 'cannot find bb', release: 'shop@2.0.0' });
    expect(older.body.is_regression).toBe(false);
    expect((await app.get(`/issues/${issues[1]}`)).body.status).toBe('resolved');
    const fixed = await app.post('/store', { message: 'cannot find bb', release: 'shop@2.1.0' });
    expect(fixed.body.is_regression).toBe(true);
  });

  it('ignores until so many more events came', async () => {
    expect((await change(issues[2], { status: 'ignored', until: 'count', count: 2 })).body.status).toBe(
      'ignored',
    );
    await app.post('/store', { message: 'cannot find cc' });
    expect((await app.get(`/issues/${issues[2]}`)).body.status).toBe('ignored');
    await app.post('/store', { message: 'cannot find cc' });
    expect((await app.get(`/issues/${issues[2]}`)).body.status).toBe('unresolved');
  });

  it('ignores until a date, for ever, and opens again', async () => {
    const date = new Date(app.deps.now() + 3_600_000).toISOString();
    expect((await change(issues[3], { status: 'ignored', until: 'date', date })).body.status).toBe('ignored');
    expect((await change(issues[3], { status: 'ignored' })).body.status).toBe('ignored');
    expect((await change(issues[3], { status: 'unresolved' })).body).toMatchObject({ status: 'unresolved' });
  });

  const cases = [
    ['nothing', {}, 'rest_missing_callback_param', 'status'],
    ['a state that is none', { status: 'closed' }, 'rest_invalid_param', 'status'],
    [
      'a release without its version',
      { status: 'resolved', in: 'release' },
      'rest_missing_callback_param',
      'release',
    ],
    ['a date without one', { status: 'ignored', until: 'date' }, 'rest_missing_callback_param', 'date'],
    ['a date that is none', { status: 'ignored', until: 'date', date: 'soon' }, 'rest_invalid_param', 'date'],
    ['a count without one', { status: 'ignored', until: 'count' }, 'rest_missing_callback_param', 'count'],
    ['a count of none', { status: 'ignored', until: 'count', count: 0 }, 'rest_invalid_param', 'count'],
    ['users without a number', { status: 'ignored', until: 'users' }, 'rest_missing_callback_param', 'users'],
    ['a merge with nobody', { merge: [] }, 'rest_invalid_param', 'merge'],
    ['a merge with one that is not there', { merge: [987_654] }, 'rest_invalid_param', 'merge'],
    ['an undo of no merge', { undo_merge: 987_654 }, 'rest_invalid_param', 'undo_merge'],
    ['a merge beside a state', { merge: [1], status: 'resolved' }, 'rest_invalid_param', 'merge'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 3)))(
    'to %s is refused and changes nothing',
    async (_name, body, code, parameter) => {
      const before = await app.get(`/issues/${issues[4]}`);
      const answer = await change(issues[4], body);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      expect(JSON.stringify(answer.body.data.params)).toContain(parameter);
      expect((await app.get(`/issues/${issues[4]}`)).body).toEqual(before.body);
    },
  );
});

describe('merging', () => {
  it('makes one issue of two, with their new events, and is undone exactly', async () => {
    const [into, from] = [issues[6], issues[7]];
    const before = [(await app.get(`/issues/${into}`)).body, (await app.get(`/issues/${from}`)).body];
    const merged = await app.postSecret(`/issues/${into}`, { merge: [from] });
    expect(merged).toHaveStatus(200);
    expect(merged.body).toMatchObject({
      events: 7 + 8,
      users: 3,
      merges: [{ issue_ids: [from], undone_at: null }],
    });
    expect((await app.get(`/issues/${from}`)).body.merged_into).toBe(into);
    expect(idsOf((await app.get('/issues?per_page=100')).body)).not.toContain(from);
    const event = await app.post('/store', { message: 'cannot find hh' });
    expect(event.body).toMatchObject({ issue_id: into, is_new: false });
    expect((await app.get(`/issues/${into}/events?per_page=1`)).headers['x-wp-total']).toBe('16');
    const [merge] = (await app.get(`/issues/${into}`)).body.merges;
    // Another issue's merge is not this one's to undo.
    expect(await app.postSecret(`/issues/${issues[8]}`, { undo_merge: merge.merge_id })).toHaveStatus(400);
    const undone = await app.postSecret(`/issues/${into}`, { undo_merge: merge.merge_id });
    expect(undone.body).toMatchObject({
      events: before[0].events,
      merges: [{ undone_at: expect.any(String) }],
    });
    const back = (await app.get(`/issues/${from}`)).body;
    expect([back.events, back.merged_into]).toEqual([before[1].events + 1, null]);
    expect((await app.post('/store', { message: 'cannot find hh' })).body.issue_id).toBe(from);
    expect(await app.postSecret(`/issues/${into}`, { undo_merge: merge.merge_id })).toHaveStatus(400);
  });
});

describe('an issue that was merged', () => {
  let head: number;
  let child: number;
  let grandchild: number;
  let inner: number;
  const whole = async (id: number) => (await app.get(`/issues/${id}`)).body;
  beforeAll(async () => {
    const file = async (word: string): Promise<number> =>
      (await app.post('/store', { message: `a merged issue ${word}` })).body.issue_id;
    [head, child, grandchild] = [await file('alpha'), await file('beta'), await file('gamma')];
    inner = (await app.postSecret(`/issues/${child}`, { merge: [grandchild] })).body.merges[0].merge_id;
    await app.postSecret(`/issues/${head}`, { merge: [child] });
  });

  it('is answered as its head, and says so', async () => {
    const standing = await whole(head);
    expect(standing).toMatchObject({ issue_id: head, events: 3, merged_into: null });
    for (const id of [child, grandchild]) expect(await whole(id)).toEqual({ ...standing, merged_into: head });
    const events = await app.get(`/issues/${grandchild}/events`);
    expect(events.body).toEqual((await app.get(`/issues/${head}/events`)).body);
    expect(events.headers['x-wp-total']).toBe('3');
  });

  it('changes its head, whose status is answered', async () => {
    const answer = await app.postSecret(`/issues/${grandchild}`, { status: 'resolved' });
    expect(answer).toHaveStatus(200);
    expect(answer.body).toMatchObject({ issue_id: head, status: 'resolved', events: 3, merged_into: head });
    expect(await whole(head)).toMatchObject({ status: 'resolved' });
    const opened = await app.postSecret(`/issues/${child}`, { status: 'unresolved' });
    expect(opened.body).toMatchObject({ issue_id: head, status: 'unresolved', substatus: 'ongoing' });
  });

  it('lists its merges below its head, each of which can be undone there', async () => {
    expect((await whole(head)).merges.map((merge: { merge_id: number }) => merge.merge_id)).toContain(inner);
    const undone = await app.postSecret(`/issues/${head}`, { undo_merge: inner });
    expect(undone.body).toMatchObject({ issue_id: head, events: 2 });
    expect(await whole(grandchild)).toMatchObject({ issue_id: grandchild, events: 1, merged_into: null });
    expect(await app.postSecret(`/issues/${head}`, { undo_merge: inner })).toHaveStatus(400);
  });

  it('merges others into its head', async () => {
    const answer = await app.postSecret(`/issues/${child}`, { merge: [grandchild] });
    expect(answer.body).toMatchObject({ issue_id: head, events: 3 });
  });
});
