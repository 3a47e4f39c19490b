// What became of everything that was sent, counted by hour, reason and category.

import type { Level } from '../../schemas/event.ts';
import { cutText } from '../../src/core/reading/cut-text.ts';
import { hourMs, hourOf } from '../../src/core/reading/spans.ts';
import type { Outcome, OutcomeHour, OutcomeStore } from '../../src/core/store/outcomes.ts';
import type { Db, Query } from '../db.ts';
import { isLiveProject } from '../projects/projects.ts';

/**
 * Rows of one project and hour: reasons are told by clients, so that past this they are counted as `other`.
 */
const outcomeRowsPerHourMax = 200;

/** Longer words than this are no reasons. */
const wordCharactersMax = 64;

/** Hours that one look answers; older ones are cleared away. */
export const outcomeHoursMax = 24 * 100;

/** The queries of `OutcomeStore`. */
export function outcomeStore(db: Db): OutcomeStore {
  return {
    addOutcomes: (outcomes) =>
      db.write(async (tx) => {
        for (const outcome of outcomes) await addOutcome(tx, outcome);
      }),
    async listOutcomes(projectId, fromMs, toMs) {
      const from = Math.max(hourOf(fromMs), toMs - outcomeHoursMax * hourMs);
      const rows = await db.all<Omit<OutcomeHour, 'atMs'> & { hour_ms: number }>(
        `SELECT hour_ms, outcome, reason, category, quantity FROM outcomes
         WHERE project_id = $1 AND hour_ms >= $2 AND hour_ms < $3 ORDER BY hour_ms, outcome, reason, category`,
        [projectId, from, toMs],
      );
      return rows.map(({ hour_ms, ...counted }) => ({ atMs: hour_ms, ...counted }));
    },
  };
}

/** Clients write these words; PostgreSQL's text holds no NUL. */
function wordOf(text: string): string {
  return cutText(text.replaceAll('\u0000', ''), wordCharactersMax);
}

/** An outcome, with the level of the event that it tells of. */
type CountedOutcome = Outcome & { readonly level?: Level };

/** Adds to a count inside a transaction. The usual row is there already: one statement. */
export async function addOutcome(tx: Query, outcome: CountedOutcome): Promise<void> {
  const hour = hourOf(outcome.atMs);
  const reason = wordOf(outcome.reason);
  const category = wordOf(outcome.category);
  const { level } = outcome;
  const counted = await tx.run(
    `UPDATE outcomes SET quantity = quantity + $6${level === undefined ? '' : `, ${level} = ${level} + $6`}
     WHERE project_id = $1 AND hour_ms = $2 AND outcome = $3 AND reason = $4 AND category = $5`,
    [outcome.projectId, hour, outcome.outcome, reason, category, outcome.quantity],
  );
  if (counted.changes > 0 || !(await isLiveProject(tx, outcome.projectId))) return;
  const rows = await tx.get<{ rows: number }>(
    'SELECT COUNT(*) AS rows FROM outcomes WHERE project_id = $1 AND hour_ms = $2',
    [outcome.projectId, hour],
  );
  const crowded = (rows?.rows ?? 0) >= outcomeRowsPerHourMax;
  await tx.run(
    `INSERT INTO outcomes (project_id, hour_ms, outcome, reason, category, quantity${level === undefined ? '' : `, ${level}`})
     VALUES ($1, $2, $3, $4, $5, $6${level === undefined ? '' : ', $6'})
     ON CONFLICT (project_id, hour_ms, outcome, reason, category) DO UPDATE SET
       quantity = outcomes.quantity + excluded.quantity
       ${level === undefined ? '' : `, ${level} = outcomes.${level} + excluded.${level}`}`,
    [
      outcome.projectId,
      hour,
      outcome.outcome,
      crowded ? 'other' : reason,
      crowded ? 'other' : category,
      outcome.quantity,
    ],
  );
}
