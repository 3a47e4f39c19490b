// Detects the format of an upload. Order of checks: docs/test-reports.md, "Shapes".
import type { Json } from '../../../../schemas/event.ts';
import { createBadRequestError, createInvalidParamError } from '../../errors.ts';
import type { ParsedTestReport, RunFields } from '../../ports/test-report-reader.ts';
import { asObject, asText, ctrfContext, unreadableReportError } from './cases/context.ts';
import { type CaseCollector, createBudget, createCollector, type ReportBudget } from './cases/normalize.ts';
import type { CaseScrubber } from './cases/report.ts';
import { checkCtrf, collectTest, readReportedTotals, readRunTimes, skippedMembers } from './ctrf.ts';
import {
  addFileErrors,
  createUploadedDocument,
  type DocumentKind,
  documentName,
  type OpenDocument,
  type UploadedDocument,
  withFormatErrors,
} from './documents.ts';
import { flatCounts, isFlatReport, readFlatStatus, totalsFromCounts } from './flat.ts';
import { joinReportParts, type ReportPart } from './join-parts.ts';
import { createJsonReader, type JsonPath } from './json-reader.ts';
import type { TextSink } from './json-text.ts';
import { createJunitReader } from './junit/junit.ts';
import { applyReportedTotals, findReportedFailure } from './reported-status.ts';
import { createRunnerTests } from './runner-json.ts';
import { createUnknownMembers } from './unknown-members.ts';
import { detectUnsupportedJson, unsupportedFormatError } from './unsupported-formats.ts';

function ctrfParts(
  members: Readonly<Record<string, Json>>,
  collectorOf: (key: string) => CaseCollector,
): ReportPart[] {
  const report = members['report'];
  const containers: Array<readonly [string, Json | undefined]> = Array.isArray(report)
    ? report.map((one, index) => [`report.${index}.`, one] as const)
    : [['report.', report]];
  return [['', members] as const, ...containers].flatMap(([key, value]) => {
    const container = asObject(value);
    const results = container['results'];
    if (results === null || typeof results !== 'object' || Array.isArray(results) || !isCtrf(results)) {
      return [];
    }
    const collector = collectorOf(key);
    checkCtrf(collector, container, results);
    applyReportedTotals(collector, { ...results, ...container }, 'results.summary');
    const isMarked = container['reportFormat'] === 'CTRF' || asObject(results['tool'])['name'] !== undefined;
    if (!isMarked) refuseUnknown(collector, `${key}results.tests`);
    return [ctrfPart(collector, container, results)];
  });
}

/** Otherwise all tests would count as skipped, and the run as passed. @throws 400 */
function refuseUnknown({ size, known, claimed }: CaseCollector, label: string): void {
  if (size === 0 || known > 0 || claimed !== null) return;
  throw unreadableReportError(
    `${label} is of a form that is not known: none of its tests has a status, outcome, result or state that is. Send CTRF or JUnit XML.`,
  );
}

function isCtrf(results: Readonly<Record<string, Json>>): boolean {
  return Array.isArray(results['tests']) || Object.keys(asObject(results['summary'])).length > 0;
}

const summaryCounts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'flaky'];

export type UploadReader = ReturnType<typeof createUploadReader>;

interface Upload {
  readonly allowance: ReportBudget;
  documents: number;
}

/** Each document needs a parser. */
const documentsMax = 100;

export function createUploadReader(cleaner?: CaseScrubber) {
  const upload: Upload = { allowance: createBudget(cleaner), documents: 0 };
  const documents: UploadedDocument[] = [];
  return {
    /** `path` is the name in warnings, empty for a single document. */
    open(path: string, kind: DocumentKind): UploadedDocument {
      const document = createUploadedDocument(openDocument(upload, path, kind), path, kind);
      documents.push(document);
      return document;
    },
    /** `requestFields`: members of the query or form, which have priority. @throws 400 when nothing is readable */
    end(requestFields: RunFields): ParsedTestReport {
      const ended = documents.map((document) => document.end());
      const done = ended.filter((one) => one !== null);
      const [fault] = documents.flatMap((document) => document.fault ?? []);
      if (done.length === 0 && fault !== undefined) throw fault.error;
      const members: Readonly<Record<string, Json>> = done[0]?.members ?? Object.create(null);
      const parts = done.flatMap((document) => document.parts);
      const allMembers = {
        ...asObject(requestFields as Record<string, Json>),
        ...withoutOwn(requestFields, members),
      };
      if (parts.length === 0) {
        return addFileErrors(
          flatReport(allMembers, createCollector(upload.allowance), [requestFields, members]),
          documents,
        );
      }
      checkFormat(allMembers, parts);
      const claims = done.flatMap((one) => claimedBy(one.members, one.parts, upload) ?? []);
      const status = claims.includes('failed')
        ? 'failed'
        : (findReportedFailure(allMembers) ?? claims[0] ?? null);
      const contexts = [requestFields, members, ...parts.map((part) => part.context)];
      return addFileErrors(joinReportParts(parts, contexts, status), documents);
    },
  };
}

function claimedBy(members: Readonly<Record<string, Json>>, parts: readonly ReportPart[], upload: Upload) {
  if (parts.length > 0) return findReportedFailure(members);
  const collector = createCollector(upload.allowance);
  applyReportedTotals(collector, members, '');
  return collector.claimed;
}

function withoutOwn(requestFields: RunFields, members: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(requestFields, name)));
}

function openDocument(upload: Upload, path: string, kind: DocumentKind): OpenDocument {
  upload.documents += 1;
  if (upload.documents > documentsMax) {
    throw createBadRequestError(
      'notifier_test_run_too_many_files',
      `An upload may hold at most ${documentsMax} reports.`,
      {
        limit: documentsMax,
      },
    );
  }
  let chosen: OpenDocument | null = null;
  let leading = 0;
  const choose = (text: string): OpenDocument => {
    const isXml = kind === 'xml' || text.startsWith('<');
    return withFormatErrors(isXml ? openXml(upload, path) : openJson(upload, path), path, kind);
  };
  return {
    write(text) {
      const rest = chosen === null ? text.trimStart() : text;
      leading += text.length - rest.length;
      if (rest !== '') {
        chosen ??= choose(rest);
        chosen.write(rest);
      }
    },
    end() {
      if (chosen === null) {
        throw unreadableReportError(
          leading === 0 ? 'The report is empty.' : 'The report holds nothing but white space.',
        );
      }
      return chosen.end();
    },
  };
}

function openXml(upload: Upload, path: string): OpenDocument {
  const collector = createCollector(upload.allowance);
  const reader = createJunitReader(collector, path);
  return {
    write: (text) => reader.write(text),
    end: () => {
      const part = { format: 'junit', collector, finishedAtMs: null, tool: null, ...reader.end() } as const;
      return { parts: [part], members: Object.create(null) };
    },
  };
}

/** CTRF, a wrapper around reports, or flat. Tests and reports inside are streamed. */
function openJson(upload: Upload, path: string): OpenDocument {
  const collectors = new Map<string, CaseCollector>();
  const inner: OpenDocument[] = [];
  const collectorOf = (key: string): CaseCollector => {
    const known = collectors.get(key) ?? createCollector(upload.allowance);
    collectors.set(key, known);
    return known;
  };
  const unread = createUnknownMembers();
  const runnerTests = createRunnerTests(() => collectorOf('flat'));
  let first: Json = null;
  const reader = createJsonReader({
    passesOver: (name) => skippedMembers.has(name),
    elementsAt(jsonPath) {
      if (jsonPath.length === 0) {
        return (value, index) => {
          if (index === 0) first = value;
        };
      }
      const container = containerOfTests(jsonPath);
      if (container === null) {
        return runnerTests.elementsAt(jsonPath, path) ?? unread.elementsAt(jsonPath);
      }
      const collector = collectorOf(container);
      return (value, index) => collectTest(collector, value, `${path}${jsonPath.join('.')}[${index}]`);
    },
    textAt(jsonPath): TextSink | null {
      if (!isReport(jsonPath)) {
        return null;
      }
      const document = openDocument(upload, `${path}${jsonPath.join('.')}/`, 'part');
      inner.push(document);
      return { write: (text) => document.write(text), end: () => undefined };
    },
  });
  return {
    write: (text) => reader.write(text),
    end() {
      const value = reader.end();
      refuseOther(Array.isArray(value) ? first : unread.withFirsts(asObject(value)), documentName(path));
      const members = membersOf(value);
      runnerTests.end();
      const parts = [
        ...ctrfParts(members, collectorOf),
        ...inner.flatMap((document) => document.end().parts),
      ];
      if (parts.length === 0 && members['report'] !== undefined && members['report'] !== null) {
        refuseOther(members['report'], 'report');
        throw createInvalidParamError({
          report: 'report is not a CTRF object, JUnit XML text or a list of them.',
        });
      }
      if (parts.length > 0) return { parts, members };
      const flat = collectors.get('flat');
      const flatParts = flat === undefined ? [] : [flatPart(flat, members)];
      const claimed = flat === undefined ? claimedBy(members, [], upload) : flat.claimed;
      const isFailed = claimed !== null || (flat !== undefined && flat.failed > 0);
      if (!isFailed && (flat !== undefined || isFlatReport(members))) unread.refuseFailures(members);
      return { parts: flatParts, members };
    },
  };
}

function refuseOther(value: Json, label: string): void {
  const other = detectUnsupportedJson(value);
  if (other !== null) throw unsupportedFormatError(label, other);
}

function containerOfTests(jsonPath: JsonPath): string | null {
  const key = jsonPath.join('.');
  const found = /^(report(?:\.\d+)?\.)?results\.tests$/.exec(key);
  return found === null ? null : (found[1] ?? '');
}

function isReport(jsonPath: JsonPath): boolean {
  return (
    jsonPath[0] === 'report' &&
    (jsonPath.length === 1 || (jsonPath.length === 2 && typeof jsonPath[1] === 'number'))
  );
}

function membersOf(value: Json): Readonly<Record<string, Json>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw unreadableReportError('The body is neither a JSON object nor JUnit XML.');
  }
  return value;
}

/** A run with only counts or a status. @throws 400 where there is neither */
function flatReport(
  members: Readonly<Record<string, Json>>,
  collector: CaseCollector,
  contexts: readonly RunFields[],
): ParsedTestReport {
  if (!isFlatReport(members)) {
    throw createBadRequestError(
      'notifier_test_run_unreadable',
      'Nothing readable: expected CTRF (results.tests), {format, report}, JUnit XML, or status, counts or tests.',
    );
  }
  const { unaccounted, ...totals } = totalsFromCounts(members);
  const part = flatPart(collector, members);
  const status = readFlatStatus(members);
  if (unaccounted > 0 && status === null) {
    collector.claim('error');
    collector.warn(
      'tests_unaccounted',
      `The report counts ${totals.tests} tests and does not say what became of ${unaccounted}; the run is taken as error. Send failed and skipped as well, or a status.`,
    );
  }
  return { ...joinReportParts([part], contexts, status), totals, reported: null };
}

/** @throws 400 for an unknown `format`. A report of another format only gives a warning. */
function checkFormat(members: Readonly<Record<string, Json>>, parts: readonly ReportPart[]): void {
  const format = members['format'];
  if (format === undefined || format === null || members['report'] === undefined) {
    return;
  }
  const word = typeof format === 'string' ? format.trim().toLowerCase() : '';
  if (word !== 'ctrf' && word !== 'junit' && word !== 'json') {
    throw createInvalidParamError({ format: 'format is not one of ctrf and junit.' });
  }
  const expected = word === 'json' ? 'ctrf' : word;
  for (const part of parts) {
    if (part.format !== expected) {
      part.collector.warn('format_mismatch', `The report is ${part.format}, not ${expected}.`, 'format');
    }
  }
}

function ctrfPart(
  collector: CaseCollector,
  report: Readonly<Record<string, Json>>,
  results: Readonly<Record<string, Json>>,
): ReportPart {
  const summary = asObject(results['summary']);
  const times = readRunTimes(summary['start'], summary['stop'], collector, 'results.summary');
  const duration = summary['duration'];
  const measured = typeof duration === 'number' && duration >= 0 ? Math.round(duration) : null;
  const { startedAtMs, finishedAtMs } = times;
  return {
    format: 'ctrf',
    collector,
    reported: readReportedTotals(summary, summaryCounts),
    durationMs:
      measured ?? (startedAtMs !== null && finishedAtMs !== null ? finishedAtMs - startedAtMs : null),
    startedAtMs,
    finishedAtMs,
    reportName: null,
    tool: asText(asObject(results['tool'])['name']),
    context: ctrfContext(report, results),
  };
}

function flatPart(collector: CaseCollector, members: Readonly<Record<string, Json>>): ReportPart {
  applyReportedTotals(collector, members, '');
  if (readFlatStatus(members) === null) refuseUnknown(collector, 'tests');
  const times = readRunTimes(members['started_at'], members['finished_at'], collector, 'started_at');
  return {
    format: 'flat',
    collector,
    reported: readReportedTotals(members, flatCounts),
    durationMs: null,
    ...times,
    reportName: asText(members['name']),
    tool: null,
    context: {},
  };
}
