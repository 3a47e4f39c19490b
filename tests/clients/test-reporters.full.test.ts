import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { inFull } from '../support/test-level.ts';

const root = resolve(import.meta.dirname, '../..');
const suites = join(root, 'tests/fixtures/reporter-suites');
const modules = join(root, 'node_modules');

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await openTestApp();
  folder = mkdtempSync(join(tmpdir(), 'notifier-reports-'));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program of Node to its end, whatever its exit code: a suite with a failure in it fails. */
function runNode(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  // What this jest process was started with is not for the programs it starts.
  const {
    NODE_OPTIONS: _options,
    NODE_TEST_CONTEXT: _context,
    JEST_WORKER_ID: _worker,
    ...inherited
  } = process.env;
  return new Promise((done) => {
    const options = {
      cwd: suites,
      env: { ...inherited, CI: '1', REPORT_FOLDER: folder, ...env },
      timeout: 90_000,
    };
    execFile(process.execPath, args, options, (_error, stdout, stderr) => done(stdout + stderr));
  });
}

async function post(file: string, output: string) {
  const path = join(folder, file);
  if (!existsSync(path)) throw new Error(`no report ${file} was written:\n${output}`);
  const isXml = file.endsWith('.xml');
  const answer = await app.agent
    .post(`/wp-json/notifier/v1/test-runs?commit=${file}`)
    .set('Authorization', `Bearer ${app.secretKey}`)
    .set('Content-Type', isXml ? 'application/xml' : 'application/json')
    .send(readFileSync(path, 'utf8'));
  expect(answer).toHaveStatus(201);
  const read = (await app.get(`/test-runs/${answer.body.test_run_id}?per_page=100`)).body;
  return {
    body: answer.body,
    cases: read.cases as Array<{ name: string; status: string; message: string | null }>,
  };
}

/** Jest's reporters write both kinds of report, and node:test is its own: the short form runs these. */
const describeLong = inFull(describe);

const numbers = { tests: 6, passed: 3, failed: 1, skipped: 2, reported: { tests: 6 } };

function expectSuite({ body, cases }: Awaited<ReturnType<typeof post>>, others: object = {}): void {
  expect(body).toMatchObject({ ...numbers, ...others, status: 'failed' });
  expect(cases[0]).toMatchObject({ status: 'failed' });
  expect(cases[0]?.name).toContain('fails');
  expect(cases[0]?.message).not.toBeNull();
  // node:test escapes the quotes twice.
  const names = cases.map((one) => one.name.replaceAll('&quot;', '"'));
  expect(names.some((name) => name.includes('ünïcode "quoted" & <escaped>'))).toBe(true);
}

describe('jest', () => {
  let output = '';
  beforeAll(async () => {
    const reporters = [
      ['jest-junit', { outputDirectory: folder, outputName: 'jest.xml' }],
      ['jest-ctrf-json-reporter', { outputDir: folder, outputFile: 'jest-ctrf.json' }],
    ];
    const config = { rootDir: suites, testMatch: ['**/jest.spec.cjs'], transform: {}, reporters };
    output = await runNode([
      join(modules, 'jest/bin/jest.js'),
      '--config',
      JSON.stringify(config),
      '--no-cache',
    ]);
  });
  // It writes nothing that tells a todo from a pass, and does not count it in its own total.
  it('jest-junit', async () =>
    expectSuite(await post('jest.xml', output), { passed: 4, skipped: 1, reported: { tests: 5 } }));
  it('jest-ctrf-json-reporter', async () => {
    const posted = await post('jest-ctrf.json', output);
    expectSuite(posted);
    expect(posted.body.flaky).toBe(1);
  });
});

describeLong('vitest', () => {
  it('junit', async () => {
    const output = await runNode([
      join(modules, 'vitest/vitest.mjs'),
      'run',
      'vitest.spec.mjs',
      '--root',
      suites,
      '--reporter=junit',
      `--outputFile=${join(folder, 'vitest.xml')}`,
    ]);
    expectSuite(await post('vitest.xml', output));
  });
});

describeLong('Playwright', () => {
  let output = '';
  beforeAll(async () => {
    output = await runNode([
      join(modules, '@playwright/test/cli.js'),
      'test',
      '-c',
      join(suites, 'playwright.config.mjs'),
    ]);
  });
  it('junit', async () => expectSuite(await post('playwright.xml', output)));
  it('playwright-ctrf-json-reporter', async () => {
    const posted = await post('playwright-ctrf.json', output);
    expect(posted.body).toMatchObject({ ...numbers, flaky: 1 });
  });
});

describe('node:test', () => {
  it('junit', async () => {
    const destination = `--test-reporter-destination=${join(folder, 'node.xml')}`;
    const output = await runNode([
      '--test',
      '--test-reporter=junit',
      destination,
      join(suites, 'node.spec.mjs'),
    ]);
    expectSuite(await post('node.xml', output));
  });
});
