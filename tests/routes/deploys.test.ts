import { describe, expect, it } from '@jest/globals';
import { startOfTests } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';

const app = sharedApp();

const deploy = (body: unknown) => app.postSecret('/deploys', body);
const read = async (id: number) => (await app.get(`/deploys/${id}`)).body;

describe('POST /deploys', () => {
  it('creates a missing release, and a new deploy for each call without a key', async () => {
    const first = await deploy({ version: '3.0.0', environment: 'production' });
    expect(first).toHaveStatus(201);
    expect(first.body).toEqual({
      accepted: true,
      deploy_id: expect.any(Number),
      release_id: expect.any(Number),
      version: '3.0.0',
      environment: 'production',
      release_created: true,
    });
    const second = await deploy({ version: '3.0.0', environment: 'production' });
    expect(second).toHaveStatus(201);
    expect(second.body).toMatchObject({ release_id: first.body.release_id, release_created: false });
    expect(second.body.deploy_id).not.toBe(first.body.deploy_id);
    expect(await read(first.body.deploy_id)).toMatchObject({
      status: 'success',
      date_finished: new Date(startOfTests).toISOString(),
    });
  });

  it('keeps a start and an end as they are given', async () => {
    const dates = { date_started: 1_900_000_000, date_finished: '2030-03-17T18:46:40Z' };
    const answer = await deploy({ version: '3.0.1', environment: 'production', ...dates });
    expect(answer).toHaveStatus(201);
    expect(await read(answer.body.deploy_id)).toMatchObject({
      date_started: '2030-03-17T17:46:40.000Z',
      date_finished: '2030-03-17T18:46:40.000Z',
    });
  });

  it('may end at its start time, in one call or in two', async () => {
    const dates = { date_started: 1_900_000_000, date_finished: 1_900_000_000 };
    const named = { version: '3.0.3', environment: 'production' };
    expect(await deploy({ ...named, ...dates })).toHaveStatus(201);
    const { date_started, date_finished } = dates;
    const keyed = { ...named, key: 'at-once' };
    expect(await deploy({ ...keyed, status: 'started', date_started })).toHaveStatus(201);
    expect(await deploy({ ...keyed, date_finished })).toHaveStatus(200);
  });

  it('keeps each text at its longest', async () => {
    const longest = {
      name: 'n'.repeat(64),
      revision: 'a1'.repeat(32),
      repository: `https://git.example/${'r'.repeat(492)}`,
      deployed_by: 'd'.repeat(128),
      comment: 'c'.repeat(4096),
      key: 'k'.repeat(128),
    };
    const answer = await deploy({ version: '3.0.4', environment: 'e'.repeat(64), ...longest });
    expect(answer).toHaveStatus(201);
    expect(await read(answer.body.deploy_id)).toMatchObject(longest);
  });

  it('has the version as revision, if it is short enough', async () => {
    for (const [revision, kept] of [
      ['b2'.repeat(32), 'b2'.repeat(32)],
      [`${'b2'.repeat(32)}b`, null],
    ]) {
      const answer = await deploy({ revision, environment: 'production' });
      expect(answer.body.version).toBe(revision);
      expect(await read(answer.body.deploy_id)).toMatchObject({ revision: kept });
    }
  });

  it('keeps a time whose milliseconds look like a card number', async () => {
    const date = '2100-01-01T00:00:08.000Z';
    const answer = await deploy({ version: '3.0.2', environment: 'production', date_finished: date });
    expect(answer).toHaveStatus(201);
    expect(await read(answer.body.deploy_id)).toMatchObject({ date_finished: date });
  });

  it('updates the deploy of a key: started, later succeeded', async () => {
    const started = await deploy({
      version: '3.1.0',
      environment: 'test',
      key: 'job-7',
      status: 'started',
      comment: 'go',
    });
    expect(started).toHaveStatus(201);
    expect(await read(started.body.deploy_id)).toMatchObject({ status: 'in_progress', date_finished: null });
    app.advance(5000);
    const done = await deploy({
      version: '3.1.0',
      environment: 'test',
      key: 'job-7',
      status: 'succeeded',
      comment: null,
    });
    expect([done.status, done.body.deploy_id]).toEqual([200, started.body.deploy_id]);
    expect(await read(started.body.deploy_id)).toMatchObject({
      status: 'success',
      comment: 'go',
      date_finished: new Date(startOfTests + 5000).toISOString(),
    });
  });

  it('unwraps what Honeybadger’s clients send', async () => {
    const answer = await deploy({
      deploy: {
        environment: 'production',
        revision: 'abc1234',
        repository: 'https://u:p@git.example/a.git',
        local_username: 'kim',
      },
    });
    expect(answer).toHaveStatus(201);
    expect(await read(answer.body.deploy_id)).toMatchObject({
      version: 'abc1234',
      revision: 'abc1234',
      repository: 'https://git.example/a.git',
      deployed_by: 'kim',
    });
  });

  it.each([
    ['started', 'in_progress'],
    ['succeeded', 'success'],
    ['failed', 'failure'],
    ['timed_out', 'error'],
    ['cancelled', 'cancelled'],
  ])('reads the status %s as %s', async (status, kept) => {
    const answer = await deploy({ release: '3.3.0', releaseStage: 'stage', builderName: 'bot', status });
    expect(await read(answer.body.deploy_id)).toMatchObject({
      status: kept,
      deployed_by: 'bot',
      environment: 'stage',
    });
  });

  it('accepts null for unset members, as sentry-cli sends', async () => {
    const answer = await deploy({
      version: '3.4.0',
      environment: 'e',
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: null,
    });
    expect(answer).toHaveStatus(201);
  });

  it.each([
    ['no environment', { version: '1' }, 'environment'],
    ['no version', { environment: 'e' }, 'version'],
    ['environment none', { version: '1', environment: 'none' }, 'environment'],
    ['environment of 65', { version: '1', environment: 'e'.repeat(65) }, 'environment'],
    ['a slash in the environment', { version: '1', environment: 'a/b' }, 'environment'],
    [
      'an end before the start',
      { version: '1', environment: 'e', date_started: 2_000_000_000, date_finished: 1_900_000_000 },
      'date_finished',
    ],
    ['an unknown status', { version: '1', environment: 'e', status: 'great' }, 'status'],
    ['a name of 65', { version: '1', environment: 'e', name: 'n'.repeat(65) }, 'name'],
    ['a revision of 65', { version: '1', environment: 'e', revision: 'a'.repeat(65) }, 'revision'],
    ['a repository of 513', { version: '1', environment: 'e', repository: 'r'.repeat(513) }, 'repository'],
    ['a deployer of 129', { version: '1', environment: 'e', deployed_by: 'd'.repeat(129) }, 'deployed_by'],
    ['a comment of 4,097', { version: '1', environment: 'e', comment: 'c'.repeat(4_097) }, 'comment'],
    ['a key of 129', { version: '1', environment: 'e', key: 'k'.repeat(129) }, 'key'],
    ['a wrapped body that is wrong', { deploy: { version: '1', environment: ['x'] } }, 'environment'],
  ])('refuses %s', async (_name, body, param) => {
    const before = (await app.get('/deploys')).headers['x-wp-total'];
    const answer = await deploy(body);
    expect(answer).toHaveStatus(400);
    const { params } = answer.body.data;
    expect(Array.isArray(params) ? params : Object.keys(params)).toContain(param);
    expect((await app.get('/deploys')).headers['x-wp-total']).toBe(before);
    expect((await app.get('/releases?version=1')).body).toEqual([]);
  });

  it('refuses an update by key that would end before the start, and changes nothing', async () => {
    const made = await deploy({
      version: '4.0.0',
      environment: 'e',
      key: 'back',
      status: 'started',
      date_started: 2_000_000_000,
    });
    const answer = await deploy({
      version: '4.0.1',
      environment: 'e',
      key: 'back',
      date_finished: 1_900_000_000,
    });
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['date_finished']]);
    expect(await read(made.body.deploy_id)).toMatchObject({ version: '4.0.0', status: 'in_progress' });
    expect((await app.get('/releases?version=4.0.1')).body).toEqual([]);
  });
});

describe('GET /deploys', () => {
  it('filters by release, version and environment, newest first', async () => {
    const made = await deploy({ version: '5.0.0', environment: 'live' });
    await deploy({ version: '5.0.0', environment: 'stage' });
    const all = await app.get('/deploys?version=5.0.0');
    expect(all.body.map((one: { environment: string }) => one.environment)).toEqual(['stage', 'live']);
    expect((await app.get(`/deploys?release_id=${made.body.release_id}&environment=live`)).body).toHaveLength(
      1,
    );
    expect((await app.get('/deploys?search=LIVE')).body).toHaveLength(1);
    expect((await app.get('/deploys/999999')).body.code).toBe('notifier_deploy_invalid_id');
  });
});
