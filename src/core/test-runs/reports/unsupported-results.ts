// Keep in step with docs/test-reports.md, "Not read".
/** A format that is recognised but not supported. */
export interface UnsupportedFormat {
  /** Both in the error message: after "is", and after "send". */
  readonly name: string;
  readonly send: string;
  /** Start of the text; binary formats as ISO 8859-1. */
  readonly begins?: RegExp | readonly string[];
  readonly roots?: readonly string[];
  /** Dotted paths in the object, first entry or first line; all of one set exist. `*`: the first member. */
  readonly members?: ReadonlyArray<readonly string[]>;
  /** No test results: ignored among other files. */
  readonly isNoReport?: true;
  /** How what is passed over says, near its beginning, that tests failed: then the run did. */
  readonly failed?: RegExp;
}

export const junitOfRunner = 'the JUnit XML of the test runner';

/** The first match counts. */
export const unsupportedResults: readonly UnsupportedFormat[] = [
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
    begins: /^(?:1\.\.\d|(?:not )?ok\b|# |Bail out!|pragma [+-])|(?:^|\n)TAP version \d/,
  },
  {
    name: 'subunit',
    send: 'JUnit XML, with `subunit2junitxml`',
    begins: /^(?:\u00b3[ -/]|time: \d{4}-|test(?:ing)?: |progress: |tags: )/,
  },
  {
    name: "pytest's output",
    send: 'JUnit XML, with `pytest --junitxml=junit.xml`',
    begins:
      /(?:^|\n)(?:={3,99} (?:test session starts|FAILURES|ERRORS) =|[.FEsxX]{1,200} +\[ {0,2}\d{1,3}%\])/,
  },
  {
    name: 'what a test runner prints',
    send: 'the JUnit XML that it writes to a file',
    begins:
      /^(?:running \d{1,9} tests?\b|(?:PASS|FAIL) {1,2}\S|PHPUnit \d|RUN {2}v\d|\[(?:INFO|ERROR)\] |> Task :)/,
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
    members: [
      ['stats', 'results', 'meta'],
      ['stats', 'suites', 'copyrightYear'],
    ],
  },
  {
    name: "Cypress's JSON",
    send: 'JUnit XML, with `cypress run --reporter junit`',
    members: [
      ['cypressVersion', 'runs'],
      ['totalTests', 'runs'],
    ],
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
  {
    name: "Newman's JSON",
    send: 'JUnit XML, with `newman run -r junit`',
    members: [
      ['collection', 'run'],
      ['run.stats', 'run.failures'],
    ],
  },
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
    send: `${junitOfRunner}, which Allure reads too`,
    roots: ['test-suite'],
    members: [
      ['uuid', 'status', 'start', 'stop'],
      ['uuid', 'children', 'befores'],
    ],
  },
  {
    name: "Robot Framework's output.json",
    send: 'JUnit XML, with `robot --xunit junit.xml`',
    members: [['generator', 'suite', 'statistics']],
  },
  {
    name: "Robot Framework's output.xml",
    send: 'JUnit XML, with `robot --xunit junit.xml`',
    roots: ['robot'],
  },
  { name: "CTest's Test.xml", send: 'JUnit XML, with `ctest --output-junit junit.xml`', roots: ['Site'] },
  { name: "CppUnit's XML", send: 'JUnit XML, which a style sheet makes of it', begins: /^<TestRun>/ },
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
    name: "Catch2's JSON",
    send: 'JUnit XML, with `--reporter junit`',
    members: [['test-run', 'metadata']],
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
    name: "Check's XML",
    send: 'JUnit XML, with `CK_TAP_LOG_FILE_NAME` and tap-junit',
    begins: /^<testsuites [^>]{0,300}check\.sourceforge\.net/,
  },
  {
    name: "CUnit's XML",
    send: 'JUnit XML, with `CU_automated_enable_junit_xml`',
    roots: ['CUNIT_TEST_RUN_REPORT'],
  },
  {
    name: "SonarQube's generic executions",
    send: junitOfRunner,
    roots: ['testExecutions', 'unitTest'],
  },
  {
    name: "Karate's summary",
    send: 'JUnit XML, with `outputJunitXml(true)`',
    members: [['featureSummary', 'scenariosPassed']],
  },
  {
    name: "Swift Testing's JSON",
    send: 'JUnit XML, with `swift test --xunit-output junit.xml`',
    members: [['kind', 'payload', 'version']],
  },
  {
    name: "Bazel's build events",
    send: 'the `test.xml` below `bazel-testlogs`',
    members: [['id.started', 'started']],
  },
  {
    name: "k6's JSON or CSV",
    send: 'JUnit XML, with `jUnit` of k6-summary in `handleSummary`',
    begins: /^metric_name,timestamp,/,
    members: [
      ['metrics', 'root_group'],
      ['metric', 'type', 'data'],
    ],
  },
  {
    name: "JMeter's results",
    send: 'JUnit XML, with Taurus and its module junit-xml',
    begins: /^timeStamp,elapsed,/,
    roots: ['testResults'],
  },
  {
    name: "Artillery's JSON",
    send: 'JUnit XML, with artillery-plugin-expect',
    members: [['aggregate', 'intermediate']],
  },
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
