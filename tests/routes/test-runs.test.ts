import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { describeWithShared } from '../support/needs.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, inFull, rows } from '../support/test-level.ts';

interface Expected {
  readonly format: 'ctrf' | 'junit';
  readonly parse: string;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly of_failed_errors?: number;
  readonly skipped: number;
  readonly pending?: number;
  readonly other?: number;
  readonly flaky: number;
}

const fixtures = join(import.meta.dirname, '../fixtures/test-runs');
const fixture = (name: string): string => readFileSync(join(fixtures, name), 'utf8');
const namespace = '/wp-json/notifier/v1';

const app = sharedApp();

const run = (body: unknown) => app.postSecret('/test-runs', body);
async function sendRaw(
  body: string | Buffer,
  type: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const answer = await fetch(`${app.api}/test-runs${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.secretKey}`, 'Content-Type': type, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const numbersOf = (body: Record<string, unknown>) =>
  Object.fromEntries(['tests', 'passed', 'failed', 'skipped', 'flaky'].map((name) => [name, body[name]]));

function samplesGiveTheirNumbers(whose: string, folder: string): void {
  const expected: Record<string, Expected> = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
  const readable = Object.entries(expected).filter(([, one]) => one.parse === 'ok');
  const broken = Object.entries(expected).filter(([, one]) => one.parse !== 'ok');
  const wanted = (one: Expected) => ({
    tests: one.tests,
    passed: one.passed,
    failed: one.failed,
    skipped: one.skipped + (one.pending ?? 0) + (one.other ?? 0),
    flaky: one.flaky,
  });

  it.each(readable)('%s has the right counts, raw and wrapped', async (name, one) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const type = one.format === 'junit' ? 'application/xml' : 'application/json';
    const raw = await sendRaw(text, type, `?commit=${whose}-${name.length}-${name.slice(0, 40)}`);
    expect([raw.status, raw.body.accepted]).toEqual([201, true]);
    expect(numbersOf(raw.body)).toEqual(wanted(one));
    expect(raw.body.status).toBe(one.failed > 0 ? 'failed' : one.tests === 0 ? 'empty' : 'passed');
    const report = one.format === 'junit' ? text : JSON.parse(text);
    const wrapped = await run({
      format: one.format,
      report,
      commit: `${whose}-wrapped-${name.slice(0, 40)}`,
    });
    expect(wrapped).toHaveStatus(201);
    expect(numbersOf(wrapped.body)).toEqual(wanted(one));
    const read = (await app.get(`/test-runs/${raw.body.test_run_id}?per_page=100`)).body;
    expect(read.cases).toHaveLength(one.tests);
    expect(read.errors).toBe(one.of_failed_errors ?? read.errors);
  });

  const cutOff = [['cut-off.xml', '<testsuite><testcase name="a"']] as const;
  const unreadable = [
    ...broken.map(([name]) => [name, readFileSync(join(folder, name), 'utf8')] as const),
    ...cutOff,
  ];
  it.each(unreadable)('%s is refused with a helpful message', async (_name, text) => {
    const answer = await sendRaw(text, 'application/xml');
    expect([answer.status, answer.body.code]).toEqual([400, 'notifier_test_run_unreadable']);
    expect(answer.body.message).toMatch(/cut off or not well-formed XML: .+ \(line \d+, column \d+\)/);
  });

  it.each(readable.filter(([, one]) => one.tests > 0))(
    '%s cut off anywhere is refused, never half a run',
    async (name, one) => {
      const text = readFileSync(join(folder, name), 'utf8').trimEnd();
      const type = one.format === 'junit' ? 'application/xml' : 'application/json';
      const before = (await app.get('/test-runs?per_page=1')).headers['x-wp-total'];
      for (const share of [0.3, 0.6, 0.95]) {
        const answer = await sendRaw(text.slice(0, Math.floor(text.length * share)), type);
        expect(answer).toHaveStatus(400);
      }
      expect((await app.get('/test-runs?per_page=1')).headers['x-wp-total']).toBe(before);
    },
  );
}

describe('reports in our own format', () => samplesGiveTheirNumbers('own', fixtures));
describeWithShared('reports in other formats', 'samples/test-runs', (folder) =>
  samplesGiveTheirNumbers('all', folder),
);

describe('formats of a body', () => {
  it('accepts counts alone', async () => {
    const answer = await run({ total: 10, failed: 2, skipped: 1, duration_ms: 1500, commit: 'counts' });
    expect(answer).toHaveStatus(201);
    expect(answer.body).toMatchObject({
      status: 'failed',
      tests: 10,
      passed: 7,
      failed: 2,
      skipped: 1,
      duration_ms: 1500,
    });
  });

  it('accepts a flat list of tests and recounts it', async () => {
    const answer = await run({
      name: 'nightly',
      total: 99,
      tests: [
        { name: 'a', status: 'ok', duration_ms: 1.6 },
        { name: 'b', status: 'error', message: 'boom' },
        { name: 'c', status: 'todo' },
        { name: 'd', status: 'passed', flaky: true, suite: '__proto__' },
      ],
    });
    expect(answer.body).toMatchObject({
      tests: 4,
      passed: 2,
      failed: 1,
      skipped: 1,
      flaky: 1,
      reported: { total: 99 },
    });
    expect(answer.body.warnings.map((one: { code: string }) => one.code)).toContain('totals_differ');
    const read = (await app.get(`/test-runs/${answer.body.test_run_id}`)).body;
    expect(read.cases.map((one: { name: string }) => one.name)).toEqual(['b', 'd', 'c', 'a']);
    expect(read.cases[0]).toMatchObject({ status: 'failed', kind: 'error', message: 'boom' });
    expect(read.cases[1]).toMatchObject({ suite: ['__proto__'], flaky_rule: 'same_run' });
    expect(read.cases[2].raw_status).toBe('todo');
  });

  it('accepts a form with two files as one run', async () => {
    const answer = await app.agent
      .post(`${namespace}/test-runs`)
      .set('Authorization', `Bearer ${app.secretKey}`)
      .field('format', 'junit')
      .field('run_env[key]', 'build-77')
      .field('run_env[commit_sha]', 'c0ffee')
      .field('run_env[url]', 'https://ci.example/77')
      .field('tags[os]', 'linux')
      .attach('data', join(fixtures, 'vitest3-junit.xml'))
      .attach('data', join(fixtures, 'node20-test-runner-junit.xml'));
    expect(answer).toHaveStatus(201);
    expect(answer.body).toMatchObject({ tests: 15, failed: 4 });
    const read = (await app.get(`/test-runs/${answer.body.test_run_id}`)).body;
    expect(read).toMatchObject({
      run_key: 'build-77',
      commit: 'c0ffee',
      build: { url: 'https://ci.example/77' },
      tags: { os: 'linux' },
    });
  });

  it('accepts a list of documents in one wrapper', async () => {
    const report = ['vitest3-junit.xml', 'node20-test-runner-junit.xml'].map(fixture);
    expect((await run({ format: 'junit', report, commit: 'list' })).body).toMatchObject({ tests: 15 });
  });

  inFull(it)('accepts gzip, and form fields', async () => {
    const gzip = gzipSync(fixture('vitest3-junit.xml'));
    const answer = await sendRaw(gzip, 'text/xml', '?commit=gzip', { 'Content-Encoding': 'gzip' });
    expect(answer.body).toMatchObject({ accepted: true, tests: 9 });
    const form = await sendRaw('status=passed&passed=4&commit=form', 'application/x-www-form-urlencoded');
    expect(form.body).toMatchObject({ tests: 4, passed: 4 });
    const tap = await sendRaw('1..1\nok 1 - a\n', 'application/x-www-form-urlencoded');
    expect(tap).toHaveStatus(400);
    expect(tap.body.message).toContain('The report is TAP, which is not read: send JUnit XML');
  });

  it('reads XML in the encoding it declares', async () => {
    const xml =
      '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="x"><testcase name="gr\u00fc\u00df"/></testsuite>';
    const answer = await sendRaw(Buffer.from(xml, 'latin1'), 'application/xml');
    expect((await app.get(`/test-runs/${answer.body.test_run_id}`)).body.cases[0].name).toBe(
      'gr\u00fc\u00df',
    );
  });

  it('prefers the environment of the wrapper to that of the report', async () => {
    const ctrf = JSON.parse(fixture('mocha12-ctrf-0.0.11.json'));
    ctrf.results.environment = {
      appVersion: 'feat/x',
      commit: 'inner',
      branchName: 'b',
      testEnvironment: 'ci',
      buildNumber: 7,
    };
    const answer = await run({ format: 'ctrf', report: ctrf, commit: 'outer' });
    expect((await app.get(`/test-runs/${answer.body.test_run_id}`)).body).toMatchObject({
      commit: 'outer',
      branch: 'b',
      release: 'feat-x',
      environment: 'ci',
      build: { number: '7' },
      tool: 'mocha',
    });
  });
});

describe('refusals', () => {
  const rowsOfAll = [
    ['nothing readable', { hello: 1 }, 'notifier_test_run_unreadable'],
    ['a list', [1, 2], 'notifier_test_run_unreadable'],
    [
      'an unknown format',
      { format: 'tap', report: { results: { tool: { name: 'x' }, tests: [] } } },
      'rest_invalid_param',
    ],
    ['a report of no kind', { format: 'ctrf', report: 5 }, 'rest_invalid_param'],
    ['a slash in the release', { status: 'passed', release: 'a/b' }, 'rest_invalid_param'],
    ['a commit of 65', { status: 'passed', commit: 'c'.repeat(65) }, 'rest_invalid_param'],
    ['a negative count', { passed: -1 }, 'rest_invalid_param'],
    ['parts over the total', { total: 1, failed: 2 }, 'rest_invalid_param'],
    [
      'a stop before the start',
      { status: 'passed', started_at: 2e9, finished_at: 1e9 },
      'rest_invalid_param',
    ],
    ['a duration that is no number', { status: 'passed', duration_ms: 'long' }, 'rest_invalid_param'],
    ['an unknown status', { status: 'great' }, 'rest_invalid_param'],
    [
      '10,001 cases',
      { tests: Array(10_001).fill({ name: 'a', status: 'passed' }) },
      'notifier_test_run_too_many_cases',
    ],
  ] as const;
  it.each(rows(() => fullOrSome(rowsOfAll, 4)))('%s', async (_name, body, code) => {
    const before = (await app.get('/test-runs?per_page=1')).headers['x-wp-total'];
    const answer = await run(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect((await app.get('/test-runs?per_page=1')).headers['x-wp-total']).toBe(before);
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', /DOCTYPE/],
    ['another root', '<suites><testcase name="a"/></suites>', /root element is <suites>/],
    ['65 levels', `${'<testsuite>'.repeat(66)}${'</testsuite>'.repeat(66)}`, /deeper than 64/],
    [
      '201 attributes',
      `<testsuite ${Array.from({ length: 201 }, (_v, i) => `a${i}=""`).join(' ')}/>`,
      /more than 200 attributes/,
    ],
    ['plain text', 'all tests passed', /not well-formed XML: .*\(line 1, column \d+\)/],
    ['nothing', '', /empty/],
  ])('XML with %s', async (_name, xml, words) => {
    const answer = await sendRaw(xml, 'application/xml');
    expect(answer).toHaveStatus(400);
    expect(answer.body.message).toMatch(words);
  });

  it.each([
    ['broken', '{"status": "passed"', 4],
    ['deep', `{"metadata":${'['.repeat(200)}${']'.repeat(200)}}`, 1],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 5],
    ['a control character', '{"a":"\u0001"}', 3],
    ['a lone surrogate', '{"a":"\\ud800"}', 10],
  ])('JSON that is %s gets the message of PHP', async (_name, body, code) => {
    const answer = await sendRaw(body, 'application/json');
    expect(answer.body).toMatchObject({
      code: 'rest_invalid_json',
      data: { status: 400, json_error_code: code },
    });
  });

  it('names the invalid part of a body', async () => {
    const text = await run({ format: 'junit', report: 'all tests passed' });
    expect([text.status, text.body.code]).toEqual([400, 'notifier_test_run_unreadable']);
    expect(text.body.message).toBe('report is neither JUnit XML nor JSON: Syntax error.');
    const list = await run({ report: [fixture('vitest3-junit.xml'), '{"results":'] });
    expect(list.body.message).toBe('report.1 is neither JUnit XML nor JSON: Syntax error.');
  });

  inFull(it)('refuses 10 MiB sent and 50 MiB inflated', async () => {
    const sent = await sendRaw(Buffer.alloc(10 * 1024 * 1024 + 1, 0x20), 'application/json');
    expect([sent.status, sent.body.code]).toEqual([400, 'rest_payload_too_large']);
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, 0x20));
    const inflated = await sendRaw(bomb, 'application/json', '', { 'Content-Encoding': 'gzip' });
    expect([inflated.status, inflated.body.code]).toEqual([400, 'rest_payload_too_large']);
  });

  it('refuses a form that is cut off, and needs the secret', async () => {
    const form = '--b\r\nContent-Disposition: form-data; name="data"; filename="a.xml"\r\n\r\n<testsuite';
    expect(await sendRaw(form, 'multipart/form-data; boundary=b')).toHaveStatus(400);
    expect(await app.post('/test-runs', { status: 'passed' })).toHaveStatus(401);
  });
});

describe('lenient reading', () => {
  const codes = (body: { warnings: Array<{ code: string }> }) => body.warnings.map((one) => one.code);

  it('cuts a name of a megabyte', async () => {
    const xml = `<testsuite><testcase name="${'n'.repeat(1_048_576)}"/></testsuite>`;
    const answer = await sendRaw(xml, 'application/xml');
    expect(codes(answer.body)).toContain('text_cut');
    const json = await run({ tests: [{ name: 'n'.repeat(900_000), status: 'passed' }], commit: 'long' });
    expect(codes(json.body)).toContain('text_cut');
    const read = (await app.get(`/test-runs/${json.body.test_run_id}`)).body;
    expect(read.cases[0].name).toHaveLength(1000);
  });

  it('drops invalid times and reads those with commas', async () => {
    const cases = ['-1', 'NaN', '1,234.5', '0,5', '1e2', ''].map(
      (time, i) => `<testcase name="t${i}" time="${time}"/>`,
    );
    const answer = await sendRaw(`<testsuite>${cases.join('')}</testsuite>`, 'application/xml');
    expect(codes(answer.body)).toEqual(expect.arrayContaining(['invalid_time', 'time_format']));
    const read = (await app.get(`/test-runs/${answer.body.test_run_id}`)).body;
    expect(read.cases.map((one: { duration_ms: number }) => one.duration_ms)).toEqual([
      null,
      null,
      1_234_500,
      500,
      100_000,
      null,
    ]);
  });

  it('warns of a report with totals but no cases, or one that stops before it starts', async () => {
    const junit = await sendRaw('<testsuite tests="3" failures="1"/>', 'application/xml');
    expect(junit.body).toMatchObject({ status: 'failed', tests: 0, reported: { tests: 3, failures: 1 } });
    expect(codes(junit.body)).toEqual(['failures_without_cases', 'totals_without_cases']);
    const summary = {
      tests: 1,
      passed: 1,
      failed: 0,
      skipped: 0,
      pending: 0,
      other: 0,
      start: 2000,
      stop: 1000,
    };
    const ctrf = await run({
      results: { tool: { name: 'x' }, summary, tests: [{ name: 'a', status: 'passed', duration: -5 }] },
    });
    expect(codes(ctrf.body)).toEqual(expect.arrayContaining(['stop_before_start', 'invalid_time']));
  });

  inFull(it)('keeps the end of what was printed, a megabyte a run', async () => {
    const tests = Array.from({ length: 100 }, (_v, i) => ({
      name: `t${i}`,
      status: 'passed',
      stdout: [`${'o'.repeat(20_000)}END`],
    }));
    const answer = await run({ tests });
    expect(codes(answer.body)).toContain('output_cut');
    const read = (await app.get(`/test-runs/${answer.body.test_run_id}?per_page=100`)).body;
    const kept = read.cases.map((one: { stdout: string | null }) => one.stdout ?? '');
    expect(kept[0]).toHaveLength(16_384);
    expect(kept[0].endsWith('END')).toBe(true);
    expect(kept.join('').length).toBeLessThanOrEqual(1_048_576);
  });
});

describe('runs of several uploads', () => {
  const part = (name: string, status: string) => ({ tests: [{ name, status, duration_ms: 10 }] });

  it('sums shards, and replaces a repeated shard', async () => {
    const first = await run({ ...part('a', 'passed'), run_key: 'k1', shard: '1/2', commit: 'abc' });
    const second = await run({ ...part('b', 'failed'), run_key: 'k1', shard: '2/2' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toMatchObject({
      test_run_id: first.body.test_run_id,
      status: 'failed',
      tests: 2,
      failed: 1,
      duration_ms: 20,
    });
    const again = await run({ ...part('b', 'passed'), run_key: 'k1', shard: '2/2' });
    expect([again.status, again.body.status, again.body.tests]).toEqual([201, 'passed', 2]);
    const read = (await app.get(`/test-runs/${first.body.test_run_id}`)).body;
    expect(read).toMatchObject({ commit: 'abc', passed: 2, failed: 0 });
    expect(read.uploads.map((one: { shard: string }) => one.shard)).toEqual(['1/2', '2/2']);
    expect(read.cases).toHaveLength(2);
  });

  it('answers the same body for the same commit within a day with the same run', async () => {
    const body = { ...part('r', 'passed'), commit: 'repeat' };
    const first = await run(body);
    const second = await run(body);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ test_run_id: first.body.test_run_id, duplicate: true, tests: 1 });
    expect((await run({ ...body, commit: 'other' })).body.test_run_id).not.toBe(first.body.test_run_id);
    app.advance(24 * 3_600_000 + 1);
    expect(await run(body)).toHaveStatus(201);
  });
});

describe('flaky cases', () => {
  const one = (status: string, commit: string, extra: object = {}) =>
    run({ suite: 'unit', commit, tests: [{ name: 'wobbles', suite: ['s'], status, ...extra }] });

  it('calls a case flaky that passed and failed on one commit, until 14 days after', async () => {
    await one('failed', 'f1');
    const second = await one('passed', 'f1');
    expect(second.body.flaky).toBe(1);
    const read = async () => (await app.get(`/test-runs/${second.body.test_run_id}`)).body.cases[0];
    expect(await read()).toMatchObject({ flaky_rule: 'across_runs', case_flaky: { rule: 'across_runs' } });
    expect((await one('passed', 'f2')).body.flaky).toBe(0);
    app.advance(14 * 86_400_000 + 1);
    expect((await read()).case_flaky).toBeNull();
  });

  it('does not call it flaky in another suite or environment', async () => {
    const body = (status: string, extra: object) =>
      run({ commit: 'f3', tests: [{ name: 'calm', status }], ...extra });
    await body('failed', { suite: 'a' });
    expect((await body('passed', { suite: 'b' })).body.flaky).toBe(0);
    expect((await body('passed', { suite: 'a', environment: 'other' })).body.flaky).toBe(0);
    expect((await body('passed', { suite: 'a' })).body.flaky).toBe(1);
  });

  it('shows the history of a case, and 404 for an unknown one', async () => {
    const first = await run({
      commit: 'h1',
      branch: 'main',
      tests: [{ name: 'history', status: 'failed', message: 'why' }],
    });
    await run({ commit: 'h2', tests: [{ name: 'history', status: 'passed' }] });
    const { case_id: caseId } = (await app.get(`/test-runs/${first.body.test_run_id}`)).body.cases[0];
    const history = await app.get(`/test-cases/${caseId}/runs`);
    expect(
      history.body.map((entry: { status: string; commit: string }) => [entry.status, entry.commit]),
    ).toEqual([
      ['passed', 'h2'],
      ['failed', 'h1'],
    ]);
    expect(history.body[1]).toMatchObject({ message: 'why', branch: 'main' });
    expect((await app.get(`/test-cases/${'0'.repeat(64)}/runs`)).body.code).toBe(
      'notifier_test_case_invalid_id',
    );
  });
});

describe('lists', () => {
  it('filters runs and pages cases', async () => {
    const tests = Array.from({ length: 25 }, (_v, i) => ({
      name: `p${i}`,
      status: i === 20 ? 'failed' : 'passed',
    }));
    const made = await run({ tests, commit: 'paged', branch: 'feature', release: 'r@1' });
    expect((await app.get('/test-runs?branch=feature&status=failed&release=r%401')).body).toHaveLength(1);
    expect((await app.get('/test-runs?search=PAGED')).body).toHaveLength(1);
    const first = await app.get(`/test-runs/${made.body.test_run_id}?per_page=10`);
    expect(first.body.cases[0].name).toBe('p20');
    const page = await app.get(`/test-runs/${made.body.test_run_id}?per_page=10&page=3`);
    expect(page.body.cases).toHaveLength(5);
    expect(page.headers).toMatchObject({ 'x-wp-total': '25', 'x-wp-totalpages': '3' });
    const failed = await app.get(`/test-runs/${made.body.test_run_id}?status=failed`);
    expect(failed.body.cases.map((one: { name: string }) => one.name)).toEqual(['p20']);
  });
});
