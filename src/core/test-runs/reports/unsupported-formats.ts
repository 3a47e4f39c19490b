// Formats that are refused by name, with what to send instead. Same as docs/test-reports.md, "Not read".
import type { Json } from '../../../../schemas/event.ts';
import type { RestError } from '../../errors.ts';
import { asObject, OtherDocumentError, unreadableReportError } from './cases/context.ts';

/** A format that is recognised but not supported. */
export interface UnsupportedFormat {
  /** Both in the error message: after "is", and after "send". */
  readonly name: string;
  readonly send: string;
  /** Start of the text; binary formats as ISO 8859-1. */
  readonly begins?: RegExp | readonly string[];
  readonly roots?: readonly string[];
  /** Dotted paths in the object, first entry or first line; all of one text exist. `*`: the first member. */
  readonly members?: readonly string[];
  /** No test results: ignored among other files. */
  readonly isNoReport?: true;
  /** How what is passed over says, near its beginning, that tests failed: then the run did. */
  readonly failed?: RegExp;
}

const junitOfRunner = 'the JUnit XML of the test runner';

/** `junit`: how JUnit XML is made instead; otherwise the runner's. */
interface FormatRow extends Partial<UnsupportedFormat> {
  readonly name: string;
  readonly junit?: string;
}

const results: readonly FormatRow[] = [
  {
    name: "go test's output",
    junit: 'with `gotestsum --junitfile junit.xml`',
    begins: /^(?:=== RUN |--- (?:FAIL|PASS|SKIP): |(?:ok|FAIL|\?) {0,3}\t)/,
  },
  {
    name: "go test's JSON",
    junit: 'with `gotestsum --junitfile junit.xml`',
    members: ['Action Package', 'Action ImportPath'],
  },
  {
    name: 'TAP',
    junit:
      'for prove with `--formatter TAP::Formatter::JUnit`, for node with `--test-reporter=junit`, for bats with `--report-formatter junit`',
    begins: /^(?:1\.\.\d|(?:not )?ok\b|# |Bail out!|pragma [+-])|(?:^|\n)TAP version \d/,
  },
  {
    name: 'subunit',
    junit: 'with `subunit2junitxml`',
    begins: /^(?:\u00b3[ -/]|time: \d{4}-|test(?:ing)?: |progress: |tags: )/,
  },
  {
    name: "pytest's output",
    junit: 'with `pytest --junitxml=junit.xml`',
    begins:
      /(?:^|\n)(?:={3,99} (?:test session starts|FAILURES|ERRORS) =|[.FEsxX]{1,200} +\[ {0,2}\d{1,3}%\])/,
  },
  {
    name: 'what a test runner prints',
    send: 'the JUnit XML that it writes to a file',
    begins:
      /^(?:running \d{1,9} tests?\b|(?:PASS|FAIL) {1,2}\S|PHPUnit \d|RUN {2}v\d|\[(?:INFO|ERROR)\] |> Task :)/,
  },
  { name: "TeamCity's messages", junit: 'for PHPUnit with `--log-junit junit.xml`', begins: /^##teamcity\[/ },
  {
    name: 'JSON of Jest or vitest',
    junit: 'with jest-junit or `vitest --reporter=junit`',
    members: ['numTotalTests testResults'],
  },
  { name: "Playwright's JSON", junit: 'with `--reporter=junit`', members: ['config suites stats'] },
  {
    name: "mochawesome's JSON",
    junit: 'with mocha-junit-reporter, or the JSON of `mocha --reporter json`',
    members: ['stats results meta', 'stats suites copyrightYear'],
  },
  {
    name: "Cypress's JSON",
    junit: 'with `cypress run --reporter junit`',
    members: ['cypressVersion runs', 'totalTests runs'],
  },
  { name: "TestCafe's JSON", junit: 'with testcafe-reporter-xunit', members: ['fixtures userAgents'] },
  { name: "WebdriverIO's JSON", junit: 'with @wdio/junit-reporter', members: ['capabilities specs suites'] },
  {
    name: "Newman's JSON",
    junit: 'with `newman run -r junit`',
    members: ['collection run', 'run.stats run.failures'],
  },
  { name: "RSpec's JSON", junit: 'with rspec_junit_formatter', members: ['examples summary_line'] },
  { name: "behave's JSON", junit: 'with `behave --junit`', members: ['elements keyword location'] },
  {
    name: "Cucumber's JSON",
    junit: 'with `--format junit` (Cucumber for Java: `--plugin junit:junit.xml`)',
    members: ['elements keyword uri', 'meta.protocolVersion'],
  },
  {
    name: "pytest-reportlog's JSON",
    junit: 'with `pytest --junitxml=junit.xml`',
    members: ['pytest_version $report_type'],
  },
  {
    name: "cargo test's JSON",
    junit: 'with `cargo nextest` and `[profile.ci.junit]`',
    members: ['type event test_count'],
  },
  {
    name: "dart test's JSON",
    junit: 'with `tojunit` of junitreport',
    members: ['protocolVersion runnerVersion'],
  },
  {
    name: "Meson's testlog.json",
    send: "Meson's own `testlog.junit.xml`",
    members: ['name result returncode'],
  },
  {
    name: "Xcode's test results",
    junit: 'with `xcbeautify --report junit`',
    members: ['testNodes testPlanConfigurations'],
  },
  {
    name: "Allure's results",
    send: `${junitOfRunner}, which Allure reads too`,
    roots: ['test-suite'],
    members: ['uuid status start stop', 'uuid children befores'],
  },
  {
    name: "Robot Framework's output.json",
    junit: 'with `robot --xunit junit.xml`',
    members: ['generator suite statistics'],
  },
  { name: "Robot Framework's output.xml", junit: 'with `robot --xunit junit.xml`', roots: ['robot'] },
  { name: "CTest's Test.xml", junit: 'with `ctest --output-junit junit.xml`', roots: ['Site'] },
  { name: "CppUnit's XML", junit: 'which a style sheet makes of it', begins: /^<TestRun>/ },
  { name: 'TRX', junit: 'with JunitXml.TestLogger (`dotnet test --logger junit`)', roots: ['TestRun'] },
  {
    name: "NUnit's XML",
    junit: 'with JunitXml.TestLogger (`dotnet test --logger junit`)',
    roots: ['test-run', 'test-results'],
  },
  {
    name: "xUnit.net's XML",
    junit: 'with JunitXml.TestLogger (`dotnet test --logger junit`) or `-junit`',
    roots: ['assemblies', 'assembly'],
  },
  { name: "Catch2's JSON", junit: 'with `--reporter junit`', members: ['test-run metadata'] },
  { name: "Catch2's XML", junit: 'with `--reporter junit`', roots: ['Catch', 'Catch2TestRun'] },
  { name: "doctest's XML", junit: 'with `--reporters=junit`', roots: ['doctest'] },
  { name: "Boost.Test's XML", junit: 'with `--log_format=JUNIT`', roots: ['TestLog', 'TestResult'] },
  { name: "Qt Test's XML", junit: 'with `-o junit.xml,junitxml`', roots: ['TestCase'] },
  {
    name: "JUnit's Open Test Reporting XML",
    send: 'the `TEST-*.xml` of Maven, Gradle or the legacy XML listener',
    roots: ['events', 'execution'],
  },
  {
    name: "Check's XML",
    junit: 'with `CK_TAP_LOG_FILE_NAME` and tap-junit',
    begins: /^<testsuites [^>]{0,300}check\.sourceforge\.net/,
  },
  { name: "CUnit's XML", junit: 'with `CU_automated_enable_junit_xml`', roots: ['CUNIT_TEST_RUN_REPORT'] },
  { name: "SonarQube's generic executions", send: junitOfRunner, roots: ['testExecutions', 'unitTest'] },
  {
    name: "Karate's summary",
    junit: 'with `outputJunitXml(true)`',
    members: ['featureSummary scenariosPassed'],
  },
  {
    name: "Swift Testing's JSON",
    junit: 'with `swift test --xunit-output junit.xml`',
    members: ['kind payload version'],
  },
  {
    name: "Bazel's build events",
    send: 'the `test.xml` below `bazel-testlogs`',
    members: ['id.started started'],
  },
  {
    name: "k6's JSON or CSV",
    junit: 'with `jUnit` of k6-summary in `handleSummary`',
    begins: /^metric_name,timestamp,/,
    members: ['metrics root_group', 'metric type data'],
  },
  {
    name: "JMeter's results",
    junit: 'with Taurus and its module junit-xml',
    begins: /^timeStamp,elapsed,/,
    roots: ['testResults'],
  },
  { name: "Artillery's JSON", junit: 'with artillery-plugin-expect', members: ['aggregate intermediate'] },
  {
    name: 'an archive (ZIP, 7z)',
    send: 'the files in it, each as a file of a form',
    begins: ['PK\u0003\u0004', 'PK\u0005\u0006', '7z\u00bc\u00af'],
  },
  {
    name: 'a packed file (gzip, zstd, bzip2, xz)',
    send: 'it unpacked, or with `Content-Encoding: gzip`',
    begins: ['\u001f', '(\u00b5/\u00fd', 'BZh', '\u00fd7zXZ'],
  },
];

const withoutResults: readonly FormatRow[] = [
  // Surefire and Gradle write the same cases beside it.
  {
    name: "TestNG's testng-results.xml",
    send: 'the `TEST-*.xml` or `junitreports` beside it',
    roots: ['testng-results'],
    failed: /<testng-results\s[^>]{0,1000}?\bfailed="0{0,9}[1-9]/,
  },
  {
    name: "Failsafe's summary",
    send: 'the `TEST-*.xml` beside it',
    roots: ['failsafe-summary'],
    failed: /<(?:errors|failures)>\s{0,9}0{0,9}[1-9]|<failsafe-summary\s[^>]{0,1000}?\btimeout="true"/,
  },
  { name: 'coverage of lcov', begins: /^(?:TN:|SF:)/ },
  { name: 'coverage of Go', begins: /^mode: (?:set|count|atomic)\b/ },
  { name: 'coverage of Cobertura or Clover', roots: ['coverage', 'CoverageSession'] },
  { name: 'coverage of JaCoCo', begins: ['\u0001\u00c0\u00c0'], roots: ['report'] },
  {
    name: 'coverage of Istanbul or coverage.py',
    members: [
      'total.lines total.statements',
      '*.statementMap *.fnMap',
      'files totals.percent_covered',
      'meta.format meta.branch_coverage',
    ],
  },
  {
    name: 'coverage of SimpleCov',
    members: [
      '*.coverage *.timestamp',
      '*.coverage *.coverage.*.lines',
      'meta.simplecov_version',
      'result.line',
    ],
  },
  { name: 'coverage of V8', members: ['result.*.scriptId'] },
  {
    name: 'coverage of LLVM or gcov',
    members: ['data.*.files.*.filename', 'gcovr/format_version', 'gcc_version files'],
  },
  {
    name: 'mutation tests of PIT or Stryker',
    roots: ['mutations'],
    members: ['schemaVersion thresholds files'],
  },
  { name: 'SARIF, findings of an analysis', members: ['version runs'] },
  {
    name: 'findings of a linter',
    roots: ['checkstyle', 'pmd', 'pmd-cpd', 'BugCollection', 'issues', 'lint', 'results'],
    members: ['filePath messages errorCount'],
  },
  {
    name: "findings of GitLab's code quality or of a security scan",
    members: ['fingerprint location', 'vulnerabilities scan', 'vulnerabilities auditReportVersion'],
  },
  { name: 'findings of Lighthouse or axe', members: ['lighthouseVersion audits', 'testEngine violations'] },
  { name: 'figures of a benchmark', members: ['context benchmarks', 'machine_info benchmarks'] },
  { name: 'a page of HTML', roots: ['html', 'HTML'] },
];

/** The first match counts. */
export const unsupportedFormats: readonly UnsupportedFormat[] = [
  ...results,
  ...withoutResults.map((row) => ({ ...row, isNoReport: true as const })),
].map(({ junit, ...one }) => ({ send: junit === undefined ? junitOfRunner : `JUnit XML, ${junit}`, ...one }));

export const headCharactersMax = 4_096;

export function detectUnsupportedFormat(head: string): UnsupportedFormat | null {
  const line = firstLine(head);
  return detectUnsupportedText(head) ?? (line === null ? null : detectUnsupportedJson(line));
}

/** Binary formats are compared as ISO 8859-1. */
export function detectUnsupportedText(head: string): UnsupportedFormat | null {
  const tag = head.startsWith('<') ? rootTagOf(head) : null;
  const root = tag === null ? null : rootOf(tag);
  const isBegun = ({ begins }: UnsupportedFormat): boolean =>
    begins instanceof RegExp
      ? begins.test(head) || (tag !== null && begins.test(tag))
      : begins?.some((text) => head.startsWith(text)) === true;
  return (
    unsupportedFormats.find((one) => isBegun(one) || (root !== null && one.roots?.includes(root) === true)) ??
    null
  );
}

export function detectUnsupportedJson(value: Json): UnsupportedFormat | null {
  const first = asObject(Array.isArray(value) ? value[0] : value);
  return findByMembers((path) => path.split('.').reduce<Json | undefined>(memberOf, first) !== undefined);
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (name !== '*') return asObject(value)[name];
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

/** By names in its beginning, since it is too large to parse. */
export function detectUnsupportedLargeJson(head: string): UnsupportedFormat | null {
  return findByMembers((path) => head.includes(`"${path.split('.').at(-1)}"`));
}

function findByMembers(has: (path: string) => boolean): UnsupportedFormat | null {
  return unsupportedFormats.find(({ members }) => members?.some((all) => all.split(' ').every(has))) ?? null;
}

/** Arrays of these formats are not kept. */
export const unsupportedFormatMembers: ReadonlySet<string> = new Set(
  unsupportedFormats.flatMap(({ members }) => members?.flatMap((all) => all.split(' ')) ?? []),
);

/** The 400 that names what was sent and what to send; `label` names the document, `head` how it begins. */
export function unsupportedFormatError(
  label: string,
  { name, send, isNoReport, failed }: UnsupportedFormat,
  extra: Record<string, number> = {},
  head = '',
): RestError {
  const sentence = `${label} is ${name}, which is not read: send ${send}.`;
  if (isNoReport !== true) return unreadableReportError(sentence, extra);
  return new OtherDocumentError(sentence, extra, failed?.test(head) === true);
}

function rootTagOf(head: string): string | null {
  let at = 0;
  for (;;) {
    while (/\s/.test(head.charAt(at))) at += 1;
    const end = head.startsWith('<?', at) ? '?>' : head.startsWith('<!--', at) ? '-->' : null;
    if (end === null) return head.slice(at, at + 600);
    const found = head.indexOf(end, at + 2);
    if (found === -1) return null;
    at = found + end.length;
  }
}

function rootOf(tag: string): string | null {
  return /^<(?:!DOCTYPE\s{1,9})?(?:[\w.-]{1,100}:)?([\w.-]{1,100})/i.exec(tag)?.[1] ?? null;
}

function firstLine(head: string): Json {
  const line = /^[[{].*/.exec(head)?.[0] ?? '';
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}
