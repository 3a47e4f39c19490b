// All that Harbour & Pine watches and whom it tells, at one time.
import type { AlertChannel, Delivery } from '../../../core/store/alerts.ts';
import type { Incident } from '../../../core/store/incidents/incidents.ts';
import type { Monitor } from '../../../core/store/monitors/monitors.ts';
import type { StatusPage } from '../../../core/store/status-pages/status-pages.ts';
import { troubleAt } from '../story.ts';
import type { Timeline } from './checks.ts';
import { channelsAt, deliveriesOf, type Happened, newsOf } from './deliveries.ts';
import type { ReleasedAt } from './incident-parts.ts';
import { incidentsAt } from './incidents.ts';
import { statusPagesOf } from './status-pages.ts';
import { monitorAt, timelinesAt } from './timelines.ts';

export interface UptimeWorld {
  readonly nowMs: number;
  readonly monitors: readonly Monitor[];
  readonly timelines: ReadonlyMap<number, Timeline>;
  /** Newest first. */
  readonly incidents: readonly Incident[];
  readonly statusPages: readonly StatusPage[];
  readonly channels: readonly AlertChannel[];
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
}

/** What the other parts of the demo say, as this one needs it. */
export interface Elsewhere {
  readonly releasedAt: ReleasedAt;
  /** New issues, issues that came back, test runs that failed. */
  readonly happened: readonly Happened[];
}

/** The world of uptime; a pure function of all that it is given. */
export function uptimeWorld(seed: string, nowMs: number, elsewhere: Elsewhere): UptimeWorld {
  const trouble = troubleAt(seed, nowMs);
  const incidents = incidentsAt(trouble, nowMs, elsewhere.releasedAt);
  const timelines = timelinesAt(seed, trouble, incidents, nowMs);
  const monitors = [...timelines.values()].map((timeline) => monitorAt(timeline, nowMs));
  const happened = [...newsOf(incidents, nowMs), ...elsewhere.happened];
  return {
    nowMs,
    monitors,
    timelines,
    incidents,
    statusPages: statusPagesOf(monitors),
    channels: channelsAt({ trouble, nowMs }),
    deliveries: deliveriesOf(seed, happened, trouble, nowMs),
  };
}
