// Requests as sentry-cli 3.8.0 and 2.58.6 send them.
import { describe, expect, it } from '@jest/globals';
import { wholeAudit } from '../support/audit.ts';
import { sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const app = sharedApp();

async function call(method: string, path: string, body?: object, token = app.secretKey) {
  const response = await fetch(`${app.origin}/api/0${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json(), link: response.headers.get('link') };
}

const issuesOf = (query: string, project = 'test') => `/projects/any/${project}/issues/?${query}`;

async function statusesOf(...ids: readonly number[]) {
  return Promise.all(ids.map(async (id) => (await app.get(`/issues/${id}`)).body.status));
}

async function storeIssue(message: string, more: object = {}): Promise<number> {
  return (await app.post('/store', { message, fingerprint: [message], ...more })).body.issue_id;
}

/** The cursor of the next page; null where there is none. */
function nextOf(link: string | null): string | null {
  const [, results, cursor] = /rel="next"; results="(true|false)"; cursor="([\d:]+)"$/.exec(link ?? '') ?? [];
  return results === 'true' ? (cursor ?? '') : null;
}

describe('issues', () => {
  it('are listed as in Sentry, with a search', async () => {
    const id = await storeIssue('listed', { level: 'fatal', platform: 'python' });
    const { status, body, link } = await call('GET', issuesOf('query=level:fatal&cursor='));
    expect([status, nextOf(link)]).toEqual([200, null]);
    expect(body).toEqual([
      {
        id: String(id),
        shortId: String(id),
        title: 'listed',
        culprit: '',
        permalink: `${app.origin}/issues/${id}`,
        level: 'fatal',
        status: 'unresolved',
        substatus: 'new',
        platform: 'python',
        project: { id: String(app.project.id), slug: 'test', name: 'test' },
        count: '1',
        userCount: 0,
        firstSeen: new Date(app.deps.now()).toISOString(),
        lastSeen: new Date(app.deps.now()).toISOString(),
      },
    ]);
    const wrong = await call('GET', issuesOf('query=nosuchkey:1&cursor='));
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { detail: expect.stringContaining('Unknown key `nosuchkey`') },
    ]);
  });

  it('are the unresolved ones without a query, and all with an empty one', async () => {
    const id = await storeIssue('resolved already');
    await app.postSecret(`/issues/${id}`, { status: 'resolved' });
    const idsOf = async (query: string) =>
      (await call('GET', issuesOf(query))).body.map((issue: { id: string }) => Number(issue.id));
    expect(await idsOf('')).not.toContain(id);
    expect(await idsOf('query=&cursor=')).toContain(id);
  });

  inFull(it)('have pages of a hundred', async () => {
    const { project, publicKey, secretKey } = await app.addProject('long');
    for (let nth = 0; nth < 101; nth += 1) {
      const event = { message: `long ${nth}`, fingerprint: [`long ${nth}`] };
      await app.post('/store', event, { 'X-Notifier-Key': publicKey });
    }
    const pageAt = (cursor: string) =>
      call('GET', issuesOf(`query=&cursor=${cursor}`, String(project.id)), undefined, secretKey);
    const first = await pageAt('');
    expect([first.body.length, nextOf(first.link)]).toEqual([100, '0:100:0']);
    const second = await pageAt(nextOf(first.link) ?? '');
    expect([second.body.length, nextOf(second.link)]).toEqual([1, null]);
    expect(await pageAt('elsewhere')).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
  });

  it('are resolved, muted and unresolved by their numbers, by status or all at once', async () => {
    const [one, two] = [await storeIssue('one'), await storeIssue('two')];
    const change = (query: string, status: string, more: object = { snoozeDuration: null }) =>
      call('PUT', issuesOf(query), { status, ...more });
    expect(await change(`id=${one}&id=${two}`, 'resolved')).toMatchObject({
      status: 200,
      body: { status: 'resolved', statusDetails: {} },
    });
    expect(await statusesOf(one, two)).toEqual(['resolved', 'resolved']);
    expect(await change(`id=${one}`, 'muted')).toMatchObject({ status: 200, body: { status: 'ignored' } });
    await change('status=resolved', 'unresolved');
    expect(await statusesOf(one, two)).toEqual(['ignored', 'unresolved']);
    await change('status=muted', 'unresolved');
    await change('', 'resolvedInNextRelease');
    expect((await app.get(`/issues/${one}`)).body).toMatchObject({
      status: 'resolved',
      resolution: { in: 'next_release' },
    });
    await change(`id=${two}`, 'ignored', { ignoreDuration: 60 });
    const until = new Date(app.deps.now() + 3_600_000).toISOString();
    expect((await app.get(`/issues/${two}`)).body.ignore).toEqual({ until: 'date', date: until });
    for (const duration of [{ ignoreDuration: 1 }, { snoozeDuration: 1 }, { ignoreDuration: 525_600 }]) {
      expect(await change(`id=${two}`, 'ignored', duration)).toHaveStatus(200);
    }
    const [entry] = await app.deps.store.listAudit(wholeAudit, { limit: 1 });
    expect(entry).toMatchObject({ action: 'issue.ignored', objectId: String(two), actor: { kind: 'key' } });
  });

  it('are changed where they match a query, also by status', async () => {
    const [one, two] = [await storeIssue('asked for'), await storeIssue('asked for too', { level: 'fatal' })];
    const change = (query: string, status: string) => call('PUT', issuesOf(query), { status });
    await change(`id=${one}&id=${two}`, 'unresolved');
    expect(await change('query=level:fatal', 'resolved')).toHaveStatus(200);
    expect(await statusesOf(one, two)).toEqual(['unresolved', 'resolved']);
    expect(await change('status=resolved&query=level:error', 'ignored')).toHaveStatus(200);
    expect(await statusesOf(one, two)).toEqual(['unresolved', 'resolved']);
  });

  it.each([
    ['an issue that is not there', 'id=1&id=999999', { status: 'resolved' }, 404, 'no issue 999999'],
    ['an id that is no number', 'id=SHOP-1', { status: 'resolved' }, 400, 'id must be'],
    ['a status that is none', 'status=gone', { status: 'resolved' }, 400, 'status is not one of'],
    ['a name that we do not know', 'ids=1', { status: 'resolved' }, 400, 'ids does not select'],
    ['a search that is wrong', 'query=nosuchkey:1', { status: 'resolved' }, 400, 'Unknown key `nosuchkey`'],
    ['two searches', 'query=a&query=b', { status: 'resolved' }, 400, 'query can be given once'],
    ['an id beside a search', 'id=1&query=a', { status: 'resolved' }, 400, 'together with id'],
    ['no change', '', {}, 400, 'status'],
    ['a change that we do not know', '', { status: 'resolved', assignedTo: 'ada' }, 400, 'assignedTo'],
    ['a change to a status that is none', '', { status: 'deleted' }, 400, 'status'],
    ...[0, 525_601].flatMap((minutes) =>
      ['ignoreDuration', 'snoozeDuration'].map(
        (name) => [`a ${name} of ${minutes}`, '', { status: 'ignored', [name]: minutes }, 400, name] as const,
      ),
    ),
  ])('are not changed with %s, with a message', async (_name, query, body, status, words) => {
    const id = await storeIssue('left alone');
    await app.postSecret(`/issues/${id}`, { status: 'unresolved' });
    const answer = await call('PUT', issuesOf(query), body);
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.stringContaining(words) }]);
    expect(await statusesOf(id)).toEqual(['unresolved']);
  });

  it('of another project than that of the key are neither shown nor changed', async () => {
    const { secretKey } = await app.addProject('other');
    const id = await storeIssue('not theirs');
    const detail = 'This key is of the project other. Name that one, or use a key of the other.';
    for (const path of [issuesOf('query=&cursor='), '/projects/any/test/events/?cursor=']) {
      expect(await call('GET', path, undefined, secretKey)).toMatchObject({ status: 404, body: { detail } });
    }
    for (const path of [issuesOf(''), issuesOf(`id=${id}`), issuesOf(`id=${id}`, 'other')]) {
      expect(await call('PUT', path, { status: 'resolved' }, secretKey)).toHaveStatus(404);
    }
    expect(await statusesOf(id)).toEqual(['unresolved']);
  });
});

describe('events', () => {
  it('are listed newest first, with user and tags, in pages that new events do not move', async () => {
    const { publicKey, secretKey } = await app.addProject('events');
    const send = (nth: number) =>
      app.post(
        '/store',
        { message: `event ${nth}`, tags: { nth: String(nth) }, user: { id: 'ada', username: 'Ada' } },
        { 'X-Notifier-Key': publicKey },
      );
    for (let nth = 0; nth < 101; nth += 1) await send(nth);
    const pageAt = (cursor: string) =>
      call('GET', `/projects/any/events/events/?cursor=${cursor}`, undefined, secretKey);
    const { store } = app.deps;
    const { readPayloads } = store;
    const slices: number[] = [];
    store.readPayloads = (id, rows) => {
      slices.push(rows.length);
      return readPayloads(id, rows);
    };
    const first = await pageAt('');
    store.readPayloads = readPayloads;
    expect(first.body).toHaveLength(100);
    expect(slices).toEqual(new Array(10).fill(10));
    expect(first.body[0]).toMatchObject({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: 'event 100',
      dateCreated: new Date(app.deps.now()).toISOString(),
      user: { id: 'ada', username: 'Ada', email: null, ip_address: null },
      tags: expect.arrayContaining([{ key: 'nth', value: '100' }]),
    });
    await send(101);
    const second = await pageAt(nextOf(first.link) ?? '');
    expect([second.body.map(({ title }: { title: string }) => title), nextOf(second.link)]).toEqual([
      ['event 0'],
      null,
    ]);
  });
});

describe('the organisation', () => {
  it('has the project of the key and its cron jobs', async () => {
    const { project, publicKey, secretKey } = await app.addProject('crons');
    const ask = (path: string) => call('GET', path, undefined, secretKey);
    const dateCreated = new Date(project.createdAtMs).toISOString();
    expect((await ask('/organizations/?cursor=')).body).toEqual([
      {
        id: '1',
        slug: 'notifier',
        name: 'Notifier',
        dateCreated,
        isEarlyAdopter: false,
        require2FA: false,
        requireEmailVerification: false,
        features: [],
      },
    ]);
    const id = String(project.id);
    expect((await ask('/organizations/any/projects/?cursor=')).body).toEqual([
      { id, slug: 'crons', name: 'crons', dateCreated, team: null },
    ]);
    for (const environment of ['production', 'staging']) {
      const item = {
        ...{ monitor_slug: 'nightly', environment, status: environment === 'staging' ? 'error' : 'ok' },
        monitor_config: { schedule: { type: 'crontab', value: '0 2 * * *' } },
      };
      const envelope = `{}\n{"type":"check_in"}\n${JSON.stringify(item)}\n`;
      await fetch(`${app.origin}/api/${id}/envelope/?sentry_key=${publicKey}`, {
        method: 'POST',
        body: envelope,
      });
    }
    expect((await ask('/organizations/any/monitors/?cursor=')).body).toEqual([
      {
        ...{ id: expect.any(String), slug: 'nightly', name: 'nightly', status: 'active', type: 'cron_job' },
        project: { id, slug: 'crons', name: 'crons' },
        environments: [
          { name: 'production', status: 'ok' },
          { name: 'staging', status: 'error' },
        ],
      },
    ]);
    const { body } = await call('GET', '/organizations/any/monitors/?cursor=');
    expect(body).toEqual([]);
  });

  it.each([
    ['POST', '/projects/any/test/files/difs/assemble/', 'debug files'],
    ['GET', '/projects/any/test/files/dsyms/unknown/?checksums=a', 'debug files'],
    ['POST', '/projects/any/test/files/preprodartifacts/assemble/', 'builds of mobile apps'],
    ['POST', '/organizations/any/code-mappings/bulk/', 'code mappings'],
    ['GET', '/organizations/any/events/?dataset=logs', 'logs'],
  ])('refuses %s %s with a message, not as an unknown project', async (method, path, what) => {
    const { status, body } = await call(method, path, method === 'GET' ? undefined : {});
    expect([status, body]).toEqual([400, { detail: expect.stringContaining(`does not store ${what}`) }]);
  });
});
