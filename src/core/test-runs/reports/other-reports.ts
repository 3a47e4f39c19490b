// What is sent to the address of test reports and is none that is read: known by its own marks, and refused
// with what to send instead. The same table stands in docs/test-reports.md, "Not read".
import type { Json } from '../../../../schemas/event.ts';
import type { RestError } from '../../errors.ts';
import { objectOf } from './cases/context.ts';
import { OtherDocumentError, unreadableReport } from './cases/refusals.ts';

interface OtherReport {
  /** As the refusal calls it: "is …". */
  readonly name: string;
  /** What to send instead, behind "send". */
  readonly send: string;
  /** How its text begins. */
  readonly begins?: RegExp;
  /** Its root elements, without a prefix. */
  readonly roots?: readonly string[];
  /**
   * Members that stand in it together, in dotted paths: of the object, of the first object of a list, or of
   * the first line where each line is an object. Any of these sets tells it.
   */
  readonly members?: ReadonlyArray<readonly string[]>;
  /** True for what holds no outcome that the reports beside it lack: it is passed over. */
  readonly isNoReport?: true;
}

const ofRunner = 'the JUnit XML of the test runner';

/** The first that matches counts. */
export const otherReports: readonly OtherReport[] = [
  {
    name: "go test's output",
    send: 'JUnit XML, with `gotestsum --junitfile junit.xml`',
    begins: /^(?:=== RUN |--- (?:FAIL|PASS|SKIP): |(?:ok|FAIL|\?) {0,3}\t)/,
  },
  {
    name: "go test's JSON",
    send: 'JUnit XML, with `gotestsum --junitfile junit.xml`',
    members: [
      ['Action', 'Package'],
      ['Action', 'ImportPath'],
    ],
  },
  {
    name: 'TAP',
    send: 'JUnit XML, for prove with `--formatter TAP::Formatter::JUnit`, for node with `--test-reporter=junit`, for bats with `--report-formatter junit`',
    begins: /^(?:TAP version \d|1\.\.\d|(?:not )?ok\b|# )/,
  },
  {
    name: "TeamCity's messages",
    send: 'JUnit XML, for PHPUnit with `--log-junit junit.xml`',
    begins: /^##teamcity\[/,
  },
  {
    name: 'JSON of Jest or vitest',
    send: 'JUnit XML, with jest-junit or `vitest --reporter=junit`',
    members: [['numTotalTests', 'testResults']],
  },
  {
    name: "Playwright's JSON",
    send: 'JUnit XML, with `--reporter=junit`',
    members: [['config', 'suites', 'stats']],
  },
  {
    name: "mochawesome's JSON",
    send: 'JUnit XML, with mocha-junit-reporter, or the JSON of `mocha --reporter json`',
    members: [['stats', 'results', 'meta']],
  },
  {
    name: "Cypress's JSON",
    send: 'JUnit XML, with `cypress run --reporter junit`',
    members: [['cypressVersion', 'runs']],
  },
  {
    name: "TestCafe's JSON",
    send: 'JUnit XML, with testcafe-reporter-xunit',
    members: [['fixtures', 'userAgents']],
  },
  {
    name: "WebdriverIO's JSON",
    send: 'JUnit XML, with @wdio/junit-reporter',
    members: [['capabilities', 'specs', 'suites']],
  },
  { name: "Newman's JSON", send: 'JUnit XML, with `newman run -r junit`', members: [['collection', 'run']] },
  {
    name: "RSpec's JSON",
    send: 'JUnit XML, with rspec_junit_formatter',
    members: [['examples', 'summary_line']],
  },
  {
    name: "behave's JSON",
    send: 'JUnit XML, with `behave --junit`',
    members: [['elements', 'keyword', 'location']],
  },
  {
    name: "Cucumber's JSON",
    send: 'JUnit XML, with `--format junit` (Cucumber for Java: `--plugin junit:junit.xml`)',
    members: [['elements', 'keyword', 'uri'], ['meta.protocolVersion']],
  },
  {
    name: "pytest-reportlog's JSON",
    send: 'JUnit XML, with `pytest --junitxml=junit.xml`',
    members: [['pytest_version', '$report_type']],
  },
  {
    name: "cargo test's JSON",
    send: 'JUnit XML, with `cargo nextest` and `[profile.ci.junit]`',
    members: [['type', 'event', 'test_count']],
  },
  {
    name: "dart test's JSON",
    send: 'JUnit XML, with `tojunit` of junitreport',
    members: [['protocolVersion', 'runnerVersion']],
  },
  {
    name: "Meson's testlog.json",
    send: "Meson's own `testlog.junit.xml`",
    members: [['name', 'result', 'returncode']],
  },
  {
    name: "Xcode's test results",
    send: 'JUnit XML, with `xcbeautify --report junit`',
    members: [['testNodes', 'testPlanConfigurations']],
  },
  {
    name: "Allure's results",
    send: `${ofRunner}, which Allure reads too`,
    roots: ['test-suite'],
    members: [
      ['uuid', 'status', 'start', 'stop'],
      ['uuid', 'children', 'befores'],
    ],
  },
  {
    name: "Robot Framework's output.xml",
    send: 'JUnit XML, with `robot --xunit junit.xml`',
    roots: ['robot'],
  },
  { name: "CTest's Test.xml", send: 'JUnit XML, with `ctest --output-junit junit.xml`', roots: ['Site'] },
  {
    name: 'TRX',
    send: 'JUnit XML, with JunitXml.TestLogger (`dotnet test --logger junit`)',
    roots: ['TestRun'],
  },
  {
    name: "NUnit's XML",
    send: 'JUnit XML, with JunitXml.TestLogger (`dotnet test --logger junit`)',
    roots: ['test-run', 'test-results'],
  },
  {
    name: "xUnit.net's XML",
    send: 'JUnit XML, with JunitXml.TestLogger (`dotnet test --logger junit`) or `-junit`',
    roots: ['assemblies', 'assembly'],
  },
  {
    name: "Catch2's XML",
    send: 'JUnit XML, with `--reporter junit`',
    roots: ['Catch', 'Catch2TestRun'],
  },
  { name: "doctest's XML", send: 'JUnit XML, with `--reporters=junit`', roots: ['doctest'] },
  {
    name: "Boost.Test's XML",
    send: 'JUnit XML, with `--log_format=JUNIT`',
    roots: ['TestLog', 'TestResult'],
  },
  { name: "Qt Test's XML", send: 'JUnit XML, with `-o junit.xml,junitxml`', roots: ['TestCase'] },
  {
    name: "JUnit's Open Test Reporting XML",
    send: 'the `TEST-*.xml` of Maven, Gradle or the legacy XML listener',
    roots: ['events', 'execution'],
  },
  {
    // Surefire and Gradle write the same cases beside it.
    name: "TestNG's testng-results.xml",
    send: 'the `TEST-*.xml` or `junitreports` beside it',
    roots: ['testng-results'],
    isNoReport: true,
  },
  {
    name: "Failsafe's summary",
    send: 'the `TEST-*.xml` beside it',
    roots: ['failsafe-summary'],
    isNoReport: true,
  },
  { name: 'coverage of lcov', send: ofRunner, begins: /^(?:TN:|SF:)/, isNoReport: true },
  { name: 'coverage of Go', send: ofRunner, begins: /^mode: (?:set|count|atomic)\b/, isNoReport: true },
  {
    name: 'coverage of Cobertura or Clover',
    send: ofRunner,
    roots: ['coverage', 'CoverageSession'],
    isNoReport: true,
  },
  { name: 'coverage of JaCoCo', send: ofRunner, roots: ['report'], isNoReport: true },
  {
    name: 'coverage of Istanbul or coverage.py',
    send: ofRunner,
    members: [
      ['total.lines', 'total.statements'],
      ['files', 'totals.percent_covered'],
    ],
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
    roots: ['checkstyle', 'pmd', 'pmd-cpd', 'BugCollection', 'issues', 'lint'],
    members: [['filePath', 'messages', 'errorCount']],
    isNoReport: true,
  },
  { name: 'a page of HTML', send: ofRunner, roots: ['html', 'HTML'], isNoReport: true },
];

/** Of a text, what is looked at. */
export const headCharactersMax = 4_096;

/** The report that a text is by how it begins, its root element, or its first line of JSON. */
export function otherReportOf(head: string): OtherReport | null {
  const root = rootOf(head);
  const line = firstLine(head);
  return (
    otherReports.find(
      ({ begins, roots }) => begins?.test(head) === true || (root !== null && roots?.includes(root) === true),
    ) ?? (line === null ? null : otherJsonOf(line))
  );
}

/** The report that a JSON value is by its members. */
export function otherJsonOf(value: Json): OtherReport | null {
  const first = objectOf(Array.isArray(value) ? value[0] : value);
  const has = (path: string): boolean =>
    path.split('.').reduce<Json | undefined>((at, name) => objectOf(at)[name], first) !== undefined;
  return otherReports.find(({ members }) => members?.some((all) => all.every(has)) === true) ?? null;
}

/** Arrays of other reports: what is in them need not be kept. */
export const otherMembers: ReadonlySet<string> = new Set(
  otherReports.flatMap(({ members }) => members?.flat() ?? []),
);

/** The 400 that names what was sent and what to send; `place` is the document. */
export function otherReportError(
  place: string,
  { name, send, isNoReport }: OtherReport,
  extra: Record<string, number> = {},
): RestError {
  const sentence = `${place} is ${name}, which is not read: send ${send}.`;
  return isNoReport ? new OtherDocumentError(sentence, extra) : unreadableReport(sentence, extra);
}

/** The name of the root element, or of the document type before it; null where the text is no XML. */
function rootOf(head: string): string | null {
  let at = 0;
  for (;;) {
    while (/\s/.test(head.charAt(at))) at += 1;
    const end = head.startsWith('<?', at) ? '?>' : head.startsWith('<!--', at) ? '-->' : null;
    if (end === null) break;
    const found = head.indexOf(end, at + 2);
    if (found === -1) return null;
    at = found + end.length;
  }
  return (
    /^<(?:!DOCTYPE\s{1,9})?(?:[\w.-]{1,100}:)?([\w.-]{1,100})/i.exec(head.slice(at, at + 300))?.[1] ?? null
  );
}

/** The first line where it is a whole JSON value. */
function firstLine(head: string): Json {
  const line = /^[[{].*/.exec(head)?.[0] ?? '';
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}
