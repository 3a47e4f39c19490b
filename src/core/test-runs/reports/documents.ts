// The documents of one upload: what a reader of one is, and what becomes of the upload where one of several
// files cannot be read.
import type { Json } from '../../../../schemas/event.ts';
import { RestError } from '../../errors.ts';
import type { ParsedReport } from '../../ports/report-reader.ts';
import { OtherDocumentError, unreadableReport } from './cases/refusals.ts';
import { warningsMax } from './cases/report.ts';
import type { Part } from './join-parts.ts';
import { headCharactersMax, otherLargeJsonOf, otherReportError, otherReportOf } from './other-reports.ts';

/** A document that is being read. */
export interface ReadDocument {
  write(text: string): void;
  /** Gives the document up for what is wrong with it; of a `file` the others are kept. */
  fail(error: RestError): void;
}

/**
 * `body`: the body of the request, where broken JSON is refused in WordPress's words. `xml`: said to be XML.
 * `part`: a text inside a wrapper, where the body itself is not what is broken. `file`: a file of a form,
 * which may be wrong without the others.
 */
export type DocumentKind = 'body' | 'xml' | 'part' | 'file';

/** A document is XML or JSON by its first character that is no white space. */
export interface OpenDocument {
  write(text: string): void;
  /** `members` are what stood beside the reports in a wrapper or a flat object. */
  end(): { parts: Part[]; members: Readonly<Record<string, Json>> };
}

/** A document of an upload, with what is wrong with it. */
export interface UploadedDocument extends ReadDocument {
  /** What it holds; null where it was given up. */
  end(): ReturnType<OpenDocument['end']> | null;
  readonly fault: Fault | null;
}

interface Fault {
  /** The refusal, with the name of the file. */
  readonly error: RestError;
  /** False for what is no report at all: that says nothing about the run. */
  readonly isReport: boolean;
}

/** Wraps a document so that, of a `file`, what cannot be read gives up this document and no other. */
export function uploadedDocument(document: OpenDocument, path: string, kind: DocumentKind): UploadedDocument {
  let fault: Fault | null = null;
  const fail = (error: RestError): void => {
    fault ??= { error: namedFault(error, path), isReport: !(error instanceof OtherDocumentError) };
  };
  const guarded = <T>(act: () => T): T | null => {
    if (fault !== null) return null;
    try {
      return act();
    } catch (error) {
      if (kind !== 'file' || !isUnreadable(error)) throw error;
      fail(error);
      return null;
    }
  };
  return {
    write: (text) => void guarded(() => document.write(text)),
    end: () => guarded(() => document.end()),
    fail,
    get fault() {
      return fault;
    },
  };
}

/**
 * Refuses by its name what is known not to be read. "Invalid JSON body passed." would be wrong for a text
 * that is only part of a body, too.
 */
export function withOtherWords(document: OpenDocument, path: string, kind: DocumentKind): OpenDocument {
  let head = '';
  let isHeld = true;
  const place = placeOf(path);
  const reword = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      const isTooLarge = error instanceof RestError && error.code === 'notifier_test_run_too_complex';
      if (!isTooLarge && !isUnreadable(error)) throw error;
      const other = otherReportOf(head) ?? (isTooLarge ? otherLargeJsonOf(head) : null);
      if (other !== null) throw otherReportError(place, other, placeInText(error));
      if (error.code !== 'rest_invalid_json' || kind === 'body') throw error;
      const why = String(error.extra['json_error_message']);
      throw unreadableReport(`${place} is neither JUnit XML nor JSON: ${why}.`);
    }
  };
  // A first piece may be too short to tell what it is.
  const pass = (text: string): void => {
    isHeld = false;
    reword(() => document.write(text));
  };
  return {
    write(text) {
      if (!isHeld) return pass(text);
      const held = head + text;
      head = held.slice(0, headCharactersMax);
      if (held.length >= headCharactersMax) pass(held);
    },
    end() {
      if (isHeld) pass(head);
      return reword(() => document.end());
    },
  };
}

/** A document by its name, in a message. */
export function placeOf(path: string): string {
  return path === '' ? 'The report' : path.replace(/[/: ]+$/, '');
}

function placeInText({ extra }: RestError): Record<string, number> {
  const { line, column } = extra;
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
}

/** Whether an error says that a document cannot be read, and not that the upload is over a limit. */
export function isUnreadable(error: unknown): error is RestError {
  return (
    error instanceof RestError &&
    (error.code === 'notifier_test_run_unreadable' || error.code === 'rest_invalid_json')
  );
}

/** The refusal with the name of its file before it. */
function namedFault(error: RestError, path: string): RestError {
  const name = path.replace(/[/: ]+$/, '');
  if (name === '' || error.message.startsWith(`${name} `)) return error;
  return new RestError(error.code, `${name}: ${error.message}`, error.status, error.extra, error.headers);
}

/** Names the files that were given up. Half a run would look like a good one, so that the run is an error. */
export function withFaults(report: ParsedReport, documents: readonly UploadedDocument[]): ParsedReport {
  const faults = documents.flatMap((document) => document.fault ?? []);
  if (faults.length === 0) return report;
  const warnings = faults.map(({ error: { message }, isReport }) =>
    isReport
      ? {
          code: 'file_unreadable',
          message: `A file could not be read, and nothing of it is kept. ${message}`,
        }
      : { code: 'file_passed_over', message: `A file that is no report was passed over. ${message}` },
  );
  const isBroken = faults.some(({ isReport }) => isReport);
  const givenStatus = isBroken && report.givenStatus !== 'failed' ? 'error' : report.givenStatus;
  return { ...report, givenStatus, warnings: [...warnings, ...report.warnings].slice(0, warningsMax) };
}
