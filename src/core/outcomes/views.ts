import type { OutcomeHourView } from '../../../schemas/outcomes.ts';
import type { Deps } from '../deps.ts';
import { getLastHours } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Project } from '../store/projects.ts';

export type { OutcomeHourView } from '../../../schemas/outcomes.ts';

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
