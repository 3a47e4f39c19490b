// What became of all that was sent to a project, hour by hour: what was kept is the sum of its issues' hours,
// and what was not is told from that by chance.
import { hourMs, hourOf } from '../../../core/reading/spans.ts';
import type { OutcomeHour, OutcomeName } from '../../../core/store/outcomes.ts';
import { hashOf } from '../chance.ts';
import { unitOf } from './hours.ts';
import type { LoneIssue } from './issues.ts';
import type { WorldReport } from './reports.ts';

/** Something that was not kept: of each event that was, so many; and now and then one more. */
interface Loss {
  readonly outcome: OutcomeName;
  readonly reason: string;
  readonly share: number;
  readonly odd: number;
  /** Only of what more than so many came in an hour. */
  readonly above?: number;
}

const losses: readonly Loss[] = [
  { outcome: 'rate_limited', reason: 'key_quota', share: 0.55, odd: 0, above: 90 },
  { outcome: 'duplicate', reason: '', share: 0.012, odd: 0.1 },
  { outcome: 'invalid', reason: 'rest_missing_callback_param', share: 0.003, odd: 0.02 },
  { outcome: 'filtered', reason: 'unknown_domain', share: 0.006, odd: 0.05 },
  { outcome: 'client_discard', reason: 'ratelimit_backoff', share: 0.02, odd: 0, above: 60 },
  { outcome: 'client_discard', reason: 'network_error', share: 0.008, odd: 0.06 },
  { outcome: 'client_discard', reason: 'before_send', share: 0.01, odd: 0.04 },
];

/** The counts of the hours that begin from `fromMs` on, before `toMs` and by `nowMs`, in order of time. */
export function outcomeHours(
  seed: string,
  projectId: number,
  of: {
    readonly issues: readonly LoneIssue[];
    readonly reports: readonly WorldReport[];
    readonly nowMs: number;
  },
  fromMs: number,
  toMs: number,
): OutcomeHour[] {
  const first = hourOf(fromMs);
  const length = Math.max(0, Math.ceil((Math.min(toMs, of.nowMs + 1) - first) / hourMs));
  const kept = eventsByHour(of.issues, first, length);
  const own = hashOf(seed, 'outcomes', projectId);
  const rows: OutcomeHour[] = [];
  for (let hour = 0; hour < length; hour += 1) {
    const atMs = first + hour * hourMs;
    const events = kept[hour] ?? 0;
    const add = (outcome: OutcomeName, reason: string, category: string, quantity: number): void => {
      if (quantity > 0) rows.push({ atMs, outcome, reason, category, quantity });
    };
    add('accepted', '', 'error', events);
    add(
      'accepted',
      '',
      'feedback',
      of.reports.filter(({ feedback }) => inHour(feedback, projectId, atMs)).length,
    );
    // A project to which nothing was sent lost nothing.
    if (events === 0) continue;
    for (const [nth, { outcome, reason, share, odd, above = 0 }] of losses.entries()) {
      const thrown = unitOf(own ^ Math.floor(atMs / hourMs), nth);
      add(
        outcome,
        reason,
        'error',
        Math.floor(Math.max(0, events - above) * share + odd + thrown * (odd + 0.5)),
      );
    }
  }
  return rows;
}

function inHour(
  { createdAtMs, projectId }: WorldReport['feedback'],
  ofProject: number,
  atMs: number,
): boolean {
  return projectId === ofProject && createdAtMs >= atMs && createdAtMs < atMs + hourMs;
}

/** Events of some issues in each of so many hours. */
export function eventsByHour(issues: readonly LoneIssue[], fromMs: number, length: number): Int32Array {
  const sums = new Int32Array(length);
  for (const { series } of issues) {
    const shift = Math.round((series.fromMs - fromMs) / hourMs);
    const end = Math.min(length, shift + series.counts.length);
    for (let hour = Math.max(0, shift); hour < end; hour += 1) {
      sums[hour] = (sums[hour] ?? 0) + (series.counts[hour - shift] ?? 0);
    }
  }
  return sums;
}
