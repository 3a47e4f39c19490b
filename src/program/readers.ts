// The threads that read heavy bodies, test reports and source maps, opened together.
import type { HeavyReader } from '../core/ports/heavy-reader.ts';
import type { MapWorkers } from '../core/ports/map-workers.ts';
import type { ReportReader } from '../core/ports/report-reader.ts';
import { openHeavyReader } from '../http/heavy/open-heavy-reader.ts';
import { openReportReader } from '../http/uploads/test-report/open-report-reader.ts';
import { openMapWorkers } from '../symbolication/map-workers.ts';

/** Threads that read what would hold up the one that answers. */
export interface Readers {
  readonly heavy: HeavyReader;
  readonly reports: ReportReader;
  readonly maps: MapWorkers;
}

/**
 * Opens the readers; a thread starts with its first task. `taskMsMax` is how many milliseconds one may be at
 * one map, upload, test report or heavy body; as long as the program says unless said.
 */
export function openReaders(taskMsMax?: number): Readers {
  return {
    heavy: openHeavyReader({ waitMsMax: taskMsMax, taskMsMax }),
    reports: openReportReader({ taskMsMax }),
    maps: openMapWorkers({ mapMsMax: taskMsMax, uploadMsMax: taskMsMax }),
  };
}
