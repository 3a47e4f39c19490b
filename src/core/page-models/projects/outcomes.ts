import { dayMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { OutcomeHour, OutcomeName } from '../../store/counts.ts';
import type { Project } from '../../store/projects.ts';
import type { RequestContext } from '../request-context.ts';

const daysShown = 30;
const reasonsShown = 30;

/** `lost` was discarded by the SDK and never arrived. */
type OutcomeGroup = 'accepted' | 'known' | 'limited' | 'refused' | 'lost';

const outcomeGroupOf: Readonly<Record<OutcomeName, OutcomeGroup>> = {
  accepted: 'accepted',
  duplicate: 'known',
  filtered: 'known',
  rate_limited: 'limited',
  invalid: 'refused',
  failed: 'refused',
  client_discard: 'lost',
};

export type ReasonView = ReturnType<typeof reasonsOf>[number];

export async function viewProjectOutcomes({ deps, nowMs }: RequestContext, project: Project) {
  await deps.outcomes.flush();
  const toMs = nowMs - (nowMs % dayMs) + dayMs;
  const fromMs = toMs - daysShown * dayMs;
  const rows = await deps.store.listOutcomes(project.id, fromMs - daysShown * dayMs, toMs);
  const now = rows.filter(({ atMs }) => atMs >= fromMs);
  const before = countReceivedAndAccepted(rows.filter(({ atMs }) => atMs < fromMs));
  return {
    ...countReceivedAndAccepted(now),
    lost_share_before: before.sent === 0 ? null : 1 - before.accepted / before.sent,
    days: daysOf(now, fromMs),
    reasons: reasonsOf(now),
  };
}

/** What SDKs discarded never arrived, so it is not counted as sent. */
function countReceivedAndAccepted(rows: readonly OutcomeHour[]): { sent: number; accepted: number } {
  const arrived = rows.filter(({ outcome }) => outcome !== 'client_discard');
  const accepted = arrived.filter(({ outcome }) => outcome === 'accepted');
  return { sent: sumOf(arrived), accepted: sumOf(accepted) };
}

function daysOf(rows: readonly OutcomeHour[], fromMs: number) {
  const days = Array.from({ length: daysShown }, () => {
    return { accepted: 0, known: 0, limited: 0, refused: 0, lost: 0 };
  });
  for (const { atMs, outcome, quantity } of rows) {
    const day = days[Math.floor((atMs - fromMs) / dayMs)];
    if (day !== undefined) day[outcomeGroupOf[outcome]] += quantity;
  }
  return days.map((counts, at) => ({
    from: formatTime(fromMs + at * dayMs),
    to: formatTime(fromMs + (at + 1) * dayMs),
    counts,
  }));
}

function reasonsOf(rows: readonly OutcomeHour[]) {
  const all = sumOf(rows);
  const losses = rows.filter(({ outcome }) => outcome !== 'accepted');
  const groups = Map.groupBy(losses, ({ outcome, reason, category }) =>
    JSON.stringify([outcome, reason, category]),
  );
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { outcome, reason, category } = first;
      const quantity = sumOf(group);
      return [{ outcome, reason, category, quantity, share: quantity / all }];
    })
    .sort((one, other) => other.quantity - one.quantity)
    .slice(0, reasonsShown);
}

function sumOf(rows: readonly OutcomeHour[]): number {
  return sum(rows.map(({ quantity }) => quantity));
}
