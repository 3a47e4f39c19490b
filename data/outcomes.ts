// What became of everything that was sent, counted by hour, reason and category.
import type { Query } from './db.ts';

export const hourMs = 3_600_000;

/** The hour a moment lies in, as the millisecond it begins at. */
export function hourOf(atMs: number): number {
  return atMs - (atMs % hourMs);
}

export interface Outcome {
  readonly projectId: number;
  readonly atMs: number;
  readonly outcome: string;
  readonly reason: string;
  readonly category: string;
  readonly quantity: number;
}

/** Rows of one project and hour: reasons are told by clients, so that past this they are counted as `other`. */
const outcomeRowsPerHourMax = 200;

/** Adds to a count inside a transaction. The usual row is there already: one statement. */
export async function addOutcome(tx: Query, outcome: Outcome): Promise<void> {
  const hour = hourOf(outcome.atMs);
  const counted = await tx.run(
    `UPDATE outcomes SET quantity = quantity + $6
     WHERE project_id = $1 AND hour_ms = $2 AND outcome = $3 AND reason = $4 AND category = $5`,
    [outcome.projectId, hour, outcome.outcome, outcome.reason, outcome.category, outcome.quantity],
  );
  if (counted.changes > 0) return;
  const rows = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM outcomes WHERE project_id = $1 AND hour_ms = $2',
    [outcome.projectId, hour],
  );
  const crowded = (rows?.rows ?? 0) >= outcomeRowsPerHourMax;
  await tx.run(
    `INSERT INTO outcomes (project_id, hour_ms, outcome, reason, category, quantity) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (project_id, hour_ms, outcome, reason, category)
     DO UPDATE SET quantity = outcomes.quantity + excluded.quantity`,
    [
      outcome.projectId,
      hour,
      outcome.outcome,
      crowded ? 'other' : outcome.reason,
      crowded ? 'other' : outcome.category,
      outcome.quantity,
    ],
  );
}
