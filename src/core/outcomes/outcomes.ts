// Counts outcomes in memory and writes sums once a second. Call `flush` before reading.

import type { OutcomeHourView } from '../../../schemas/outcomes.ts';
import type { Deps } from '../deps.ts';
import { getLastHours, startOfHour } from '../parsing/durations.ts';
import { type EpochMs, formatTime } from '../parsing/timestamps.ts';
import type { Meter, OutcomeCounter } from '../ports/metrics.ts';
import { type Outcome, type OutcomeHour, type OutcomeName, outcomeNames } from '../store/counts.ts';
import type { Project } from '../store/projects.ts';

/** Limit on distinct rows, as clients can invent reasons. */
const linesMax = 2_000;
/** Limit on queued writes while the database hangs. */
const writesMax = 4;

export function createOutcomeCounter(deps: Pick<Deps, 'store' | 'log'>, everyMs = 1_000): OutcomeCounter {
  let waiting = new Map<string, Outcome>();
  let writing: Promise<void> = Promise.resolve();
  let writes = 0;
  /** New rows beyond the limit are dropped, so that memory does not grow while nothing can be written. */
  const add = (outcome: Outcome): void => {
    const hour = startOfHour(outcome.atMs);
    const name = [outcome.projectId, hour, outcome.outcome, outcome.reason, outcome.category].join('\u0000');
    const before = waiting.get(name);
    if (before === undefined && waiting.size >= linesMax) return;
    waiting.set(name, { ...outcome, quantity: outcome.quantity + (before?.quantity ?? 0) });
  };
  const flush = (): Promise<void> => {
    const lines = [...waiting.values()];
    if (lines.length === 0) return writing;
    waiting = new Map();
    writes += 1;
    writing = writing
      .then(() => deps.store.addOutcomes(lines))
      .catch((error: unknown) => {
        deps.log.warn({ error: String(error), lines: lines.length }, 'outcomes could not be stored yet');
        for (const line of lines) add(line);
      })
      .finally(() => {
        writes -= 1;
      });
    return writing;
  };
  const timer = setInterval(() => writes < writesMax && void flush(), everyMs);
  timer.unref();
  return {
    count(outcome) {
      if (waiting.size >= linesMax && writes < writesMax) void flush();
      add(outcome);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

// Counts outcomes as metrics. Unknown reasons and categories become `other`, to limit time series.

/** https://develop.sentry.dev/sdk/telemetry/client-reports/ */
const clientReasons: ReadonlySet<string> = new Set(
  `queue_overflow cache_overflow buffer_overflow ratelimit_backoff network_error sample_rate before_send
  event_processor send_error internal_sdk_error insufficient_data backpressure ignored invalid
  no_parent_span`.split(/\s+/),
);

const categories: ReadonlySet<string> = new Set(
  `error feedback session attachment transaction span span_indexed log_item log_byte replay profile
  profile_chunk monitor metric_bucket trace_metric security default internal unknown`.split(/\s+/),
);

export function withOutcomeMetrics(counter: OutcomeCounter, meter: Meter): OutcomeCounter {
  return {
    ...counter,
    count(outcome) {
      const { outcome: name, quantity } = outcome;
      meter.count('events', [name, reasonOf(outcome), categoryOf(outcome)], quantity);
      counter.count(outcome);
    },
  };
}

function reasonOf({ outcome, reason }: Outcome): string {
  if (outcome !== 'client_discard') return reason;
  return clientReasons.has(reason) ? reason : 'other';
}

function categoryOf({ category }: Outcome): string {
  return categories.has(category) ? category : 'other';
}

type OutcomeTotals = {
  readonly atMs: EpochMs;
  readonly sent: number;
} & Readonly<Record<OutcomeName, number>>;

const noOutcomes = Object.fromEntries(outcomeNames.map((name) => [name, 0])) as Record<OutcomeName, number>;

/** In order of time; hours without outcomes are left out. */
export function totalOutcomesByHour(rows: readonly OutcomeHour[]): OutcomeTotals[] {
  const byHour = new Map<EpochMs, { sent: number } & Record<OutcomeName, number>>();
  for (const row of rows) {
    const sums = byHour.get(row.atMs) ?? { sent: 0, ...noOutcomes };
    sums.sent += row.quantity;
    sums[row.outcome] += row.quantity;
    byHour.set(row.atMs, sums);
  }
  return [...byHour].map(([atMs, sums]) => ({ atMs, ...sums }));
}

/** Hours in order of time, including the current one; hours without outcomes are left out. */
export async function viewOutcomes(
  deps: Pick<Deps, 'store' | 'outcomes' | 'now'>,
  project: Project,
  hours: number,
): Promise<OutcomeHourView[]> {
  await deps.outcomes.flush();
  const { fromMs, toMs } = getLastHours(deps.now(), hours);
  const rows = await deps.store.listOutcomes(project.id, fromMs, toMs);
  return [...Map.groupBy(rows, (row) => row.atMs)].map(([hour, lines]) => ({
    hour: formatTime(hour),
    sent: lines.reduce((sum, line) => sum + line.quantity, 0),
    outcomes: lines.map(({ outcome, reason, category, quantity }) => ({
      outcome,
      reason,
      category,
      quantity,
    })),
  }));
}
