// What the rules may ask of the threads that read big test reports. src/http/test-report answers it; without
// one, all is read in place.
import type { ReportedTotals, ReportFormat, ReportWarning, TestCase, Totals } from '../store/test-runs.ts';
import type { Leaving } from '../turns.ts';

export interface ReadUpload {
  readonly report: ParsedReport;
  /** sha256 of the documents and of what was said beside them; a form's boundary is not part of it. */
  readonly digest: string;
}

export interface ReportReader {
  /**
   * Reads an upload as src/http makes one. Rejects with 400 for what cannot be read or takes too much to be
   * read, with 429 where too many wait, and with the reason of `leaving` while it waits.
   */
  readUpload(upload: unknown, leaving?: Leaving): Promise<ReadUpload>;
  /** Ends the threads; a report under way rejects. */
  close(): Promise<void>;
}

/**
 * Everything that can be said about a run beside its cases: plain members, checked by the rules of test runs.
 */
export type RunContext = Readonly<Record<string, unknown>>;

export interface ParsedReport {
  readonly format: ReportFormat;
  readonly totals: Totals;
  readonly reported: ReportedTotals | null;
  /** A status that a flat report gave itself; it counts only where there are no cases. */
  readonly givenStatus: string | null;
  readonly durationMs: number | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** Name of the report's root suite, where it has one. */
  readonly reportName: string | null;
  readonly tool: string | null;
  /** Members beside the report, then of its environment, then of its properties: the first given counts. */
  readonly contexts: readonly RunContext[];
  readonly cases: readonly TestCase[];
  readonly warnings: readonly ReportWarning[];
}
