// Formats that are recognised but not supported, with what to send instead. Keep in step with
// docs/test-reports.md, "Not read".
import type { Json } from '../../../../schemas/event.ts';
import type { RestError } from '../../errors.ts';
import { objectOf } from './cases/context.ts';
import { OtherDocumentError, unreadableReport } from './cases/refusals.ts';
import { type OtherReport, ofRunner } from './others/other-report.ts';
import { otherResults } from './others/test-results.ts';

/** The first match counts. */
const noResults: readonly OtherReport[] = [
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

export const otherReports: readonly OtherReport[] = [...otherResults, ...noResults];

export const headCharactersMax = 4_096;

export function otherReportOf(head: string): OtherReport | null {
  const line = firstLine(head);
  return otherTextOf(head) ?? (line === null ? null : otherJsonOf(line));
}

/** Binary formats are compared as ISO 8859-1. */
export function otherTextOf(head: string): OtherReport | null {
  const tag = head.startsWith('<') ? rootTagOf(head) : null;
  const root = tag === null ? null : rootOf(tag);
  const isBegun = ({ begins }: OtherReport): boolean =>
    begins instanceof RegExp
      ? begins.test(head) || (tag !== null && begins.test(tag))
      : begins?.some((text) => head.startsWith(text)) === true;
  return (
    otherReports.find((one) => isBegun(one) || (root !== null && one.roots?.includes(root) === true)) ?? null
  );
}

export function otherJsonOf(value: Json): OtherReport | null {
  const first = objectOf(Array.isArray(value) ? value[0] : value);
  const has = (path: string): boolean =>
    path.split('.').reduce<Json | undefined>(memberOf, first) !== undefined;
  return otherReports.find(({ members }) => members?.some((all) => all.every(has)) === true) ?? null;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (name !== '*') return objectOf(value)[name];
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

/** By names in its beginning, since it is too large to parse. */
export function otherLargeJsonOf(head: string): OtherReport | null {
  const has = (path: string): boolean => head.includes(`"${path.split('.').at(-1)}"`);
  return otherReports.find(({ members }) => members?.some((all) => all.every(has)) === true) ?? null;
}

/** Arrays of these formats are not kept. */
export const otherMembers: ReadonlySet<string> = new Set(
  otherReports.flatMap(({ members }) => members?.flat() ?? []),
);

/** The 400 that names what was sent and what to send; `place` is the document, `head` how it begins. */
export function otherReportError(
  place: string,
  { name, send, isNoReport, failed }: OtherReport,
  extra: Record<string, number> = {},
  head = '',
): RestError {
  const sentence = `${place} is ${name}, which is not read: send ${send}.`;
  if (isNoReport !== true) return unreadableReport(sentence, extra);
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
