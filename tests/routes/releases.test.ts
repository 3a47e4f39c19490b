import { describe, expect, it } from '@jest/globals';
import { startOfTests } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp();

const release = (body: unknown) => app.postSecret('/releases', body);

describe('POST /releases', () => {
  it('creates a release, then updates it: given members replace, absent ones stay', async () => {
    const first = await release({
      version: ' shop@1.2.0 ',
      ref: 'main',
      url: 'https://ci.example/1',
      date_started: '2026-11-20T23:33:27.442307317Z',
      projects: ['ignored'],
      unknown_member: { deep: [1] },
    });
    expect(first).toHaveStatus(201);
    expect(first.body).toEqual({
      accepted: true,
      release_id: expect.any(Number),
      version: 'shop@1.2.0',
      created: true,
      url: 'https://ci.example/1',
    });
    const second = await release({ version: 'shop@1.2.0', ref: 'v1.2.0', url: null });
    expect(second).toHaveStatus(200);
    expect(second.body).toMatchObject({
      release_id: first.body.release_id,
      created: false,
      url: 'https://ci.example/1',
    });
    const read = await app.get(`/releases/${first.body.release_id}`);
    expect(read.body).toMatchObject({
      version: 'shop@1.2.0',
      package: 'shop',
      ref: 'v1.2.0',
      date_started: '2026-11-20T23:33:27.442Z',
      date_released: null,
      status: 'open',
    });
  });

  it('finalises once: the first date stays unless another is given', async () => {
    const made = await release({ version: 'final-1', finalize: true });
    app.advance(60_000);
    await release({ version: 'final-1', finalize: true });
    const read = async () => (await app.get(`/releases/${made.body.release_id}`)).body.date_released;
    expect(await read()).toBe(new Date(startOfTests).toISOString());
    await release({ version: 'final-1', dateReleased: 1_795_218_239 });
    expect(await read()).toBe('2026-11-20T23:43:59.000Z');
    await release({ version: 'final-1', date_released: 1_795_218_239_500 });
    expect(await read()).toBe('2026-11-20T23:43:59.500Z');
  });

  it.each([
    ['release', { release: 'alias-1' }, 'alias-1'],
    ['appVersion', { appVersion: 'alias-2', version: null }, 'alias-2'],
    ['version before its aliases', { version: 'alias-3', release: 'x' }, 'alias-3'],
  ])('accepts the alias %s', async (_name, body, version) => {
    expect((await release(body)).body.version).toBe(version);
  });

  it('keeps a release named __proto__ like any other', async () => {
    const made = await release({ version: '__proto__', metadata: { note: 'x' } });
    expect(made).toHaveStatus(201);
    expect((await app.get('/releases?version=__proto__')).body[0].version).toBe('__proto__');
  });

  it.each([
    [200, 'a'.repeat(200), 201],
    [201, 'a'.repeat(201), 400],
    ['200 four-byte', '🚀'.repeat(200), 201],
    ['201 four-byte', '🚀'.repeat(201), 400],
  ])('a version of %s characters', async (_name, version, status) => {
    expect(await release({ version })).toHaveStatus(status);
  });

  it.each([
    ['@scope/x@1', 'a slash "/" (character 7)'],
    ['feat\\x', 'a backslash "\\" (character 5)'],
    ['a\tb', 'a tab (character 2)'],
    ['a\u0001b', 'U+0001 (character 2)'],
    ['..', 'must not be ".."'],
    ['Latest', 'must not be "Latest"'],
  ])('refuses the version %j and names what is wrong', async (version, words) => {
    const answer = await release({ version });
    expect(answer).toHaveStatus(400);
    expect(answer.body.code).toBe('rest_invalid_param');
    expect(answer.body.data.params.version).toContain(words);
  });

  it.each([
    ['no version', {}, 'rest_missing_callback_param', 'version'],
    ['null', { version: null }, 'rest_missing_callback_param', 'version'],
    ['a number', { version: 1.5 }, 'rest_invalid_param', 'version'],
    [
      'a day that is not',
      { version: 'x', date_released: '2026-02-30' },
      'rest_invalid_param',
      'date_released',
    ],
    ['a commit without id', { version: 'x', commits: [{ message: 'y' }] }, 'rest_invalid_param', 'commits'],
    [
      '1,001 commits',
      { version: 'x', commits: Array(1001).fill({ id: 'a' }) },
      'rest_invalid_param',
      'commits',
    ],
    ['credentials in the url', { version: 'x', url: 'https://a:b@c.example/' }, 'rest_invalid_param', 'url'],
    ['another scheme', { version: 'x', url: 'javascript:alert(1)' }, 'rest_invalid_param', 'url'],
    ['an unknown status', { version: 'x', status: 'gone' }, 'rest_invalid_param', 'status'],
    ['a ref of 251', { version: 'x', ref: 'r'.repeat(251) }, 'rest_invalid_param', 'ref'],
    [
      '51 metadata',
      { version: 'x', metadata: Object.fromEntries(Array.from({ length: 51 }, (_v, i) => [`k${i}`, 1])) },
      'rest_invalid_param',
      'metadata',
    ],
    ['nested metadata', { version: 'x', metadata: { a: { b: 1 } } }, 'rest_invalid_param', 'metadata'],
  ])('refuses %s and stores nothing', async (_name, body, code, param) => {
    const answer = await release(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    const { params } = answer.body.data;
    expect(Array.isArray(params) ? params : Object.keys(params)).toContain(param);
    expect((await app.get('/releases?version=x')).body).toEqual([]);
  });

  it('keeps commits, replaces the list, and takes an empty one', async () => {
    const commit = {
      id: 'abc123',
      message: 'm'.repeat(20_000),
      author_email: null,
      timestamp: '2026-11-20 10:00:00+01:00',
    };
    const made = await release({ version: 'commits-1', commits: [commit, { id: 'def' }] });
    const read = async () => (await app.get(`/releases/${made.body.release_id}`)).body;
    expect(await read()).toMatchObject({ commit_count: 2, last_commit: 'abc123' });
    expect((await read()).commits[0]).toMatchObject({ timestamp: '2026-11-20T09:00:00.000Z' });
    expect((await read()).commits[0].message).toHaveLength(16_384);
    await release({ version: 'commits-1', commits: [] });
    expect(await read()).toMatchObject({ commit_count: 0, last_commit: null, commits: [] });
  });

  it.each([
    ['id', 64],
    ['repository', 200],
    ['author_name', 128],
    ['author_email', 254],
  ])('accepts a commit whose %s has %i characters, and none with one more', async (member, most) => {
    const commits = (length: number) => [{ id: 'abc', [member]: 'x'.repeat(length) }];
    const version = `commit-${member}`;
    expect(await release({ version, commits: commits(most + 1) })).toHaveStatus(400);
    expect(await release({ version, commits: commits(most) })).toHaveStatus(201);
  });
});

describe('GET /releases', () => {
  it('has the parameters of WordPress lists, and sorts versions as numbers', async () => {
    const { secretKey } = await app.addProject('sorted');
    const versions = ['1.10.0', '1.9.0', '1.10.0-rc1', 'abcdefabcdef', '1.2', '1.10.0+2', '1.10.0+10'];
    const as = (path: string) =>
      app.agent.get(`/wp-json/notifier/v1${path}`).set('Authorization', `Bearer ${secretKey}`);
    for (const version of versions) {
      await app.agent
        .post('/wp-json/notifier/v1/releases')
        .set('Authorization', `Bearer ${secretKey}`)
        .send({ version });
    }
    const sorted = await as('/releases?orderby=version&order=asc&per_page=100');
    expect(sorted.body.map((one: { version: string }) => one.version)).toEqual([
      'abcdefabcdef',
      '1.2',
      '1.9.0',
      '1.10.0-rc1',
      '1.10.0',
      '1.10.0+2',
      '1.10.0+10',
    ]);
    const page = await as('/releases?per_page=3&search=1.10');
    expect(page.body).toHaveLength(3);
    expect(page.headers).toMatchObject({ 'x-wp-total': '4', 'x-wp-totalpages': '2' });
    expect(page.headers['link']).toContain('rel="next"');
    expect(await as('/releases?per_page=101')).toHaveStatus(400);
  });

  it('counts issues, deploys and test runs of a release', async () => {
    const version = 'knows@1.0.0';
    await app.post('/store', { message: 'boom in knows', platform: 'php', release: version });
    const listed = (await app.get(`/releases?version=${encodeURIComponent(version)}`)).body;
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({ issues: { new: 1, regressed: 0, resolved: 0 }, deploy_count: 0 });
    expect(await release({ version })).toHaveStatus(200);
    await app.postSecret('/deploys', { version, environment: 'production' });
    await app.postSecret('/test-runs', { status: 'passed', passed: 3, release: version });
    const read = (await app.get(`/releases/${listed[0].release_id}`)).body;
    expect(read).toMatchObject({ deploy_count: 1, test_run_count: 1, artifact_count: 0 });
    expect(read.issue_ids.new).toHaveLength(1);
    expect(read.sessions).toMatchObject({ total: 0, crash_free_share: null });
  });

  it('deletes a release with its deploys', async () => {
    const made = await app.postSecret('/deploys', { version: 'gone-1', environment: 'test' });
    const answer = await app.deleteSecret(`/releases/${made.body.release_id}`);
    expect(answer.body).toMatchObject({ deleted: true, previous: { version: 'gone-1', deploy_count: 1 } });
    expect(await app.get(`/deploys/${made.body.deploy_id}`)).toHaveStatus(404);
  });
});
