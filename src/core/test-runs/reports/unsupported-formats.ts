// Formats that are refused by name, with what to send instead. Same as docs/test-reports.md, "Not read".
import type { Json } from '../../../../schemas/event.ts';
import type { RestError } from '../../errors.ts';
import { asObject, OtherDocumentError, unreadableReportError } from './cases/context.ts';
import { junitOfRunner, type UnsupportedFormat, unsupportedResults } from './unsupported-results.ts';

/** The first match counts. */
const noResults: readonly UnsupportedFormat[] = [
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
  { name: 'coverage of lcov', send: junitOfRunner, begins: /^(?:TN:|SF:)/, isNoReport: true },
  { name: 'coverage of Go', send: junitOfRunner, begins: /^mode: (?:set|count|atomic)\b/, isNoReport: true },
  {
    name: 'coverage of Cobertura or Clover',
    send: junitOfRunner,
    roots: ['coverage', 'CoverageSession'],
    isNoReport: true,
  },
  {
    name: 'coverage of JaCoCo',
    send: junitOfRunner,
    begins: ['\u0001\u00c0\u00c0'],
    roots: ['report'],
    isNoReport: true,
  },
  {
    name: 'coverage of Istanbul or coverage.py',
    send: junitOfRunner,
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
    send: junitOfRunner,
    members: [
      ['*.coverage', '*.timestamp'],
      ['*.coverage', '*.coverage.*.lines'],
      ['meta.simplecov_version'],
      ['result.line'],
    ],
    isNoReport: true,
  },
  { name: 'coverage of V8', send: junitOfRunner, members: [['result.*.scriptId']], isNoReport: true },
  {
    name: 'coverage of LLVM or gcov',
    send: junitOfRunner,
    members: [['data.*.files.*.filename'], ['gcovr/format_version'], ['gcc_version', 'files']],
    isNoReport: true,
  },
  {
    name: 'mutation tests of PIT or Stryker',
    send: junitOfRunner,
    roots: ['mutations'],
    members: [['schemaVersion', 'thresholds', 'files']],
    isNoReport: true,
  },
  {
    name: 'SARIF, findings of an analysis',
    send: junitOfRunner,
    members: [['version', 'runs']],
    isNoReport: true,
  },
  {
    name: 'findings of a linter',
    send: junitOfRunner,
    roots: ['checkstyle', 'pmd', 'pmd-cpd', 'BugCollection', 'issues', 'lint', 'results'],
    members: [['filePath', 'messages', 'errorCount']],
    isNoReport: true,
  },
  {
    name: "findings of GitLab's code quality or of a security scan",
    send: junitOfRunner,
    members: [
      ['fingerprint', 'location'],
      ['vulnerabilities', 'scan'],
      ['vulnerabilities', 'auditReportVersion'],
    ],
    isNoReport: true,
  },
  {
    name: 'findings of Lighthouse or axe',
    send: junitOfRunner,
    members: [
      ['lighthouseVersion', 'audits'],
      ['testEngine', 'violations'],
    ],
    isNoReport: true,
  },
  {
    name: 'figures of a benchmark',
    send: junitOfRunner,
    members: [
      ['context', 'benchmarks'],
      ['machine_info', 'benchmarks'],
    ],
    isNoReport: true,
  },
  { name: 'a page of HTML', send: junitOfRunner, roots: ['html', 'HTML'], isNoReport: true },
];

export const unsupportedFormats: readonly UnsupportedFormat[] = [...unsupportedResults, ...noResults];

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
  const has = (path: string): boolean =>
    path.split('.').reduce<Json | undefined>(memberOf, first) !== undefined;
  return unsupportedFormats.find(({ members }) => members?.some((all) => all.every(has)) === true) ?? null;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (name !== '*') return asObject(value)[name];
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

/** By names in its beginning, since it is too large to parse. */
export function detectUnsupportedLargeJson(head: string): UnsupportedFormat | null {
  const has = (path: string): boolean => head.includes(`"${path.split('.').at(-1)}"`);
  return unsupportedFormats.find(({ members }) => members?.some((all) => all.every(has)) === true) ?? null;
}

/** Arrays of these formats are not kept. */
export const unsupportedFormatMembers: ReadonlySet<string> = new Set(
  unsupportedFormats.flatMap(({ members }) => members?.flat() ?? []),
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
