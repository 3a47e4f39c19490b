import type { Json } from '../../../../schemas/event.ts';
import { RestError } from '../../errors.ts';
import type { ParsedTestReport } from '../../ports/test-report-reader.ts';
import { OtherDocumentError, unreadableReportError } from './cases/context.ts';
import { warningsMax } from './cases/report.ts';
import type { ReportPart } from './join-parts.ts';
import {
  detectUnsupportedFormat,
  detectUnsupportedLargeJson,
  headCharactersMax,
  unsupportedFormatError,
} from './unsupported-formats.ts';

/** `body`: the request body, where invalid JSON is reported like WordPress does. `part`: text inside a wrapper.
 * `file`: a file of a form, which may be unreadable while others are kept. */
export type DocumentKind = 'body' | 'xml' | 'part' | 'file';

/** XML or JSON, by the first character that is not white space. */
export interface OpenDocument {
  write(text: string): void;
  /** `members`: what a wrapper or flat object has besides reports. */
  end(): { parts: ReportPart[]; members: Readonly<Record<string, Json>> };
}

export type UploadedDocument = ReturnType<typeof createUploadedDocument>;

interface Fault {
  readonly error: RestError;
  /** False for what is no report at all. */
  readonly isReport: boolean;
  /** Whether what is no report says that tests failed. */
  readonly isFailed: boolean;
}

/** Only for a `file` are errors kept instead of thrown. */
export function createUploadedDocument(document: OpenDocument, path: string, kind: DocumentKind) {
  let fault: Fault | null = null;
  const fail = (error: RestError): void => {
    const isReport = !(error instanceof OtherDocumentError);
    fault ??= { error: namedFault(error, path), isReport, isFailed: !isReport && error.isFailed };
  };
  const guarded = <T>(run: () => T): T | null => {
    if (fault !== null) return null;
    try {
      return run();
    } catch (error) {
      if (kind !== 'file' || !isUnreadable(error)) throw error;
      fail(error);
      return null;
    }
  };
  return {
    write: (text: string) => void guarded(() => document.write(text)),
    end: () => guarded(() => document.end()),
    /** Stops reading the document; other files of a form are kept. */
    fail,
    get fault() {
      return fault;
    },
  };
}

/** "Invalid JSON body passed." would be wrong where the text is only part of the body. */
export function withFormatErrors(document: OpenDocument, path: string, kind: DocumentKind): OpenDocument {
  let head = '';
  let isHeld = true;
  const label = documentName(path);
  const reword = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      const isTooLarge = error instanceof RestError && error.code === 'notifier_test_run_too_complex';
      if (!isTooLarge && !isUnreadable(error)) throw error;
      const other = detectUnsupportedFormat(head) ?? (isTooLarge ? detectUnsupportedLargeJson(head) : null);
      if (other !== null) throw unsupportedFormatError(label, other, positionInText(error), head);
      if (error.code !== 'rest_invalid_json' || kind === 'body') throw error;
      const jsonError = String(error.extra['json_error_message']);
      throw unreadableReportError(`${label} is neither JUnit XML nor JSON: ${jsonError}.`);
    }
  };
  // The first piece may be too short to detect the format.
  const pass = (text: string): void => {
    isHeld = false;
    reword(() => document.write(text));
  };
  return {
    write(text) {
      if (!isHeld) return pass(text);
      const buffered = head + text;
      head = buffered.slice(0, headCharactersMax);
      if (buffered.length >= headCharactersMax) pass(buffered);
    },
    end() {
      if (isHeld) pass(head);
      return reword(() => document.end());
    },
  };
}

export function documentName(path: string): string {
  return path === '' ? 'The report' : path.replace(/[/: ]+$/, '');
}

function positionInText({ extra }: RestError): Record<string, number> {
  const { line, column } = extra;
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : {};
}

/** False for an exceeded limit. */
export function isUnreadable(error: unknown): error is RestError {
  return (
    error instanceof RestError &&
    (error.code === 'notifier_test_run_unreadable' || error.code === 'rest_invalid_json')
  );
}

function namedFault(error: RestError, path: string): RestError {
  const name = path.replace(/[/: ]+$/, '');
  if (name === '' || error.message.startsWith(`${name} `)) return error;
  return new RestError(error.code, `${name}: ${error.message}`, error.status, error.extra, error.headers);
}

/** A run with an unreadable file is an error, since half a run may look passed. */
export function addFileErrors(
  report: ParsedTestReport,
  documents: readonly UploadedDocument[],
): ParsedTestReport {
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
  const isFailed = report.givenStatus === 'failed' || faults.some((fault) => fault.isFailed);
  const isBroken = faults.some(({ isReport }) => isReport);
  const givenStatus = isFailed ? 'failed' : isBroken ? 'error' : report.givenStatus;
  return { ...report, givenStatus, warnings: [...warnings, ...report.warnings].slice(0, warningsMax) };
}
