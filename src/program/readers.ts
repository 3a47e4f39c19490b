import type { HeavyReader } from '../core/ports/heavy-reader.ts';
import type { MapWorkers } from '../core/ports/map-workers.ts';
import type { ReportReader } from '../core/ports/report-reader.ts';
import { openHeavyReader } from '../http/heavy/open-heavy-reader.ts';
import { openReportReader } from '../http/uploads/test-report/open-report-reader.ts';
import { openMapWorkers } from '../symbolication/map-workers.ts';

export interface Readers {
  readonly heavy: HeavyReader;
  readonly reports: ReportReader;
  readonly maps: MapWorkers;
}

/** A thread starts with its first task. `taskMsMax` replaces the default time limits of all tasks. */
export function openReaders(taskMsMax?: number): Readers {
  return {
    heavy: openHeavyReader({ waitMsMax: taskMsMax, taskMsMax }),
    reports: openReportReader({ taskMsMax }),
    maps: openMapWorkers({ mapMsMax: taskMsMax, uploadMsMax: taskMsMax }),
  };
}
