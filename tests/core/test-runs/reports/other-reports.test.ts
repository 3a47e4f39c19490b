import { describe, expect, it } from '@jest/globals';
import type { ParsedTestReport } from '../../../../src/core/ports/test-report-reader.ts';
import type { DocumentKind } from '../../../../src/core/test-runs/reports/documents.ts';
import { createUploadReader } from '../../../../src/core/test-runs/reports/read-upload.ts';
import { unsupportedFormats } from '../../../../src/core/test-runs/reports/unsupported-formats.ts';
import { fullOrShort } from '../../../support/test-level.ts';

function read(text: string, kind: DocumentKind = 'body', size = text.length): ParsedTestReport {
  const upload = createUploadReader();
  const document = upload.open('', kind);
  for (let at = 0; at < text.length; at += size) document.write(text.slice(at, at + size));
  return upload.end({});
}
const refusalOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error as { status?: number }).toHaveStatus(400);
    return (error as Error).message;
  }
  return 'was read';
};
const lines = (...values: unknown[]): string => `${values.map((one) => JSON.stringify(one)).join('\n')}\n`;
const xml = (root: string, before = ''): string =>
  `<?xml version="1.0"?>\n<!-- made by a tool -->\n${before}<${root}><x/></${root.split(' ')[0]}>`;
const passing = { status: 'passed', tests: 3, passed: 3, failed: 0 };

const samples: Readonly<Record<string, readonly string[]>> = {
  "go test's output": [
    '=== RUN   TestA\n--- FAIL: TestA (0.00s)\nFAIL\n',
    'ok  \texample.com/shop\t0.012s\n',
    'FAIL\texample.com/shop [build failed]\n',
    '--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\n',
    '?   \texample.com/shop/cmd\t[no test files]\n',
  ],
  "go test's JSON": [
    lines(
      { Time: '2026-11-27T20:52:57Z', Action: 'start', Package: 'shop' },
      { Time: '2026-11-27T20:52:58Z', Action: 'fail', Package: 'shop', Test: 'TestA', Elapsed: 0.01 },
    ),
    lines({ Action: 'pass', Package: 'shop' }),
    lines({ ImportPath: 'shop', Action: 'build-output', Output: '# shop\n' }, { Action: 'build-fail' }),
  ],
  TAP: [
    'TAP version 13\n# Subtest: a\nok 1 - a\n',
    '1..1\nnot ok 1 - a\n',
    'ok 1 - a\n',
    'not ok 1\n',
    '1..0 # skip no database\n',
    'Bail out! no database\n',
    '    # Subtest: a\n    ok 1\n',
    '    ok 1 - inner\n    1..1\nok 1 - outer\n',
    'TAP version 14\npragma +strict\n',
    '> shop@1.0.0 test\n> node --test\n\nTAP version 13\nnot ok 1\n',
  ],
  subunit: [
    'time: 2026-11-28 10:00:00Z\ntest: a\nfailure: a [\n]\n',
    'test: a\nsuccess: a\n',
    'testing: a\n',
    'progress: 2\n',
    '\u00b3)\u0001\u0012a',
  ],
  "pytest's output": [
    '============ test session starts ============\nplatform linux\n',
    '.F..                          [100%]\n=========== FAILURES ===========\n',
    'loading plugins\n===== test session starts =====\n',
  ],
  'what a test runner prints': [
    '\nrunning 3 tests\ntest a ... ok\n',
    'PASS src/a.test.js\n',
    'FAIL  src/a.test.js\n',
    'PHPUnit 12.1 by Sebastian Bergmann.\n',
    ' RUN  v3.2.4 /shop\n',
    '[INFO] Scanning for projects...\n',
    '> Task :test FAILED\n',
  ],
  "TeamCity's messages": ["##teamcity[testSuiteStarted name='Shop']\n"],
  'JSON of Jest or vitest': [
    lines({ ...passing, numTotalTests: 2, numFailedTests: 1, testResults: [{ assertionResults: [] }] }),
    lines({ numTotalTestSuites: 1, numTotalTests: 1, numFailedTests: 0, success: true, testResults: [] }),
  ],
  "Playwright's JSON": [lines({ config: {}, suites: [{ specs: [] }], errors: [], stats: { unexpected: 1 } })],
  "mochawesome's JSON": [
    lines({ stats: { failures: 0 }, results: [{ suites: [] }], meta: {} }),
    lines({ stats: { failures: 1 }, suites: {}, copyrightYear: 2026 }),
  ],
  "Cypress's JSON": [
    lines({ status: 'finished', totalFailed: 1, runs: [{ tests: [] }], cypressVersion: '15' }),
    lines({ status: 'passed', totalTests: 1, runs: [{ tests: [{ state: 'failed' }] }] }),
  ],
  "TestCafe's JSON": [
    lines({ startTime: 'x', userAgents: ['Chrome'], passed: 2, total: 3, skipped: 0, fixtures: [{}] }),
  ],
  "WebdriverIO's JSON": [lines({ capabilities: {}, specs: ['a'], suites: [{}], state: { failed: 1 } })],
  "Newman's JSON": [
    lines({ collection: {}, run: { failures: [{}] } }),
    lines({ status: 'passed', run: { stats: {}, failures: [{}] } }),
  ],
  "RSpec's JSON": [lines({ version: '3.13', examples: [{ status: 'failed' }], summary_line: '1 failure' })],
  "behave's JSON": [
    lines([{ elements: [], keyword: 'Feature', location: 'a.feature:1', name: 'a', status: 'failed' }]),
  ],
  "Cucumber's JSON": [
    lines([{ elements: [], keyword: 'Feature', uri: 'a.feature', name: 'a' }]),
    lines({ meta: { protocolVersion: '27.0.0', implementation: {} } }, { source: {} }),
  ],
  "pytest-reportlog's JSON": [
    lines({ pytest_version: '9.0', $report_type: 'SessionStart' }, { $report_type: 'TestReport' }),
  ],
  "cargo test's JSON": [
    lines({ type: 'suite', event: 'started', test_count: 1 }, { type: 'test', event: 'failed', name: 'a' }),
  ],
  "dart test's JSON": [
    lines({ protocolVersion: '0.1.1', runnerVersion: '1.25', type: 'start' }, { test: {} }),
  ],
  "Meson's testlog.json": [lines({ name: 'a', result: 'FAIL', returncode: 1 }, { name: 'b', result: 'OK' })],
  "Xcode's test results": [lines({ testPlanConfigurations: [], testNodes: [{ result: 'Failed' }] })],
  "Allure's results": [
    lines({ uuid: 'a', name: 'a', status: 'passed', stage: 'finished', start: 1, stop: 2, labels: [] }),
    lines({ uuid: 'a', children: ['b'], befores: [], start: 1, stop: 2 }),
    xml('ns2:test-suite xmlns:ns2="urn:model.allure.qatools.yandex.ru"'),
  ],
  "Robot Framework's output.json": [
    lines({ generator: 'Robot 7.4', rpa: false, suite: { name: 'a' }, statistics: {}, errors: [] }),
  ],
  "Robot Framework's output.xml": [xml('robot generator="Robot 7.4"')],
  "CTest's Test.xml": [xml('Site BuildName="b"')],
  "CppUnit's XML": [xml('TestRun')],
  TRX: [xml('TestRun id="a" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"')],
  "NUnit's XML": [xml('test-run result="Passed"'), xml('test-results')],
  "xUnit.net's XML": [xml('assemblies'), xml('assembly')],
  "Catch2's JSON": [lines({ version: 1, metadata: { name: 'a' }, 'test-run': { 'test-cases': [] } })],
  "Catch2's XML": [xml('Catch2TestRun'), xml('Catch')],
  "doctest's XML": [xml('doctest')],
  "Boost.Test's XML": [xml('TestLog'), xml('TestResult')],
  "Qt Test's XML": [xml('TestCase name="a"')],
  "JUnit's Open Test Reporting XML": [
    xml('e:events xmlns:e="https://schemas.opentest4j.org"'),
    xml('e:execution'),
  ],
  "Check's XML": [
    '<?xml version="1.0"?>\n<?xml-stylesheet type="text/xsl" href="http://check.sourceforge.net/xml/check_unittest.xslt"?>\n<testsuites xmlns="http://check.sourceforge.net/ns">\n<suite><title>a</title><test result="failure"/></suite></testsuites>',
  ],
  "CUnit's XML": [xml('CUNIT_TEST_RUN_REPORT')],
  "SonarQube's generic executions": [xml('testExecutions version="1"'), xml('unitTest version="1"')],
  "Karate's summary": [lines({ scenariosPassed: 1, scenariosfailed: 1, featureSummary: [{ failed: true }] })],
  "Swift Testing's JSON": [lines({ kind: 'event', payload: {}, version: 0 }, { kind: 'test' })],
  "Bazel's build events": [lines({ id: { started: {} }, children: [], started: { uuid: 'a' } }, { id: {} })],
  "k6's JSON or CSV": [
    lines({ metrics: { checks: { fails: 1 } }, root_group: { checks: [] }, state: {} }),
    lines({ metric: 'checks', type: 'Metric', data: {} }, { metric: 'checks', type: 'Point', data: {} }),
    'metric_name,timestamp,metric_value\nchecks,1,0\n',
  ],
  "JMeter's results": [xml('testResults version="1.2"'), 'timeStamp,elapsed,label,responseCode\n1,2,a,500\n'],
  "Artillery's JSON": [lines({ aggregate: { counters: {} }, intermediate: [{}] })],
  'an archive (ZIP, 7z)': ['PK\u0003\u0004\u0014', 'PK\u0005\u0006', '7z\u00bc\u00af\u0027\u001c'],
  'a packed file (gzip, zstd, bzip2, xz)': [
    '\u001f\u008b\u0008',
    '(\u00b5/\u00fd',
    'BZh91AY',
    '\u00fd7zXZ\u0000',
  ],
  "TestNG's testng-results.xml": [xml('testng-results failed="0"')],
  "Failsafe's summary": [xml('failsafe-summary result="255"')],
  'coverage of lcov': ['TN:\nSF:a.js\nend_of_record\n', 'SF:a.js\nend_of_record\n'],
  'coverage of Go': ['mode: atomic\nshop/a.go:1.1,2.2 1 1\n'],
  'coverage of Cobertura or Clover': [
    xml(
      'coverage line-rate="1"',
      '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/c.dtd">\n',
    ),
    xml('coverage generated="1"'),
    xml('CoverageSession'),
  ],
  'coverage of JaCoCo': [
    '\u0001\u00c0\u00c0\u0010',
    xml('report name="shop"', '<!DOCTYPE report PUBLIC "-//JACOCO//DTD" "report.dtd">'),
  ],
  'coverage of Istanbul or coverage.py': [
    lines({ total: { lines: { pct: 1 }, statements: {} }, 'a.js': {} }),
    lines({ meta: {}, files: {}, totals: { percent_covered: 1 } }),
    lines({ meta: { format: 3, branch_coverage: false } }),
    lines({ '/shop/a.js': { path: '/shop/a.js', statementMap: {}, fnMap: {}, branchMap: {}, s: {} } }),
  ],
  'coverage of SimpleCov': [
    lines({ RSpec: { coverage: {}, timestamp: 1 } }),
    lines({ RSpec: { coverage: { 'a.rb': { lines: [null, 1] } } } }),
    lines({ meta: { simplecov_version: '0.22' }, coverage: {}, groups: {} }),
    lines({ result: { line: 90.1 } }),
  ],
  'coverage of V8': [lines({ result: [{ scriptId: '1', url: 'a.js', functions: [] }], timestamp: 1 })],
  'coverage of LLVM or gcov': [
    lines({ data: [{ files: [{ filename: 'a.c' }], totals: {} }], type: 'llvm.coverage.json.export' }),
    lines({ 'gcovr/format_version': '0.14', files: [] }),
    lines({ gcc_version: '14', files: [] }),
  ],
  'mutation tests of PIT or Stryker': [
    xml('mutations'),
    lines({ schemaVersion: '1.0', thresholds: {}, files: { 'a.js': { mutants: [] } } }),
  ],
  'SARIF, findings of an analysis': [lines({ $schema: 'x', version: '2.1.0', runs: [{ results: [] }] })],
  'findings of a linter': [
    ...['checkstyle', 'pmd', 'pmd-cpd', 'BugCollection', 'issues', 'lint', 'results'].map((root) =>
      xml(root),
    ),
    lines([{ filePath: 'a.js', messages: [], errorCount: 0 }]),
  ],
  "findings of GitLab's code quality or of a security scan": [
    lines([{ description: 'a', check_name: 'b', fingerprint: 'c', location: { path: 'a.js' } }]),
    lines({ version: '15', vulnerabilities: [{}], scan: { status: 'success' } }),
    lines({ auditReportVersion: 2, vulnerabilities: {} }),
  ],
  'findings of Lighthouse or axe': [
    lines({ lighthouseVersion: '12', audits: {} }),
    lines({ testEngine: {}, violations: [{}], passes: [{}] }),
  ],
  'figures of a benchmark': [
    lines({ context: {}, benchmarks: [{}] }),
    lines({ machine_info: {}, benchmarks: [{}] }),
  ],
  'a page of HTML': ['<!doctype html>\n<html lang="en"><p>x</html>', '<HTML></HTML>'],
};

describe.each(unsupportedFormats.map((one) => [one.name, one] as const))(
  '%s',
  (name, { send, isNoReport }) => {
    const given = samples[name] ?? [];

    it('is refused by name, with the format to send instead, in any encoding', () => {
      expect(given.length).toBeGreaterThan(0);
      for (const text of given) {
        const wanted = `The report is ${name}, which is not read: send ${send}.`;
        for (const kind of ['body', 'xml', 'part', 'file'] as const) {
          if (kind === 'xml' && /^[[{]/.test(text)) continue;
          expect([text, kind, refusalOf(() => read(text, kind))]).toEqual([text, kind, wanted]);
        }
        expect([text, refusalOf(() => read(text, 'body', 7))]).toEqual([text, wanted]);
      }
    });

    it('beside a report is skipped where it has no result, else the run is an error', () => {
      const upload = createUploadReader();
      upload.open('a.xml: ', 'file').write('<testsuite><testcase name="a"/></testsuite>');
      upload.open('b: ', 'file').write(given[0] ?? '');
      const report = upload.end({});
      expect([report.givenStatus, report.warnings.map(({ code }) => code)]).toEqual(
        isNoReport ? [null, ['file_passed_over']] : ['error', ['file_unreadable']],
      );
      expect(report.warnings[0]?.message).toContain(`b is ${name}, which is not read`);
    });
  },
);

describe('an unsupported format', () => {
  it('is recognized in a wrapper, too', () => {
    const jest = { numTotalTests: 1, testResults: [] };
    expect(refusalOf(() => read(JSON.stringify({ format: 'ctrf', report: jest })))).toMatch(
      /^report is JSON of Jest or vitest, which is not read/,
    );
  });

  it('is recognized by the first of many elements, which are not stored', () => {
    const feature = { elements: [], keyword: 'Feature', location: 'a:1', tags: [1, 2, 3] };
    expect(refusalOf(() => read(JSON.stringify(Array(fullOrShort(20_000, 2_000)).fill(feature))))).toContain(
      "is behave's JSON",
    );
    const found = { ruleId: 'a', level: 'note' };
    const sarif = { version: '2.1.0', runs: Array(fullOrShort(40_000, 4_000)).fill(found) };
    expect(refusalOf(() => read(JSON.stringify(sarif)))).toContain('is SARIF');
  });

  it('is recognized by its first names where it is too large to be parsed', () => {
    const file = { path: 'a.js', fnMap: {}, statementMap: {}, s: Array(120_000).fill(1) };
    expect(refusalOf(() => read(JSON.stringify({ 'a.js': file })))).toContain('is coverage of Istanbul');
    const unknown = { a: Array(120_000).fill(1) };
    expect(refusalOf(() => read(JSON.stringify(unknown)))).toContain('more than 100000 JSON values');
  });

  it.each([
    [
      'tests of other names',
      '<testsuites><suite><test result="failure"/></suite></testsuites>',
      'holds <suite>',
    ],
    ['the same in a suite', '<testsuite><test name="a" result="failure"/></testsuite>', 'holds <test>'],
    ['an unknown root', xml('plist'), 'expected <testsuites> or <testsuite>'],
    ['a DOCTYPE', '<!DOCTYPE testsuite><testsuite/>', 'has a DOCTYPE'],
    ['a comment without end', '<!-- x', 'cut off'],
    ['a list', '[{"a":1}]', 'neither a JSON object nor JUnit XML'],
    ['broken JSON', '{"Action":"x"}\n{', 'Invalid JSON body passed.'],
    ['text', 'All good.', 'Invalid JSON body passed.'],
  ])('is %s in other words', (_name, text, words) => {
    expect(refusalOf(() => read(text))).toContain(words);
  });
});

describe('tests in an unknown format', () => {
  const nameless = [{ duration: 3, verdict: 'bad' }, { duration: 4 }];
  it.each([
    ['alone', { tests: nameless }, 'tests is of a form that is not known'],
    ['with names', { tests: [{ name: 'a', verdict: 'bad' }] }, 'tests is of a form that is not known'],
    ['in results', { results: { tests: nameless } }, 'results.tests is of a form that is not known'],
    ['in a wrapper', { report: { results: { tests: nameless } } }, 'report.results.tests is of a form'],
    ['with a status', { tests: nameless, status: 'passed' }, 'was read'],
    ['with failures', { tests: nameless, failed: 1 }, 'was read'],
    ['with one outcome', { tests: [...nameless, { name: 'a', status: 'passed' }] }, 'was read'],
    ['marked as CTRF', { reportFormat: 'CTRF', results: { tests: nameless } }, 'was read'],
    ['of a tool of CTRF', { results: { tool: { name: 't' }, tests: nameless } }, 'was read'],
    ['none', { results: { tests: [], summary: { tests: 0 } } }, 'was read'],
  ])('%s', (_name, body, words) => {
    expect(refusalOf(() => read(JSON.stringify(body)))).toContain(words);
  });

  it.each([
    ['a list of specs', { status: 'passed', specs: [{ state: 'failed' }] }, 'specs[0]'],
    ['a list in a list', { status: 'passed', files: [{}, { cases: [{ ok: false }] }] }, 'files[1].cases[0]'],
    ['members by their name', { total: 1, passed: 1, modules: { a: { outcome: 'error' } } }, 'modules.a'],
    [
      'a count',
      { tests: 1, passed: 1, groups: [{ checks: [{ passes: 2, fails: 1 }] }] },
      'groups[0].checks[0]',
    ],
    ['a flag', { total: 2, passed: 2, results: [{ name: 'a' }, { pass: false }] }, 'results[1]'],
    ['an error', { status: 'passed', hooks: [{ title: 'before all', err: { message: 'x' } }] }, 'hooks[0]'],
    [
      'suites beside tests that passed',
      { tests: [{ name: 'a', status: 'passed' }], suites: [{ specs: [{ status: 'timedOut' }] }] },
      'suites[0].specs[0]',
    ],
  ])('are no passed run where they stand in %s', (_name, body, where) => {
    expect(refusalOf(() => read(JSON.stringify(body)))).toContain(
      `${where} holds a test that failed, and is not read`,
    );
  });

  it.each([
    ['the run is said to have failed', { status: 'failed', specs: [{ state: 'failed' }] }],
    ['failures are counted', { total: 2, passed: 1, failed: 1, specs: [{ state: 'failed' }] }],
    ['a test that is read failed', { tests: [{ name: 'a', status: 'failed' }], specs: [{ ok: false }] }],
    ['nothing failed', { status: 'passed', specs: [{ state: 'passed', failed: 0, error: null }] }],
    ['they are no tests', { status: 'passed', metadata: { status: 'failed' }, tags: { result: 'error' } }],
  ])('are read as before where %s', (_name, body) => {
    expect(refusalOf(() => read(JSON.stringify(body)))).toBe('was read');
  });

  it('and the rest of a total are those of the part that is not said', () => {
    const of = (body: object) => read(JSON.stringify(body)).totals;
    expect(of({ total: 3, passed: 2, skipped: 0 })).toMatchObject({ passed: 2, failed: 1, skipped: 0 });
    expect(of({ total: 3, failed: 1, skipped: 0 })).toMatchObject({ passed: 2, failed: 1, skipped: 0 });
    expect(of({ total: 3, passed: 2, failed: 0 })).toMatchObject({ passed: 2, failed: 0, skipped: 1 });
  });
});
