import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ParsedTestReport } from '../../../../src/core/ports/test-report-reader.ts';
import { createUploadReader } from '../../../../src/core/test-runs/reports/read-upload.ts';
import { readRunDetails } from '../../../../src/core/test-runs/run-details.ts';
import { computeRunStatus } from '../../../../src/core/test-runs/test-runs.ts';

function read(text: string, beside: Readonly<Record<string, unknown>> = {}): ParsedTestReport {
  const upload = createUploadReader();
  upload.open('', 'body').write(text);
  return upload.end(beside);
}
const statusOf = (report: ParsedTestReport): string =>
  computeRunStatus(report, readRunDetails(report).facts.exitCode);
const json = (value: unknown): string => statusOf(read(JSON.stringify(value)));
const codesOf = (report: ParsedTestReport): string[] => report.warnings.map(({ code }) => code);
const runner = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/test-runners', name), 'utf8');

describe('the result of JUnit XML follows from cases, suites and totals', () => {
  const two = '<testcase name="x"/><testcase name="y"/>';
  it.each([
    [
      'an error of a suite',
      `<testsuite name="s"><error message="BeforeAll blew up"/>${two}</testsuite>`,
      'error',
    ],
    ['a failure of a suite', `<testsuite name="s"><failure>no</failure>${two}</testsuite>`, 'failed'],
    ['the same behind its cases', `<testsuite name="s">${two}<error>no</error></testsuite>`, 'error'],
    ['the same without cases', '<testsuite tests="0" errors="1"><error message="no"/></testsuite>', 'error'],
    ['failures of the totals', `<testsuite tests="2" failures="1">${two}</testsuite>`, 'failed'],
    [
      'errors of the root',
      `<testsuites errors="1"><testsuite tests="2">${two}</testsuite></testsuites>`,
      'error',
    ],
    [
      'failures of an inner suite',
      `<testsuites><testsuite><testsuite failures="1">${two}</testsuite></testsuite></testsuites>`,
      'failed',
    ],
    ['totals without any case', '<testsuites><testsuite tests="0" errors="1"/></testsuites>', 'error'],
    [
      'totals of skipped cases',
      '<testsuite failures="1"><testcase name="a"><skipped/></testcase></testsuite>',
      'failed',
    ],
    [
      'one suite of many',
      `<testsuites><testsuite failures="1"><testcase name="a"><failure/></testcase></testsuite><testsuite failures="0">${two}</testsuite></testsuites>`,
      'failed',
    ],
    [
      'totals of 0',
      `<testsuites failures="0" errors="0"><testsuite failures="0" errors="0">${two}</testsuite></testsuites>`,
      'passed',
    ],
    ["the suite's own status", `<testsuite name="s" status="failed">${two}</testsuite>`, 'failed'],
    [
      "the root's own result",
      `<testsuites result="Error"><testsuite>${two}</testsuite></testsuites>`,
      'error',
    ],
    ['a status that says nothing', `<testsuite name="s" status="completed">${two}</testsuite>`, 'passed'],
    ['totals that are no numbers', `<testsuite failures="none" errors="-1">${two}</testsuite>`, 'passed'],
  ])('%s', (_name, xml, status) => {
    expect(statusOf(read(xml))).toBe(status);
  });

  it('fails a suite by its own status, where no case failed', () => {
    expect(codesOf(read(`<testsuite name="s" status="failed">${two}</testsuite>`))).toEqual([
      'suite_outcome',
    ]);
    const shown = '<testsuite status="failed"><testcase name="a"><failure/></testcase></testsuite>';
    expect(codesOf(read(shown))).toEqual([]);
  });

  it('has the message and place of the suite', () => {
    const xml = `<testsuites><testsuite name="Api" errors="1"><error message="BeforeAll blew up"/>${two}</testsuite></testsuites>`;
    expect(read(xml).warnings).toEqual([
      {
        code: 'suite_outcome',
        path: 'Api',
        message: 'The suite itself has an error, outside of any case: BeforeAll blew up',
      },
    ]);
  });

  it('notes totals without a matching case, once for nested suites', () => {
    const xml = `<testsuites failures="1"><testsuite name="Api" failures="1">${two}</testsuite></testsuites>`;
    expect(codesOf(read(xml))).toEqual(['failures_without_cases']);
  });

  it.each([
    ['status="broken"', 'failed', 'error'],
    ['status="timeout"', 'failed', 'failure'],
    ['status="crashed"', 'failed', 'error'],
    ['status="Timed Out"', 'failed', 'failure'],
    ['result="failed"', 'failed', 'failure'],
    ['result="completed" status="run"', 'passed', null],
    ['status="run" result="FAILED"', 'failed', 'failure'],
    ['outcome="error"', 'failed', 'error'],
    ['status="not-run"', 'skipped', null],
    ['status="a word of its own"', 'passed', null],
  ])('reads the status in %s', (attributes, status, kind) => {
    const [one] = read(`<testsuite><testcase name="a" ${attributes}/></testsuite>`).cases;
    expect(one).toMatchObject({ status, kind });
  });
});

describe('the result of JSON follows from cases, totals, status and exit code', () => {
  const good = [{ name: 'a', status: 'passed' }];
  const ctrf = (test: object) => ({ results: { tests: [...good, { name: 'b', ...test }] } });
  it.each([
    ['failed of CTRF', { results: { tests: good, summary: { tests: 2, passed: 1, failed: 1 } } }, 'failed'],
    ['the same of 0', { results: { tests: good, summary: { tests: 1, failed: 0 } } }, 'passed'],
    ['the same in a wrapper', { report: { results: { tests: good, summary: { failed: 1 } } } }, 'failed'],
    ['failed beside tests', { tests: good, failed: 1 }, 'failed'],
    ['failures beside tests', { tests: good, failures: 2 }, 'failed'],
    ['errors beside tests', { tests: good, errors: 1 }, 'error'],
    ['errors beside counts', { total: 3, passed: 3, errors: 1 }, 'error'],
    ['a status beside tests', { tests: good, status: 'failed' }, 'failed'],
    ['a status beside CTRF', { report: { results: { tests: good } }, status: 'broken' }, 'error'],
    ['a summary', { tests: good, summary: { failed: 1 } }, 'failed'],
    ['success', { tests: good, success: false }, 'failed'],
    ['an exit code', { tests: good, exit_code: 2 }, 'error'],
    [
      'a list of failures',
      { tests: good, failures: [{ title: 'before all hook', err: { message: 'x' } }] },
      'failed',
    ],
    ['a case that did not pass and no word', { tests: [{ name: 'a', pass: false }] }, 'failed'],
    ['a case that failed and no word', { tests: [{ name: 'a', fail: true }] }, 'failed'],
    ['a case with an error and no word', { tests: [{ name: 'a', error: 'boom' }] }, 'failed'],
    ['other of CTRF, timed out', ctrf({ status: 'other', rawStatus: 'timedOut' }), 'failed'],
    ['other of CTRF and no more', ctrf({ status: 'other', rawStatus: 'paused' }), 'passed'],
    ['skipped of CTRF', ctrf({ status: 'skipped', rawStatus: 'error' }), 'passed'],
    ['nothing bad', { tests: good, failed: 0, errors: 0, success: true, status: 'passed' }, 'passed'],
  ])('%s', (_name, body, status) => {
    expect(json(body)).toBe(status);
  });

  it.each([
    ['passed of more', { total: 43, passed: 41 }, 'error', { tests: 43, passed: 41, skipped: 2 }],
    ['a total alone', { total: 43 }, 'error', { passed: 0, skipped: 43 }],
    ['skipped of more', { total: 43, skipped: 2 }, 'error', { passed: 0, skipped: 43 }],
    ['all parts of less', { total: 5, passed: 3, failed: 0, skipped: 1 }, 'error', { skipped: 2 }],
    ['skipped for the rest', { total: 43, passed: 41, skipped: 2 }, 'passed', { failed: 0 }],
    ['pending for the rest', { total: 43, passed: 41, pending: 1, todo: '1' }, 'passed', { skipped: 2 }],
    ['pending for some', { total: 43, passed: 41, pending: 1 }, 'failed', { failed: 1, skipped: 1 }],
    ['flaky for the rest', { total: 43, passed: 41, flaky: 2 }, 'passed', { passed: 43, flaky: 2 }],
    ['flaky among those that passed', { total: 43, passed: 43, flaky: 2 }, 'passed', { passed: 43 }],
    ['errors for the rest', { total: 43, passed: 41, errors: 2 }, 'failed', { failed: 2, errors: 2 }],
    ['no failures', { total: 43, passed: 41, failed: 0 }, 'passed', { passed: 41, skipped: 2 }],
    ['no failures alone', { tests: 43, failures: 0 }, 'passed', { passed: 43 }],
    ['a status', { total: 43, passed: 41, status: 'passed' }, 'passed', { skipped: 2 }],
  ])('totals alone: %s', (_name, body, status, totals) => {
    const report = read(JSON.stringify(body));
    expect([statusOf(report), report.totals]).toMatchObject([status, totals]);
    expect(codesOf(report).includes('tests_unaccounted')).toBe(status === 'error');
  });

  it('refuses totals whose sum is out of range', () => {
    const half = 2 ** 30;
    expect(read(JSON.stringify({ passed: half, failed: half - 1 })).totals.tests).toBe(2 ** 31 - 1);
    expect(() => json({ passed: half, failed: half })).toThrow(/passed/);
  });

  it('accepts a status in the query', () => {
    expect(statusOf(read('<testsuite><testcase name="a"/></testsuite>', { status: 'failed' }))).toBe(
      'failed',
    );
  });

  it('reads the results of one spec of Cypress', () => {
    const tests = [
      { title: ['Cart', 'of a guest', 'is empty'], state: 'failed', displayError: 'Error: no' },
      { title: ['Cart', 'opens'], state: 'passed', displayError: null },
    ];
    expect(read(JSON.stringify({ stats: { tests: 2, failures: 1 }, tests })).cases).toMatchObject([
      { suite: ['Cart', 'of a guest'], name: 'is empty', status: 'failed', message: 'Error: no' },
      { suite: ['Cart'], name: 'opens', status: 'passed' },
    ]);
  });

  it('reads Mocha', () => {
    const report = read(
      JSON.stringify({
        stats: { tests: 2, failures: 1 },
        tests: [
          { title: 'a', err: {} },
          { title: 'b', err: { message: 'x', stack: 'Error: x\n at b' } },
        ],
      }),
    );
    expect(report.cases).toMatchObject([
      { name: 'b', status: 'failed', message: 'x', trace: 'Error: x\n at b' },
      { name: 'a', status: 'passed' },
    ]);
    const pending = { title: 'p', fullTitle: 'p', err: {} };
    const skipped = read(JSON.stringify({ stats: {}, tests: [pending], pending: [pending] }));
    expect(skipped.cases).toMatchObject([{ name: 'p', status: 'skipped' }]);
    expect(json({ stats: { tests: 1, failures: 1 }, tests: [{ title: 'a', err: {}, duration: 1 }] })).toBe(
      'failed',
    );
  });
});

describe('sample reports of test runners', () => {
  it.each([
    ['01-pytest-json-report.json', 'failed', { tests: 23, failed: 9, errors: 3 }],
    ['02-mocha.json', 'failed', { failed: 6, flaky: 1 }],
    ['03-gtest.json', 'failed', { tests: 13, failed: 4 }],
    ['04-prove-suite-error.xml', 'error', { tests: 2, failed: 0 }],
    ['04e-totals-only.xml', 'failed', { tests: 1, failed: 0 }],
    ['06-gotestsum-rerun.xml', 'passed', { tests: 2, passed: 2, flaky: 1 }],
    ['09-node-todo.xml', 'passed', { tests: 2, passed: 1, skipped: 1 }],
  ])('%s is %s', (name, status, totals) => {
    const report = read(runner(name));
    expect([statusOf(report), report.totals]).toMatchObject([status, totals]);
  });

  it('05-pytest-exit.xml is an error: pytest was interrupted in a case that it does not count', () => {
    const report = read(runner('05-pytest-exit.xml'));
    expect([statusOf(report), report.totals]).toMatchObject(['error', { tests: 1, passed: 1 }]);
    expect(report.warnings).toMatchObject([{ code: 'unfinished_case', path: 'pytest' }]);
  });

  it.each([
    [
      'subtests that it counts',
      '<testsuite name="pytest" tests="8"><testcase classname="t" name="a" time="0.010" /><testcase time="0.000" /></testsuite>',
    ],
    [
      'another name of its suite, and properties',
      '<testsuite name="mine" tests="2"><testcase name="a" time="0.1"/><testcase time="0.000"><properties><property name="a" value="b"/></properties></testcase></testsuite>',
    ],
    [
      'cases behind it, of another worker',
      '<testsuite name="pytest" tests="9"><testcase time="0.002"/><testcase name="a" time="0.1"/></testsuite>',
    ],
  ])('an interrupted pytest is an error with %s', (_what, xml) => {
    const report = read(`<testsuites name="pytest tests">${xml}</testsuites>`);
    expect([statusOf(report), report.totals]).toMatchObject(['error', { tests: 1, passed: 1 }]);
    expect(codesOf(report)).toContain('unfinished_case');
  });

  it('a case with a time and no name counts where it has a result', () => {
    const cases = '<testcase time="1"><failure/></testcase><testcase time="1"><skipped/></testcase>';
    expect(read(`<testsuite tests="9">${cases}</testsuite>`).totals).toMatchObject({ failed: 1, skipped: 1 });
    expect(read('<testsuite><testcase name="" time="1"/></testsuite>').totals.passed).toBe(1);
  });

  it.each([
    ['counts it', '<testsuite tests="2"><testcase name="a"/><testcase/></testsuite>'],
    ['counts nothing', '<testsuite><testcase name="a"/><testcase/></testsuite>'],
  ])('a case without a name counts where its suite %s', (_what, xml) => {
    const report = read(xml);
    expect([statusOf(report), report.totals.tests]).toEqual(['passed', 2]);
  });

  it.each([
    ['t.py::test_param[[1]::2]', [], 'test_param[[1]::2]'],
    ['t.py::TestA::TestB::test_c[a::b-c[d]]', ['TestA', 'TestB'], 'test_c[a::b-c[d]]'],
    ['t.py::TestA::test_c', ['TestA'], 'test_c'],
    ['t.py::test_c[::]', [], 'test_c[::]'],
    ['t.py', [], 't.py'],
    ['[a]/t.py::TestA::test_c', ['TestA'], 'test_c'],
  ])('the node id %s of pytest is split outside of its parameters', (nodeid, suite, name) => {
    const [one] = read(JSON.stringify({ tests: [{ nodeid, outcome: 'passed' }] })).cases;
    expect(one).toMatchObject({ suite, name, file: nodeid.split('::')[0] });
  });

  it('11-phpunit-message.xml has the message behind the name of the test', () => {
    const [, failed] = read(runner('11-phpunit-message.xml')).cases;
    expect(failed?.message).toBe('Exception in TdTest::tearDownAfterClass\ntdc boom');
    const of = (text: string): string | null | undefined =>
      read(
        `<testsuite><testcase name="testA with data set #0" class="T"><failure>${text}</failure></testcase></testsuite>`,
      ).cases[0]?.message;
    expect(of('T::testA with data set #0 (1, 2)\nIt is 3.\n\n/t.php:3')).toBe('It is 3.');
    expect(of('T::testA with data set #0\n')).toBe('T::testA with data set #0');
    expect(of('T::testAnother broke\n2\n\n3')).toBe('T::testAnother broke');
  });

  it('13-ctest-notfound.xml is failed: CTest fails for what it could not start', () => {
    const report = read(runner('13-ctest-notfound.xml'));
    expect([statusOf(report), report.totals]).toMatchObject(['failed', { tests: 2, failed: 1, errors: 1 }]);
    expect(report.cases[1]?.message).toBe('Unable to find executable');
  });

  it.each(['Disabled', 'SKIP_RETURN_CODE=77', 'SKIP_REGULAR_EXPRESSION_MATCHED', ''])(
    'a test of CTest is skipped with %j',
    (message) => {
      const skipped = `<testcase name="a" classname="a" status="notrun"><skipped message="${message}"/></testcase>`;
      expect(read(`<testsuite>${skipped}</testsuite>`).totals).toMatchObject({ failed: 0, skipped: 1 });
    },
  );

  it('12-tap.tap is refused by its name', () => {
    expect(() => read(runner('12-tap.tap'))).toThrow(
      'The report is TAP, which is not read: send JUnit XML, for prove with `--formatter TAP::Formatter::JUnit`',
    );
  });

  it('10-duration.xml counts cases beside suites', () => {
    expect(read(runner('10-duration.xml')).durationMs).toBe(3018);
  });

  it.each([
    [
      'without a time',
      '<testsuite name="s"><testcase name="a" time="2"/><testcase name="b" time="1"/></testsuite>',
      3000,
    ],
    [
      'around suites',
      '<testsuites><testsuite><testsuite time="2"><testcase name="a" time="9"/></testsuite><testcase name="b" time="1"/></testsuite></testsuites>',
      3000,
    ],
    [
      'that says 0 (CTest, of less than a second)',
      '<testsuite time="0"><testcase name="a" time="0.00529671"/><testcase name="b" time="0.4"/></testsuite>',
      405,
    ],
    ['that says 0 as its cases do', '<testsuite time="0"><testcase name="a" time="0"/></testsuite>', 0],
    ['that says 0 without cases', '<testsuite time="0"/>', 0],
    ['with a time', '<testsuite time="0.5"><testcase name="a" time="2"/></testsuite>', 500],
    ['without any', '<testsuite><testcase name="a"/></testsuite>', null],
  ])('a suite %s took as long as what is in it', (_what, xml, durationMs) => {
    expect(read(xml).durationMs).toBe(durationMs);
  });

  it('a report of CTRF has its duration, zero too', () => {
    const of = (duration: number) =>
      read(
        JSON.stringify({
          results: {
            tool: { name: 't' },
            tests: [{ name: 'a', status: 'passed', duration: 1 }],
            summary: { tests: 1, start: 1_700_000_000_000, stop: 1_700_000_005_000, duration },
          },
        }),
      ).durationMs;
    expect([of(0), of(0.4), of(2.5), of(-1)]).toEqual([0, 0, 3, 5_000]);
  });
});
