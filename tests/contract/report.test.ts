import { beforeAll, describe, expect, it } from '@jest/globals';
import { SaxesParser } from 'saxes';
import type { CheckResult, CheckVerdict } from '../../src/contract/check-types.ts';
import { writeReport } from '../../src/contract/report/formats.ts';
import type { RunReport } from '../../src/contract/run-suite.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';
import { statements } from './statements.ts';
import { caught, runChecks, targetWords } from './support/run.ts';

const passed: CheckVerdict = { result: 'passed' };

function result(name: string, outcome: CheckVerdict, group = 'Events'): CheckResult {
  const check = {
    name,
    title: `Title of ${name}`,
    group,
    severity: 'required',
    section: '4',
    statements: ['4.store'],
  } as const;
  return { check, outcome, durationMs: 1500 };
}

const report: RunReport = {
  siteUrl: 'https://shop.example/',
  startedAtMs: Date.UTC(2026, 10, 21),
  durationMs: 3000,
  requestsSent: 7,
  results: [
    result('holds', passed),
    result('fails', { result: 'failed', reason: 'got <b>"500"</b> & \u0000|`more`' }),
    result('differs', { result: 'differs', reason: 'otherwise' }, 'Decisions'),
    result('unseen', { result: 'not-observed', reason: 'limited' }, 'Decisions'),
  ],
};

interface Node {
  readonly name: string;
  readonly attributes: Record<string, string>;
}

function nodesOf(xml: string): Node[] {
  const nodes: Node[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => nodes.push({ name, attributes: { ...attributes } }));
  parser.write(xml).close();
  return nodes;
}

describe('the table', () => {
  it('groups checks by section, with a mark for each', () => {
    const text = writeReport(report, 'table', false);
    expect(text).toContain('Events 1 of 2 hold');
    expect(text).toMatch(/✓ §4 +holds +Title of holds/);
    expect(text).toMatch(/✗ §4 +fails/);
    expect(text).toContain('not observed: limited');
    expect(text).toContain(
      '1 of 4 required checks fail: 1 hold, 1 differ, 1 not observed; 7 requests in 3.0 s.',
    );
    expect(text).not.toContain('\u001b');
  });

  it('has colours only where asked for', () => {
    expect(writeReport(report, 'table', true)).toContain('\u001b[31m✗\u001b[0m');
  });
});

describe('JUnit', () => {
  const nodes = nodesOf(writeReport(report, 'junit', false));

  it('is XML whatever a server answered, and fails only what is required', () => {
    expect(nodes[0]).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '4', failures: '1', skipped: '2' },
    });
    const failure = nodes.find((node) => node.name === 'failure');
    expect(failure?.attributes['message']).toBe('got <b>"500"</b> & \ufffd|`more`');
    expect(nodes.filter((node) => node.name === 'skipped').map((node) => node.attributes['message'])).toEqual(
      ['differs: otherwise', 'not observed: limited'],
    );
  });
});

describe('CTRF', () => {
  it('counts and lists', () => {
    const ctrf = JSON.parse(writeReport(report, 'ctrf', false));
    expect(ctrf).toMatchObject({ reportFormat: 'CTRF', results: { tool: { name: 'notifier-contract' } } });
    expect(ctrf.results.summary).toEqual({
      tests: 4,
      passed: 1,
      failed: 1,
      skipped: 1,
      pending: 0,
      other: 1,
      start: report.startedAtMs,
      stop: report.startedAtMs + 3000,
    });
    expect(ctrf.results.tests.map((test: { status: string }) => test.status)).toEqual([
      'passed',
      'failed',
      'other',
      'skipped',
    ]);
  });
});

describe('Markdown', () => {
  it('escapes a hostile answer inside its cell', () => {
    const text = writeReport(report, 'markdown', false);
    expect(text).toContain(
      '| failed | §4 | `fails` | Title of fails | got \\<b\\>"500"\\</b\\> & \u0000\\|\\`more\\` |',
    );
  });
});

describe('our own server', () => {
  let words: string[];

  const app = sharedApp({ domains: ['shop.example'] });
  beforeAll(() => {
    words = targetWords(app.origin, {
      publicKey: app.publicKey,
      secretKey: app.secretKey,
      domain: 'shop.example',
    });
  });

  it('passes every required check, each with its section, and differs in nothing', async () => {
    const keys = { publicKey: app.publicKey, secretKey: app.secretKey, domain: 'shop.example' };
    const { code, checks } = await runChecks(app.origin, keys);
    expect(code).toBe(0);
    const required = checks.filter((check) => check.severity === 'required');
    const observed = required.filter((check) => check.result !== 'not-observed');
    expect(observed.filter((check) => check.result !== 'passed')).toEqual([]);
    expect(required.filter((check) => check.result === 'not-observed').map((check) => check.section)).toEqual(
      expect.arrayContaining(['7', '8']),
    );
    const sections = new Set(statements.map((each) => each.section));
    expect(required.filter((check) => !sections.has(check.section))).toEqual([]);
    expect(checks.filter((check) => check.result === 'differs')).toEqual([]);
  });

  inFull(it)('gives a CTRF report that our own /test-runs takes', async () => {
    const { out, code } = await caught([...words, '--format', 'ctrf']);
    expect(code).toBe(0);
    const taken = await app.postSecret('/test-runs', JSON.parse(out));
    expect(taken).toHaveStatus(201);
    expect(taken.body).toMatchObject({ accepted: true, status: 'passed', failed: 0 });
  });

  inFull(it)('never prints a key', async () => {
    for (const format of fullOrShort(['table', 'junit', 'json', 'markdown'], ['table', 'json'])) {
      const { out, err } = await caught([...words, '--format', format]);
      expect(`${out}${err}`).not.toContain(app.publicKey);
      expect(`${out}${err}`).not.toContain(app.secretKey);
    }
  });
});
