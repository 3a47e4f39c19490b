// One upload, whatever it is: finds out by its shape what it holds, reads it piece by piece and answers one ParsedReport.
// Order of shapes: CTRF, wrapper, flat, then raw XML (server-side.md section 3.4).
import type { Json } from '../../../schemas/event.ts';
import { badRequest, invalidParam } from '../errors.ts';
import { ctrfContext, objectOf, textMember } from './context.ts';
import { checkCtrf, collectTest, membersPassedOver, timesOf, totalsGiven } from './ctrf.ts';
import { flatCounts, flatStatus, isFlat, totalsFromCounts } from './flat.ts';
import { joinParts, type Part } from './join-parts.ts';
import { createJsonReader, type JsonPath, type JsonReader } from './json-reader.ts';
import type { TextSink } from './json-text.ts';
import { createJunitReader, type JunitReader, type JunitSummary, unreadableReport } from './junit.ts';
import { type CaseCollector, createCollector } from './normalize.ts';
import type { ParsedReport, RunContext } from './report.ts';

export interface ReportReader {
  write(text: string): void;
  /** The report. @throws 400 when there is nothing readable in it */
  end(): ParsedReport;
}

/** One upload of one or more documents. */
export interface UploadReader {
  /** Starts the next document; `path` is its name in warnings, empty for the only one. */
  open(path: string): { write(text: string): void };
  /**
   * The report of all documents. `beside` are members from a query or a form, which weigh most.
   * @throws 400 when there is nothing readable
   */
  end(beside: RunContext): ParsedReport;
}

/** What every document of one upload shares. */
interface Upload {
  readonly counter: { cases: number };
}

/** Starts reading an upload that is one document. */
export function createReportReader(beside: RunContext = {}): ReportReader {
  const upload = createUploadReader();
  const document = upload.open('');
  return { write: (text) => document.write(text), end: () => upload.end(beside) };
}

/** Starts reading one upload. */
export function createUploadReader(): UploadReader {
  const upload: Upload = { counter: { cases: 0 } };
  const documents: OpenDocument[] = [];
  return {
    open(path) {
      const document = openDocument(upload, path);
      documents.push(document);
      return document;
    },
    end(beside) {
      const done = documents.map((document) => document.end());
      const members: Readonly<Record<string, Json>> = done[0]?.members ?? Object.create(null);
      const parts = done.flatMap((document) => document.parts);
      const given = { ...objectOf(beside as Record<string, Json>), ...withoutOwn(beside, members) };
      if (parts.length === 0) {
        return flatReport(given, createCollector(upload.counter), [beside, members]);
      }
      checkFormat(given, parts);
      return joinParts(parts, [beside, members, ...parts.map((part) => part.context)], null);
    },
  };
}

function withoutOwn(beside: RunContext, members: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(beside, name)));
}

/** A document is XML or JSON by its first character that is no white space. */
interface OpenDocument {
  write(text: string): void;
  /** `members` are what stood beside the reports in a wrapper or a flat object. */
  end(): { parts: Part[]; members: Readonly<Record<string, Json>> };
}

function openDocument(upload: Upload, path: string): OpenDocument {
  let chosen: OpenDocument | null = null;
  let leading = 0;
  return {
    write(text) {
      if (chosen !== null) {
        chosen.write(text);
        return;
      }
      const trimmed = text.trimStart();
      leading += text.length - trimmed.length;
      if (trimmed === '') {
        return;
      }
      chosen = trimmed.startsWith('<') ? openXml(upload, path) : openJson(upload, path);
      chosen.write(trimmed);
    },
    end() {
      if (chosen === null) {
        throw unreadableReport(
          leading === 0 ? 'The report is empty.' : 'The report holds nothing but white space.',
        );
      }
      return chosen.end();
    },
  };
}

function openXml(upload: Upload, path: string): OpenDocument {
  const collector = createCollector(upload.counter);
  const reader: JunitReader = createJunitReader(collector, path);
  return {
    write: (text) => reader.write(text),
    end: () => ({ parts: [junitPart(collector, reader.end())], members: Object.create(null) }),
  };
}

function junitPart(collector: CaseCollector, summary: JunitSummary): Part {
  return {
    format: 'junit',
    collector,
    reported: summary.reported,
    durationMs: summary.durationMs,
    startedAtMs: summary.startedAtMs,
    finishedAtMs: null,
    reportName: summary.reportName,
    tool: null,
    context: summary.context,
  };
}

/** A JSON document: CTRF, a wrapper around reports, or flat. Its tests and the texts in `report` are read as they come. */
function openJson(upload: Upload, path: string): OpenDocument {
  const collectors = new Map<string, CaseCollector>();
  const inner: OpenDocument[] = [];
  const collectorOf = (key: string): CaseCollector => {
    const known = collectors.get(key) ?? createCollector(upload.counter);
    collectors.set(key, known);
    return known;
  };
  const reader: JsonReader = createJsonReader({
    passesOver: (name) => membersPassedOver.has(name),
    elementsAt(where) {
      const holder = holderOfTests(where);
      if (holder === null) {
        return null;
      }
      const collector = collectorOf(holder);
      return (value, index) => collectTest(collector, value, `${path}${where.join('.')}[${index}]`);
    },
    textAt(where): TextSink | null {
      if (!isReport(where)) {
        return null;
      }
      const document = openDocument(upload, `${path}${where.join('.')}/`);
      inner.push(document);
      return { write: (text) => document.write(text), end: () => undefined };
    },
  });
  return {
    write: (text) => reader.write(text),
    end() {
      const members = membersOf(reader.end());
      const parts = [...ctrfParts(members, collectors), ...inner.flatMap((document) => document.end().parts)];
      if (parts.length === 0 && members['report'] !== undefined && members['report'] !== null) {
        throw invalidParam({ report: 'report is not a CTRF object, JUnit XML text or a list of them.' });
      }
      const flat = collectors.get('flat');
      return { parts: parts.length === 0 && flat !== undefined ? [flatPart(flat, members)] : parts, members };
    },
  };
}

/** Where an array of tests may stand, as the key of its report: `results.tests`, `tests`, or that inside `report`. */
function holderOfTests(where: JsonPath): string | null {
  const key = where.join('.');
  if (key === 'tests') {
    return 'flat';
  }
  const found = /^(report(?:\.\d+)?\.)?results\.tests$/.exec(key);
  return found === null ? null : (found[1] ?? '');
}

function isReport(where: JsonPath): boolean {
  return (
    where[0] === 'report' && (where.length === 1 || (where.length === 2 && typeof where[1] === 'number'))
  );
}

function membersOf(value: Json): Readonly<Record<string, Json>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw unreadableReport('The body is neither a JSON object nor JUnit XML.');
  }
  return value;
}

/** The CTRF reports in a document: itself, or those in its `report`. */
function ctrfParts(members: Readonly<Record<string, Json>>, collectors: Map<string, CaseCollector>): Part[] {
  const report = members['report'];
  const holders: Array<readonly [string, Json | undefined]> = Array.isArray(report)
    ? report.map((one, index) => [`report.${index}.`, one] as const)
    : [['report.', report]];
  return [['', members] as const, ...holders].flatMap(([key, value]) => {
    const holder = objectOf(value);
    const results = holder['results'];
    if (results === null || typeof results !== 'object' || Array.isArray(results) || !isCtrf(results)) {
      return [];
    }
    const collector = collectors.get(key) ?? createCollector();
    checkCtrf(collector, holder, results);
    return [ctrfPart(collector, holder, results)];
  });
}

function isCtrf(results: Readonly<Record<string, Json>>): boolean {
  return Array.isArray(results['tests']) || Object.keys(objectOf(results['summary'])).length > 0;
}

const summaryCounts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'flaky'];

function ctrfPart(
  collector: CaseCollector,
  report: Readonly<Record<string, Json>>,
  results: Readonly<Record<string, Json>>,
): Part {
  const summary = objectOf(results['summary']);
  const times = timesOf(summary['start'], summary['stop'], collector, 'results.summary');
  const duration = summary['duration'];
  const measured = typeof duration === 'number' && duration >= 0 ? Math.round(duration) : null;
  const { startedAtMs, finishedAtMs } = times;
  return {
    format: 'ctrf',
    collector,
    reported: totalsGiven(summary, summaryCounts),
    durationMs:
      measured ?? (startedAtMs !== null && finishedAtMs !== null ? finishedAtMs - startedAtMs : null),
    startedAtMs,
    finishedAtMs,
    reportName: null,
    tool: textMember(objectOf(results['tool'])['name']),
    context: ctrfContext(report, results),
  };
}

function flatPart(collector: CaseCollector, members: Readonly<Record<string, Json>>): Part {
  const times = timesOf(members['started_at'], members['finished_at'], collector, 'started_at');
  return {
    format: 'flat',
    collector,
    reported: totalsGiven(members, flatCounts),
    durationMs: null,
    ...times,
    reportName: textMember(members['name']),
    tool: null,
    context: {},
  };
}

/** A run without any cases in it: counts or a status. @throws 400 where there is neither */
function flatReport(
  members: Readonly<Record<string, Json>>,
  collector: CaseCollector,
  contexts: readonly RunContext[],
): ParsedReport {
  if (!isFlat(members)) {
    throw badRequest(
      'notifier_test_run_unreadable',
      'Nothing readable: expected CTRF (results.tests), {format, report}, JUnit XML, or status, counts or tests.',
    );
  }
  const totals = totalsFromCounts(members);
  const part = flatPart(collector, members);
  return { ...joinParts([part], contexts, flatStatus(members)), totals, reported: null };
}

/** A wrapper's `format` must be one we know; that the report is of another one is only noted. */
function checkFormat(members: Readonly<Record<string, Json>>, parts: readonly Part[]): void {
  const format = members['format'];
  if (format === undefined || format === null || members['report'] === undefined) {
    return;
  }
  const word = typeof format === 'string' ? format.trim().toLowerCase() : '';
  if (word !== 'ctrf' && word !== 'junit' && word !== 'json') {
    throw invalidParam({ format: 'format is not one of ctrf and junit.' });
  }
  const expected = word === 'json' ? 'ctrf' : word;
  for (const part of parts) {
    if (part.format !== expected) {
      part.collector.warn('format_mismatch', `The report is ${part.format}, not ${expected}.`, 'format');
    }
  }
}
