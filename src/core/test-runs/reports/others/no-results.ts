// What holds no outcome of a test, or only those of the reports beside it: coverage, findings, summaries. The
// same table stands in docs/test-reports.md, "Not read".
import { type OtherReport, ofRunner } from './other-report.ts';

/** The first that matches counts. */
export const noResults: readonly OtherReport[] = [
  {
    // Surefire and Gradle write the same cases beside it.
    name: "TestNG's testng-results.xml",
    send: 'the `TEST-*.xml` or `junitreports` beside it',
    roots: ['testng-results'],
    isNoReport: true,
    failed: /<testng-results\s[^>]{0,1000}?\bfailed="0{0,9}[1-9]/,
  },
  {
    name: "Failsafe's summary",
    send: 'the `TEST-*.xml` beside it',
    roots: ['failsafe-summary'],
    isNoReport: true,
    failed: /<(?:errors|failures)>\s{0,9}0{0,9}[1-9]|<failsafe-summary\s[^>]{0,1000}?\btimeout="true"/,
  },
  { name: 'coverage of lcov', send: ofRunner, begins: /^(?:TN:|SF:)/, isNoReport: true },
  { name: 'coverage of Go', send: ofRunner, begins: /^mode: (?:set|count|atomic)\b/, isNoReport: true },
  {
    name: 'coverage of Cobertura or Clover',
    send: ofRunner,
    roots: ['coverage', 'CoverageSession'],
    isNoReport: true,
  },
  {
    name: 'coverage of JaCoCo',
    send: ofRunner,
    begins: ['\u0001\u00c0\u00c0'],
    roots: ['report'],
    isNoReport: true,
  },
  {
    name: 'coverage of Istanbul or coverage.py',
    send: ofRunner,
    members: [
      ['total.lines', 'total.statements'],
      ['*.statementMap', '*.fnMap'],
      ['files', 'totals.percent_covered'],
      ['meta.format', 'meta.branch_coverage'],
    ],
    isNoReport: true,
  },
  {
    name: 'coverage of SimpleCov',
    send: ofRunner,
    members: [
      ['*.coverage', '*.timestamp'],
      ['*.coverage', '*.coverage.*.lines'],
      ['meta.simplecov_version'],
      ['result.line'],
    ],
    isNoReport: true,
  },
  { name: 'coverage of V8', send: ofRunner, members: [['result.*.scriptId']], isNoReport: true },
  {
    name: 'coverage of LLVM or gcov',
    send: ofRunner,
    members: [['data.*.files.*.filename'], ['gcovr/format_version'], ['gcc_version', 'files']],
    isNoReport: true,
  },
  {
    name: 'mutation tests of PIT or Stryker',
    send: ofRunner,
    roots: ['mutations'],
    members: [['schemaVersion', 'thresholds', 'files']],
    isNoReport: true,
  },
  {
    name: 'SARIF, findings of an analysis',
    send: ofRunner,
    members: [['version', 'runs']],
    isNoReport: true,
  },
  {
    name: 'findings of a linter',
    send: ofRunner,
    roots: ['checkstyle', 'pmd', 'pmd-cpd', 'BugCollection', 'issues', 'lint', 'results'],
    members: [['filePath', 'messages', 'errorCount']],
    isNoReport: true,
  },
  {
    name: "findings of GitLab's code quality or of a security scan",
    send: ofRunner,
    members: [
      ['fingerprint', 'location'],
      ['vulnerabilities', 'scan'],
      ['vulnerabilities', 'auditReportVersion'],
    ],
    isNoReport: true,
  },
  {
    name: 'findings of Lighthouse or axe',
    send: ofRunner,
    members: [
      ['lighthouseVersion', 'audits'],
      ['testEngine', 'violations'],
    ],
    isNoReport: true,
  },
  {
    name: 'figures of a benchmark',
    send: ofRunner,
    members: [
      ['context', 'benchmarks'],
      ['machine_info', 'benchmarks'],
    ],
    isNoReport: true,
  },
  { name: 'a page of HTML', send: ofRunner, roots: ['html', 'HTML'], isNoReport: true },
];
