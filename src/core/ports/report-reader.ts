// What the rules may ask of the threads that read big test reports. src/http/test-report answers it; without
// one, all is read in place.

import type { ParsedReport } from '../test-runs/reports/report.ts';
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
