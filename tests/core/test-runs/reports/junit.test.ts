import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ParsedTestReport } from '../../../../src/core/ports/test-report-reader.ts';
import { createUploadReader } from '../../../../src/core/test-runs/reports/read-upload.ts';
import { runs } from '../../../support/test-level.ts';

function openBody(): { write(text: string): void; end(): ParsedTestReport } {
  const upload = createUploadReader();
  const document = upload.open('', 'body');
  return { write: (text) => document.write(text), end: () => upload.end({}) };
}

function read(xml: string): ParsedTestReport {
  const reader = openBody();
  reader.write(xml);
  return reader.end();
}

const one = (inside: string, attributes = '') =>
  read(`<testsuite name="s"><testcase name="t" ${attributes}>${inside}</testcase></testsuite>`).cases[0];

describe('outcomes', () => {
  it.each([
    ['', '', 'passed', null],
    ['<skipped/>', '', 'skipped', null],
    ['<failure/>', '', 'failed', 'failure'],
    ['<error/>', '', 'failed', 'error'],
    ['<skipped/><failure/>', '', 'failed', 'failure'],
    ['<failure/><error/>', '', 'failed', 'error'],
    ['', 'status="disabled"', 'skipped', null],
    ['', 'status="notrun"', 'skipped', null],
    ['', 'result="suppressed" status="run"', 'skipped', null],
    ['', 'failure="1 == 2"', 'failed', 'failure'],
    ['', 'status="run"', 'passed', null],
    ['', 'status="fail"', 'failed', 'failure'],
    ['<system-out>error failure</system-out>', '', 'passed', null],
  ])('%j with %j', (inside, attributes, status, kind) => {
    expect(one(inside, attributes)).toMatchObject({ status, kind });
  });

  it('distinguishes an expected failure from a skip', () => {
    expect(one('<skipped type="pytest.xfail" message="known"/>')).toMatchObject({
      rawStatus: 'pytest.xfail',
      message: 'known',
    });
  });
});

describe('retries of Surefire', () => {
  it('is flaky when it passed in the end', () => {
    const found = one('<flakyFailure message="m"><stackTrace>at A</stackTrace></flakyFailure>');
    expect(found).toMatchObject({ status: 'passed', flakyRule: 'same_run', retries: 1 });
    expect(found?.attempts).toEqual([{ status: 'failed', durationMs: null, message: 'm', trace: 'at A' }]);
  });
  it('is not flaky when it failed in the end', () => {
    expect(one('<failure/><rerunFailure message="m"/><rerunError/>')).toMatchObject({
      status: 'failed',
      flakyRule: null,
      retries: 2,
    });
  });
});

describe('identity', () => {
  const ids = (xml: string) => read(xml).cases.map((each) => each.caseId);

  it('is that of suite, name and file, whatever the outcome and the order', () => {
    const [a, b] = ids(
      '<testsuite name="s"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>',
    );
    const [b2, a2] = ids(
      '<testsuite name="s" tests="2"><testcase name="b"/><testcase name="a" time="3"/></testsuite>',
    );
    expect([a2, b2]).toEqual([a, b]);
    expect(a).toMatch(/^[0-9a-f]{64}$/);
    expect(ids('<testsuite name="other"><testcase name="a"/></testsuite>')).not.toEqual([a]);
  });

  it('includes the host only where two cases would be one', () => {
    const suite = (host: string) => `<testsuite name="s" hostname="${host}"><testcase name="a"/></testsuite>`;
    expect(new Set(ids(`<testsuites>${suite('api')}${suite('web')}</testsuites>`)).size).toBe(2);
    expect(ids(suite('api'))).toEqual(ids(suite('web')));
  });

  it('is that of the class where Surefire writes a case to the report of another nested one', () => {
    const of = (suite: string, className: string, around = ''): string =>
      `${around}<testsuite name="${suite}"><testcase name="a" classname="${className}"/></testsuite>`;
    const first = (xml: string) => read(`<testsuites>${xml}</testsuites>`).cases[0];
    const inner = ['a.Outer', 'a.Outer$Inner', 'a.Outer$Inner$Deep', 'a.Outer$Other'].map((suite) =>
      first(of(suite, 'a.Outer$Inner')),
    );
    expect(new Set(inner.map((one) => one?.caseId)).size).toBe(1);
    expect(inner.map((one) => one?.suite)).toEqual(Array(4).fill(['a.Outer$Inner']));
    expect(first(of('a.Outer$Inner', 'a.Outer'))?.suite).toEqual(['a.Outer']);
    // Tests that two classes inherit are two.
    expect(first(of('a.First', 'a.Base$Inner'))?.suite).toEqual(['a.First', 'a.Base$Inner']);
    expect(first(of('$a', '$b'))?.suite).toEqual(['$a', '$b']);
    expect(first(of('a', 'a.b'))?.suite).toEqual(['a', 'a.b']);
  });

  it('distinguishes names from suites', () => {
    const nested = ids(
      '<testsuite name="a"><testsuite name="b"><testcase name="c"/></testsuite></testsuite>',
    );
    expect(ids('<testsuite name="a"><testcase name="b c"/></testsuite>')).not.toEqual(nested);
  });
});

describe('around the cases', () => {
  it('reads nested suites, totals of the root and the first time', () => {
    const report = read(
      '<testsuites tests="9" time="1.5"><testsuite name="a" timestamp="2026-01-01T10:00:00"><testsuite name="b"><testcase name="c" classname="K" file="f.js" line="7"/></testsuite></testsuite></testsuites>',
    );
    expect(report).toMatchObject({
      durationMs: 1500,
      startedAtMs: Date.UTC(2026, 0, 1, 10),
      reported: { tests: 9 },
    });
    expect(report.cases[0]).toMatchObject({ suite: ['a', 'b', 'K'], file: 'f.js', line: 7 });
    expect(report.warnings.map((warning) => warning.code)).toEqual(['totals_differ']);
  });

  it('has 64 levels at most', () => {
    const within = (suites: number) =>
      `${'<testsuite name="s">'.repeat(suites)}<testcase name="t"/>${'</testsuite>'.repeat(suites)}`;
    expect(read(within(63)).cases[0]?.suite).toHaveLength(63);
    expect(() => read(within(64))).toThrow('is nested deeper than 64 levels');
  });

  it('reads the context from properties, but not Java’s own', () => {
    const property = (name: string, value: string) => `<property name="${name}" value="${value}"/>`;
    const properties = [
      property('java.version', '17'),
      property('git.commit', 'abc'),
      property('BRANCH', 'main'),
    ].join('');
    const report = read(`<testsuite><properties>${properties}</properties><testcase name="a"/></testsuite>`);
    expect(report.contexts.at(-1)).toEqual({ commit: 'abc', branch: 'main' });
  });

  it('keeps properties of a case, also those in its output', () => {
    const found = one(
      '<properties><property name="a" value="1"/><property name="b">2</property></properties><system-out>[[PROPERTY|c=3=4]]\nplain</system-out>',
    );
    expect(found?.properties).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3=4'],
    ]);
  });

  it('throws only refusals, and reads reports alike in chunks of any size', () => {
    const words = fc.constantFrom(
      '<testsuite>',
      '</testsuite>',
      '<testcase name="a">',
      '</testcase>',
      '<failure/>',
      '<skipped>',
      '</skipped>',
      '&amp;',
      '&bad;',
      '<![CDATA[x]]>',
      'text',
      '<testcase name="__proto__"/>',
      '\u0000',
      '<!-- c -->',
      '<?pi?>',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const text = `<testsuite>${parts.join('')}</testsuite>`;
        const result = (inPieces: boolean): string => {
          const reader = openBody();
          try {
            if (!inPieces) reader.write(text);
            else for (let at = 0; at < text.length; at += size) reader.write(text.slice(at, at + size));
            return JSON.stringify(reader.end().cases);
          } catch (error) {
            expect(error as { status?: number }).toHaveStatus(400);
            return 'refused';
          }
        };
        expect(result(true)).toBe(result(false));
      }),
      { numRuns: runs(500) },
    );
  });
});
