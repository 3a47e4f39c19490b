import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Deps } from '../../../src/core/deps.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { createCaseScrubber } from '../../../src/core/test-runs/reports/cases/normalize.ts';
import { createUploadReader } from '../../../src/core/test-runs/reports/read-upload.ts';
import { recordTestRun } from '../../../src/core/test-runs/test-runs.ts';
import { databases, sqliteDatabase } from '../../data/support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull, runs } from '../../support/test-level.ts';
import { atMs, linesIn, notifier, type Read, withShop } from '../support/shop.ts';

const folder = temporaryFolder();
const sources = sqliteDatabase();
afterAll(async () => {
  folder.remove();
  await sources.end();
});
const file = join(folder.path, 'runs.ndjson');
const end = '{"type":"end","project":null,"data":{}}\n';

async function send(deps: Deps, project: Project, minute: number, body: object): Promise<void> {
  const reader = createUploadReader(createCaseScrubber(project));
  reader.open('', 'body').write(JSON.stringify(body));
  const at = { ...deps, now: () => atMs + minute * 60_000 };
  await recordTestRun(at, project, reader.end({}), `${minute} ${JSON.stringify(body)}`);
}

async function source(bodies: readonly object[]): Promise<string> {
  const url = await sources.createMigrated();
  await notifier(url, 'project', 'create', 'shop');
  await withShop(url, async (deps, project) => {
    for (const [minute, body] of bodies.entries()) await send(deps, project, minute, body);
  });
  return url;
}

async function runsIn(url: string): Promise<Array<[string, Read['data']]>> {
  return linesIn((await notifier(url, 'export')).out)
    .filter(({ type }) => type.startsWith('test_'))
    .map(({ type, data: { test_run_id: _id, ...same } }) => [type, same]);
}

const nothing = { new: 0, there: 0, left: 0, refused: 0 };

const mixed = [
  {
    run_key: 'ci-7',
    shard: '1/2',
    commit: 'abc',
    suite: 'unit',
    branch: 'main',
    release: 'shop@1.0.0',
    tags: { os: 'linux' },
    build: { id: '7', url: 'https://ci.example/7' },
    metadata: { node: 24 },
    tests: [
      { name: 'adds', suite: ['cart'], status: 'passed', duration: 12, tags: ['fast'], filePath: 'a.js' },
      { name: 'pays', status: 'failed', message: 'password=hunter2 ☃', trace: 'at pay (b.js:1)', line: 3 },
    ],
  },
  // Another suite of the same run, in which the same case ended otherwise: that is not flaky.
  { run_key: 'ci-7', shard: '2/2', suite: 'e2e', commit: 'abc', tests: [{ name: 'pays', status: 'passed' }] },
  { run_key: 'ci-7', shard: '2/2', suite: 'e2e', commit: 'abc', exit_code: 1, tests: [] },
  { suite: 'unit', commit: 'abc', tests: [{ name: 'pays', status: 'passed' }] },
  { suite: 'counted', tests: 9, passed: 7, failed: 1, skipped: 1 },
];

describe.each(databases)('test runs, imported on $name', (database) => {
  it('are imported with every case, and flaky cases stay flaky', async () => {
    const from = await source(mixed);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    // Numbers are other ones here.
    await notifier(url, 'project', 'create', 'shop');
    await withShop(url, (deps, project) =>
      send(deps, project, 900, { suite: 'here', tests: [{ name: 'a', status: 'passed' }] }),
    );
    const first = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect([first.refused, first.types.test_upload, first.types.test_run]).toEqual([
      [],
      { ...nothing, new: 4 },
      { ...nothing, there: 3 },
    ]);
    const both = await runsIn(url);
    expect(both.filter(([, { suite }]) => suite !== 'here')).toEqual(await runsIn(from));
    expect(JSON.stringify(both)).not.toContain('hunter2');
    const flaky = await withShop(url, async ({ store }, project) => {
      const { rows } = await store.listTestRuns(project.id, {
        search: 'unit',
        limit: 9,
        offset: 0,
        orderBy: 'created_at',
        descending: true,
      });
      const { rows: cases } = await store.listTestResults(rows[0]?.id ?? 0, { limit: 9, offset: 0 });
      return cases.map((one) => [one.name, one.flakyRule, one.caseFlakyRule, one.caseFlakyAtMs]);
    });
    expect(flaky).toEqual([['pays', 'across_runs', 'across_runs', atMs + 3 * 60_000]]);
  });

  inFull(it)('leave runs that were sent here, and change nothing the second time', async () => {
    const from = await source(mixed);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    const here = {
      run_key: 'ci-7',
      shard: '1/2',
      suite: 'unit',
      tests: [{ name: 'mine', status: 'passed' }],
    };
    await withShop(url, (deps, project) => send(deps, project, 900, here));
    const first = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(first.types.test_upload).toEqual({ ...nothing, new: 3, there: 1 });
    const after = await runsIn(url);
    const keyed = after.find(([type, { run_key: key }]) => type === 'test_run' && key === 'ci-7')?.[1];
    expect(keyed).toMatchObject({ tests: 1, updated_at: new Date(atMs + 900 * 60_000).toISOString() });
    expect(JSON.stringify(after)).toContain('mine');
    // Digests of uploads are kept for a day; it is known without them.
    await withShop(url, ({ store }) => store.sweep(atMs + 90 * 86_400_000));
    const second = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(second.types.test_upload).toEqual({ ...nothing, there: 4 });
    expect(await runsIn(url)).toEqual(after);
  });

  inFull(it)('are left out, with a message, where the file of an earlier version has no shards', async () => {
    const { out } = await notifier(await source(mixed), 'export');
    const before = out.split('\n').filter((line) => !line.startsWith('{"type":"test_upload"'));
    writeFileSync(file, before.join('\n'));
    const url = await database.createMigrated();
    const said = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(said.types.test_run).toEqual({ ...nothing, left: 3 });
    expect((await notifier(url, 'import', file)).out).toMatch(
      /test_run +0 +0 +3 +0\n(?:.*\n)*An export does not contain, but a backup does/,
    );
    expect(await runsIn(url)).toEqual([]);
  });

  it('change nothing where they are imported back to their origin', async () => {
    const from = await source(mixed);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const back = JSON.parse((await notifier(from, 'import', file, '--json')).out);
    expect(back.types.test_upload).toEqual({ ...nothing, there: 4 });
  });

  inFull(it)('are stored once by two imports at once', async () => {
    const from = await source(mixed);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    const both = await Promise.all([1, 2].map(() => notifier(url, 'import', file, '--json')));
    const news = both.map(({ out }) => JSON.parse(out).types.test_upload.new);
    expect(news.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect(await runsIn(url)).toEqual(await runsIn(from));
  });

  it('are refused with a reason where a line is invalid, and nothing of it is stored', async () => {
    const from = await source(mixed);
    const upload = linesIn((await notifier(from, 'export')).out).find(({ type }) => type === 'test_upload');
    if (upload === undefined) throw new Error('no upload');
    const { data } = upload;
    const [one] = data.cases;
    const changes: object[] = [
      { place: 7 },
      { place: 'x'.repeat(2501) },
      { run: null },
      { run: { ...data.run, created_at: 'soon' } },
      { run: { ...data.run, release: 'a/b' } },
      { run: { ...data.run, build: { url: 'javascript:alert(1)' } } },
      { status: 'gone' },
      { tests: -1 },
      { created_at: '2026-13-01T00:00:00Z' },
      { cases: [{ ...one, case_id: '../x' }] },
      { cases: [{ ...one, status: 'gone' }] },
      { cases: [{ ...one, attempts: Array(21).fill({}) }] },
      { cases: Array(10_001).fill(one) },
    ];
    const lines = changes.map((change) => JSON.stringify({ ...upload, data: { ...data, ...change } }));
    const cut = JSON.stringify(upload).slice(0, -90);
    writeFileSync(file, `${[...lines, cut].join('\n')}\n${end}`);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    const { code, out, err } = await notifier(url, 'import', file, '--json');
    const { refused } = JSON.parse(out);
    expect([code, refused.map(({ line }: { line: number }) => line)]).toEqual([
      1,
      [...lines, cut].map((_line, index) => index + 1),
    ]);
    expect(err).toContain('Line 14 is not valid JSON.');
    expect(err).toContain('Line 1 has an invalid place');
    expect(await runsIn(url)).toEqual([]);
  });

  it('are scrubbed and cut as a report that is sent, and their totals are counted again', async () => {
    const from = await source(mixed);
    const upload = linesIn((await notifier(from, 'export')).out).find(({ type }) => type === 'test_upload');
    if (upload === undefined) throw new Error('no upload');
    const [adds, pays] = upload.data.cases;
    const cases = [
      { ...adds, message: 'Authorization: Bearer abcdefghijklmnop\0', stdout: 'x'.repeat(20_000) },
      { ...pays, name: 'n'.repeat(5_000) },
    ];
    const run = { ...upload.data.run, metadata: { password: 'hunter2' } };
    const data = { ...upload.data, run, cases, status: 'passed', tests: 77, failed: 0, passed: 77 };
    writeFileSync(file, `${JSON.stringify({ ...upload, data })}\n${end}`);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    expect((await notifier(url, 'import', file)).code).toBe(0);
    const taken = (await runsIn(url))[0]?.[1];
    expect(taken).toMatchObject({ tests: 2, failed: 1, status: 'failed' });
    expect(JSON.stringify(taken)).not.toMatch(/hunter2|abcdefghijklmnop|\\u0000/);
    expect([taken.cases[0].stdout.length, taken.cases[1].name.length]).toEqual([16_384, 1000]);
  });

  inFull(it)('are exported as they were imported, for any run', async () => {
    const word = fc.constantFrom('a', 'b', '☃', 'token=s3cret-value', ' x ', 'l1\nl2');
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const test = fc.record({
      name: word,
      suite: some(fc.array(word, { maxLength: 2 })),
      status: fc.constantFrom('passed', 'failed', 'error', 'skipped', 'pending', 'odd'),
      duration: some(fc.nat(9999)),
      message: some(word),
      trace: some(word),
      flaky: some(fc.boolean()),
      retries: some(fc.nat(3)),
      tags: some(fc.array(word, { maxLength: 2 })),
    });
    // A report in which no test has a known outcome is refused.
    const tests = fc
      .array(test, { maxLength: 4 })
      .filter((all) => all.length === 0 || all.some(({ status }) => status !== 'odd'));
    const body = fc.record({
      run_key: some(fc.constantFrom('k1', 'k2')),
      shard: some(fc.constantFrom('1', '2')),
      commit: some(fc.constantFrom('c1', 'c2')),
      suite: some(fc.constantFrom('unit', 'e2e')),
      release: some(fc.constant('shop@1.2.3')),
      exit_code: some(fc.constantFrom(0, 1)),
      started_at: some(fc.constant('2026-09-30T10:00:00Z')),
      tags: some(fc.dictionary(fc.constantFrom('os', 'password'), word)),
      tests,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 8 }), async (bodies) => {
        const from = await source(bodies);
        const exported = join(folder.path, 'any.ndjson');
        writeFileSync(exported, (await notifier(from, 'export')).out);
        const url = await database.createMigrated();
        expect((await notifier(url, 'import', exported)).err).toBe('');
        const after = await runsIn(url);
        expect(after).toEqual(await runsIn(from));
        await notifier(url, 'import', exported);
        expect(await runsIn(url)).toEqual(after);
      }),
      { numRuns: runs(16) },
    );
  });
});
