import type { AbortNotice } from '../concurrency-limit.ts';
import type { ReportedTotals, ReportFormat, ReportWarning, TestCase, Totals } from '../store/test-runs.ts';

export interface ParsedUpload {
  readonly report: ParsedTestReport;
  /** SHA-256 of the documents and the form fields, without multipart boundaries. */
  readonly digest: string;
}

export interface TestReportReader {
  /** Rejects with 400 if it is invalid or too complex, 429 if too many wait, or the reason of `leaving`. */
  readUpload(upload: unknown, leaving?: AbortNotice): Promise<ParsedUpload>;
  close(): Promise<void>;
}

export type RunFields = Readonly<Record<string, unknown>>;

export interface ParsedTestReport {
  readonly format: ReportFormat;
  readonly totals: Totals;
  readonly reported: ReportedTotals | null;
  /** Status that the report itself gives; used only if it has no cases. */
  readonly givenStatus: string | null;
  readonly durationMs: number | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly reportName: string | null;
  readonly tool: string | null;
  /** Fields next to the report, then of its environment, then of its properties; the first value wins. */
  readonly contexts: readonly RunFields[];
  readonly cases: readonly TestCase[];
  readonly warnings: readonly ReportWarning[];
}
