// GET /outcomes: for each hour what was sent and what became of it.
import { outcomesQuery } from '../schemas/outcomes.ts';
import type { Deps } from '../src/core/deps.ts';
import { parseBody } from '../src/http/parse-body.ts';
import { type Handler, ok } from '../src/http/route.ts';

const hourMs = 3_600_000;

/** Hours in order of time; in each, `sent` is the sum of what was accepted and of every loss. */
export function getOutcomes(deps: Deps): Handler {
  return async (request) => {
    const { hours } = parseBody(outcomesQuery, request);
    await deps.outcomes.flush();
    const toMs = Math.floor(deps.now() / hourMs) * hourMs + hourMs;
    const rows = await deps.store.listOutcomes(request.project.id, toMs - hours * hourMs, toMs);
    const byHour = Map.groupBy(rows, (row) => row.hourMs);
    return ok(
      [...byHour].map(([hour, lines]) => ({
        hour: new Date(hour).toISOString(),
        sent: lines.reduce((sum, line) => sum + line.quantity, 0),
        outcomes: lines.map(({ outcome, reason, category, quantity }) => ({
          outcome,
          reason,
          category,
          quantity,
        })),
      })),
    );
  };
}
