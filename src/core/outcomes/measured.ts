// Outcomes counted for whoever watches the server as well. Reasons and categories may be a client's words
// (those of client reports and of items): only words that are known are shown, so that nobody can make lines
// without end.
import type { OutcomeCounter } from '../ports/counter.ts';
import type { Meter } from '../ports/measures.ts';
import type { Outcome } from '../store/outcomes.ts';

/** The reasons that Sentry's SDKs report, https://develop.sentry.dev/sdk/telemetry/client-reports/. */
const clientReasons: ReadonlySet<string> = new Set(
  `queue_overflow cache_overflow buffer_overflow ratelimit_backoff network_error sample_rate before_send
  event_processor send_error internal_sdk_error insufficient_data backpressure ignored invalid
  no_parent_span`.split(/\s+/),
);

const categories: ReadonlySet<string> = new Set(
  `error feedback session attachment transaction span span_indexed log_item log_byte replay profile
  profile_chunk monitor metric_bucket trace_metric security default internal unknown`.split(/\s+/),
);

/** The same counter, which tells `meter` of everything. */
export function measuredOutcomes(counter: OutcomeCounter, meter: Meter): OutcomeCounter {
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
