// Names by which things are found again: two that differ in a secret alone stay two, one that is said twice
// stays one, and maps are found under names that hold a secret.
import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../support/shared.ts';
import { expectedStacks, form, sampleEvent, sampleFile, upload } from '../support/uploads.ts';

const app = sharedApp();

const secret = 'cnryQ7w8E9';

describe('names that contain a secret', () => {
  it('a release is the same one at every endpoint', async () => {
    const version = `shop@1.0 token=${secret}`;
    const first = await app.postSecret('/releases', { version });
    expect(first.body).toMatchObject({ created: true, version: 'shop@1.0 token=[Filtered]' });
    expect((await app.postSecret('/releases', { version })).body).toMatchObject({ created: false });
    await app.post('/store', { message: 'x', release: version });
    await app.postSecret('/deploys', { version, environment: 'production' });
    await app.postSecret('/test-runs', { tests: 1, passed: 1, release: version });
    const release = (await app.get(`/releases/${first.body.release_id}`)).body;
    expect(release).toMatchObject({ deploy_count: 1, test_run_count: 1 });
    const path = `/api/0/organizations/x/releases/${encodeURIComponent(version)}/`;
    const found = await app.agent.get(path).set({ Authorization: `Bearer ${app.secretKey}` });
    expect([found.status, found.body.version]).toEqual([200, 'shop@1.0 token=[Filtered]']);
  });

  it('a deploy is found by its key, although that contains the secret', async () => {
    const deploy = (key: string) =>
      app.postSecret('/deploys', { version: '1', environment: 'production', key });
    const one = await deploy(`token=${secret}`);
    expect((await deploy(`token=${secret}`)).body.deploy_id).toBe(one.body.deploy_id);
    expect((await deploy(`token=${secret}x`)).body.deploy_id).not.toBe(one.body.deploy_id);
    expect(JSON.stringify((await app.get('/deploys')).body)).not.toContain(secret);
  });

  it('a test run is found by its key and shard, an upload by what was sent', async () => {
    const run = (run_key: string, shard: string, passed = 1) =>
      app.postSecret('/test-runs', { tests: passed, passed, run_key, shard });
    const one = await run(`token=${secret}`, `token=${secret}`);
    expect((await run(`token=${secret}`, `token=${secret}`)).body).toMatchObject({ duplicate: true });
    const part = await run(`token=${secret}`, `token=${secret}x`, 2);
    expect(part.body).toMatchObject({ test_run_id: one.body.test_run_id, tests: 3 });
    expect((await run(`token=${secret}x`, 'a')).body.test_run_id).not.toBe(one.body.test_run_id);
  });

  it('a test case is the same in every run', async () => {
    const results = (word: string) => ({
      tool: { name: 'probe' },
      summary: { tests: 1, passed: 1, failed: 0, skipped: 0, pending: 0, other: 0 },
      tests: [{ name: `signs in with password=${word}`, status: 'passed', duration: 1 }],
    });
    const caseOf = async (word: string, run_key: string): Promise<string> => {
      const { body } = await app.postSecret('/test-runs', { run_key, results: results(word) });
      return (await app.get(`/test-runs/${body.test_run_id}`)).body.cases[0].case_id;
    };
    expect(await caseOf(secret, 'first')).toBe(await caseOf(secret, 'second'));
    expect(await caseOf(`${secret}x`, 'third')).not.toBe(await caseOf(secret, 'fourth'));
  });

  it.each(['first', 'later'])('a script is mapped by its URL, its artifacts coming %s', async (order) => {
    const file = `https://cdn.example.com/assets/app.min.js?token=${secret}${order}`;
    const release = `shop@${order} token=${secret}`;
    const bytes = (name: string) => ({ name, bytes: sampleFile('esbuild', name) });
    const parts = {
      release,
      minified_url: file,
      minified_file: bytes('app.min.js'),
      source_map: bytes('app.min.js.map'),
    };
    if (order === 'first') expect(await upload(app, form(parts))).toHaveStatus(201);
    const { event_id } = (await app.post('/store', sampleEvent('esbuild', file, { release }))).body;
    if (order === 'later') expect(await upload(app, form(parts))).toHaveStatus(201);
    await app.deps.eventMapping.settled();
    const { stacktrace } = (await app.get(`/events/${event_id}`)).body.exception.values[0];
    const original = expectedStacks['esbuild']?.frames.find((frame) => frame.original !== null)?.original;
    expect(stacktrace.frames.at(-1)).toMatchObject({ filename: original?.source, lineno: original?.line });
    expect(JSON.stringify((await app.get('/artifacts')).body)).not.toContain(secret);
  });
});
