// Hours of outcomes as the API and the command line show them: what was sent, and what became of it. No
// rules, no printing.
import type { Deps } from '../deps.ts';
import { momentText } from '../reading/moments.ts';
import { lastHours } from '../reading/spans.ts';
import type { Project } from '../store/projects.ts';

export type OutcomeHourView = Awaited<ReturnType<typeof viewOutcomes>>[number];

/**
 * The last `hours` hours in which anything was sent, the running one included, in order of time; in each,
 * `sent` is the sum of what was accepted and of every loss.
 */
export async function viewOutcomes(
  deps: Pick<Deps, 'store' | 'outcomes' | 'now'>,
  project: Project,
  hours: number,
) {
  await deps.outcomes.flush();
  const { fromMs, toMs } = lastHours(deps.now(), hours);
  const rows = await deps.store.listOutcomes(project.id, fromMs, toMs);
  return [...Map.groupBy(rows, (row) => row.atMs)].map(([hour, lines]) => ({
    hour: momentText(hour),
    sent: lines.reduce((sum, line) => sum + line.quantity, 0),
    outcomes: lines.map(({ outcome, reason, category, quantity }) => ({
      outcome,
      reason,
      category,
      quantity,
    })),
  }));
}
