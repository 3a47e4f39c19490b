// A monitor as a row of its table, and as the rules know it.
import type { JobRuns } from '../../src/core/store/monitors/cron.ts';
import type { KeptMonitor, MonitorTerms, Suspicion } from '../../src/core/store/monitors/monitoring.ts';
import type { Check, MonitorState, MonitorType } from '../../src/core/store/monitors/monitors.ts';
import { numberOrNull } from '../columns.ts';

export interface MonitorRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  readonly target: string;
  readonly expects: string;
  readonly terms: string;
  readonly group_name: string;
  readonly tags: string;
  readonly goal: number;
  readonly interval_ms: number;
  readonly timeout_ms: number;
  readonly state: string;
  readonly state_since_ms: number;
  readonly state_until_ms: number | null;
  readonly reason: string;
  readonly suspicion: string | null;
  readonly counted_to_ms: number;
  readonly last_check: string | null;
  readonly certificate_ends_at_ms: number | null;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
  readonly due_at_ms: number | null;
  readonly version: number;
  readonly created_at_ms: number;
  readonly created_by: string;
  readonly sender: string | null;
  readonly check_in_slug: string | null;
  readonly environment: string | null;
  readonly runs: string | null;
  readonly started_at_ms: number | null;
}

/** For terms that were kept before there were these. */
const laterTerms = {
  opensIncidents: true,
  record: '',
  answers: '',
  graceMs: 0,
  cron: null,
  method: 'GET',
  headers: [],
  body: '',
} as const;

/** A suspicion as it is kept. */
export function suspicionText(suspicion: Suspicion | null): string | null {
  return suspicion === null ? null : JSON.stringify(suspicion);
}

/** Runs as they are kept. */
export function runsText(runs: JobRuns | null): string | null {
  return runs === null ? null : JSON.stringify(runs);
}

/** A row as the rules know it. */
export function monitorOf(row: MonitorRow): KeptMonitor {
  const runs = row.runs === null ? null : (JSON.parse(row.runs) as JobRuns);
  return {
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    slug: row.slug,
    name: row.name,
    type: row.type as MonitorType,
    target: row.target,
    expects: row.expects,
    terms: { ...laterTerms, ...(JSON.parse(row.terms) as MonitorTerms) },
    group: row.group_name,
    tags: JSON.parse(row.tags) as string[],
    goal: Number(row.goal),
    intervalMs: Number(row.interval_ms),
    timeoutMs: Number(row.timeout_ms),
    state: row.state as MonitorState,
    stateSinceMs: Number(row.state_since_ms),
    stateUntilMs: numberOrNull(row.state_until_ms),
    reason: row.reason,
    suspicion: row.suspicion === null ? null : (JSON.parse(row.suspicion) as Suspicion),
    countedToMs: Number(row.counted_to_ms),
    lastCheck: row.last_check === null ? null : (JSON.parse(row.last_check) as Check),
    certificateEndsAtMs: numberOrNull(row.certificate_ends_at_ms),
    medianMs: numberOrNull(row.median_ms),
    p95Ms: numberOrNull(row.p95_ms),
    // A job is due by the hour too, so that its time is counted: what is shown is when it is to begin.
    nextCheckAtMs: runs === null || row.state === 'paused' ? numberOrNull(row.due_at_ms) : runs.expectedAtMs,
    version: Number(row.version),
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
    sender: row.sender,
    job: row.check_in_slug === null ? null : { slug: row.check_in_slug, environment: row.environment ?? '' },
    runs,
    startedAtMs: numberOrNull(row.started_at_ms),
  };
}
