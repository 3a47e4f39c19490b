import type { LargeBodyReader } from '../core/ports/large-body-reader.ts';
import type { SymbolicationWorkers } from '../core/ports/symbolication-workers.ts';
import type { TestReportReader } from '../core/ports/test-report-reader.ts';
import { openLargeBodyReader } from '../http/large-bodies/open-reader.ts';
import { openReportReader } from '../http/uploads/test-report/open-report-reader.ts';
import { openSymbolicator } from '../symbolication/symbolicator.ts';

export interface WorkerPools {
  readonly largeBodyReader: LargeBodyReader;
  readonly reports: TestReportReader;
  readonly maps: SymbolicationWorkers;
}

/** A thread starts with its first task. `taskMsMax` replaces the default time limits of all tasks. */
export function openWorkerPools(taskMsMax?: number): WorkerPools {
  return {
    largeBodyReader: openLargeBodyReader({ waitMsMax: taskMsMax, taskMsMax }),
    reports: openReportReader({ taskMsMax }),
    maps: openSymbolicator({ mapMsMax: taskMsMax, uploadMsMax: taskMsMax }),
  };
}
