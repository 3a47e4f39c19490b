import { describe, expect, it } from '@jest/globals';
import type { ParsedTestReport } from '../../../../src/core/ports/test-report-reader.ts';
import { createUploadReader } from '../../../../src/core/test-runs/reports/read-upload.ts';
import { readRunDetails } from '../../../../src/core/test-runs/run-details.ts';
import { computeRunStatus } from '../../../../src/core/test-runs/test-runs.ts';

function read(text: string): ParsedTestReport {
  const upload = createUploadReader();
  upload.open('', 'body').write(text);
  return upload.end({});
}
const statusOf = (report: ParsedTestReport): string =>
  computeRunStatus(report, readRunDetails(report).facts.exitCode);
const codesOf = (report: ParsedTestReport): string[] => report.warnings.map(({ code }) => code);

describe('two cases of one name', () => {
  const suite = (cases: string, totals = ''): ParsedTestReport =>
    read(`<testsuites><testsuite name="s" ${totals}>${cases}</testsuite></testsuites>`);
  const failed = '<testcase name="a" classname="F"><failure message="first">at F</failure></testcase>';
  const broken = '<testcase name="a" classname="F"><error message="second"/></testcase>';
  const passed = '<testcase name="a" classname="F" time="0.5"/>';

  it('that fail and then pass are one flaky case', () => {
    const report = suite(`${failed}${broken}${passed}`, 'tests="3" failures="1" errors="1"');
    expect(report.totals).toMatchObject({ tests: 1, passed: 1, failed: 0, flaky: 1 });
    expect(report.cases).toMatchObject([
      { status: 'passed', flakyRule: 'same_run', retries: 2, durationMs: 500 },
    ]);
    expect(report.cases[0]?.attempts).toMatchObject([
      { status: 'failed', message: 'first', trace: 'at F' },
      { status: 'failed', message: 'second' },
    ]);
    expect([statusOf(report), codesOf(report)]).toEqual(['passed', []]);
  });

  it('may stand in two suites of one name', () => {
    const part = (one: string): string => `<testsuite name="pkg">${one}</testsuite>`;
    const report = read(`<testsuites>${part(failed)}${part(passed)}</testsuites>`);
    expect(report.totals).toMatchObject({ tests: 1, passed: 1, flaky: 1 });
  });

  it('that are skipped and then pass (a retry of TestNG) are one flaky case, where the report is JUnit XML', () => {
    const skipped = '<testcase name="a" classname="F"><skipped message="no">at F</skipped></testcase>';
    for (const cases of [
      `${skipped}${passed}`,
      `${skipped}${skipped}${passed}`,
      `${failed}${skipped}${passed}`,
    ]) {
      const report = suite(cases);
      expect(report.totals).toMatchObject({ tests: 1, passed: 1, skipped: 0, flaky: 1 });
      expect(report.cases[0]?.attempts).toHaveLength(cases.split('<testcase').length - 2);
      expect([statusOf(report), codesOf(report)]).toEqual(['passed', []]);
    }
    const tests = ['skipped', 'passed'].map((status) => ({ name: 'a', status }));
    expect(read(JSON.stringify({ tests })).totals).toMatchObject({ tests: 2, skipped: 1, flaky: 0 });
  });

  it.each([
    ['pass and then fail', `${passed}${failed}`, 2, 1],
    ['fail twice', `${failed}${failed}`, 2, 2],
    ['fail, pass and pass again, as rows of a table do,', `${failed}${passed}${passed}`, 3, 1],
    ['fail and are then skipped', `${failed}<testcase name="a" classname="F"><skipped/></testcase>`, 2, 1],
    ['have no name', '<testcase><failure/></testcase><testcase/>', 2, 1],
    [
      'stand in other lines',
      '<testcase name="a" line="1"><failure/></testcase><testcase name="a" line="2"/>',
      2,
      1,
    ],
  ])('that %s stay as they are, and the run failed', (_name, cases, tests, failures) => {
    const report = suite(cases);
    expect(report.totals).toMatchObject({ tests, failed: failures, flaky: 0 });
    expect(statusOf(report)).toBe('failed');
  });

  describe('with the same attempts (Surefire, of nested classes)', () => {
    const tries = (inside: string, text = 'at Outer$Inner.a'): string =>
      `<testcase name="a" classname="Outer$Inner" time="0.1">${inside}<TAG message="no"><stackTrace>${text}</stackTrace></TAG></testcase>`;
    const flaky = tries('').replaceAll('TAG', 'flakyFailure');
    const rerun = tries('<failure message="no">at Outer$Inner.a</failure>').replaceAll('TAG', 'rerunFailure');
    const files = (...parts: Array<readonly [string, string]>): ParsedTestReport => {
      const upload = createUploadReader();
      for (const [name, cases] of parts) {
        upload.open(`${name}.xml: `, 'file').write(`<testsuite name="${name}">${cases}</testsuite>`);
      }
      return upload.end({});
    };

    it('are one', () => {
      expect(suite(flaky + flaky).totals).toMatchObject({ tests: 1, passed: 1, flaky: 1 });
      expect(suite(rerun + rerun).totals).toMatchObject({ tests: 1, failed: 1 });
      expect(suite(rerun + rerun).cases[0]).toMatchObject({ retries: 1 });
      const twice = files(['Outer', rerun], ['Outer$Inner', rerun]);
      expect([twice.totals, twice.cases.length]).toMatchObject([{ tests: 1, failed: 1 }, 1]);
    });

    it('are two with other attempts, in another class, or without any', () => {
      const other = tries('').replaceAll('TAG', 'flakyFailure').replace('at Outer', 'at line 2 of Outer');
      expect(suite(flaky + other).totals.tests).toBe(2);
      expect(suite(flaky + flaky.replace('classname="Outer$Inner"', 'classname="Other"')).totals.tests).toBe(
        2,
      );
      expect(files(['Outer', failed], ['Inner', failed]).totals.tests).toBe(2);
    });
  });

  it('are one in JSON too', () => {
    const tests = ['failed', 'passed'].map((status) => ({ name: 'a', status }));
    const flat = read(JSON.stringify({ tests }));
    const ctrf = read(JSON.stringify({ results: { tests, summary: { tests: 2 } } }));
    for (const { totals } of [flat, ctrf]) expect(totals).toMatchObject({ tests: 1, passed: 1, flaky: 1 });
  });
});
