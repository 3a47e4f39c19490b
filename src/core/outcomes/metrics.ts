// Counts outcomes as metrics. Unknown reasons and categories become `other`, to limit time series.

import type { Meter } from '../ports/metrics.ts';
import type { OutcomeCounter } from '../ports/outcome-counter.ts';
import type { Outcome } from '../store/outcomes.ts';

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
