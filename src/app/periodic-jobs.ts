// What a server does on its own, alone or embedded: retention, alerts, monitors, reports, re-checks, cleaning up.
import { startAlerting } from '../core/alerts/runner.ts';
import { getLinkBaseUrl, getPagesUrl } from '../core/config/public-urls.ts';
import type { Deps } from '../core/deps.ts';
import { startRecheckLoop } from '../core/domains/recheck-loop.ts';
import { finishBackgroundWork } from '../core/issues/background-work.ts';
import { startMonitorLoop } from '../core/monitors/runner.ts';
import { createExpiryWarning, startHousekeeping } from '../core/projects/housekeeping.ts';
import { startReportLoop } from '../core/reports/runner.ts';
import { startRetention } from '../core/retention/retention.ts';
import { startStatusMessages } from '../core/status-pages/runner.ts';
import { sweepUploadFolders } from '../http/bodies/upload-sweep.ts';

/** `port` is the bound one; without it URLs have that of the configuration. */
export function startPeriodicJobs(deps: Deps, port?: number) {
  const links = { pagesUrl: getLinkBaseUrl(deps.config, port) };
  void deps.eventMapping.start();
  const retention = startRetention(deps);
  const jobs = [
    startHousekeeping(deps, {
      uploadFolders: (nowMs) => sweepUploadFolders(nowMs),
      issues: (_nowMs, stopped) => finishBackgroundWork(deps, stopped),
      endingKeys: createExpiryWarning(deps),
    }),
    startRecheckLoop(deps),
    retention,
    startAlerting(deps, links),
    startStatusMessages(deps, { pagesUrl: getPagesUrl(deps.config, port) }),
    startMonitorLoop(deps),
    startReportLoop(deps, links),
  ];
  return {
    runRetention: retention.wake,
    stop: () => Promise.all(jobs.map((job) => job.stop())),
  };
}
