import type { Level } from '../../schemas/event.ts';
import { cutText } from '../../src/core/parsing/cut-text.ts';
import { hourMs, startOfHour } from '../../src/core/parsing/durations.ts';
import type { Outcome, OutcomeHour } from '../../src/core/store/counts.ts';
import { type Query, type RowStatement, storePart, type Transaction } from '../db.ts';
import { countRows } from '../paging.ts';
import { isLiveProject } from '../projects/projects.ts';
import { integer, tableOf, text } from '../table.ts';
import { compareKeys } from '../value-lists.ts';

/** Rows of one project and hour. Clients choose reasons: further ones count as `other`. */
const outcomeRowsPerHourMax = 200;

const textCharactersMax = 64;

/** Hours that one query answers; older ones are deleted. */
export const outcomeHoursMax = 24 * 100;

export const outcomeStore = storePart(
  {
    async listOutcomes(db, projectId, fromMs, toMs) {
      const from = Math.max(startOfHour(fromMs), toMs - outcomeHoursMax * hourMs);
      return db.all<OutcomeHour>(
        `SELECT hour_ms AS "atMs", outcome, reason, category, quantity FROM outcomes
         WHERE project_id = $1 AND hour_ms >= $2 AND hour_ms < $3 ORDER BY hour_ms, outcome, reason, category`,
        [projectId, from, toMs],
      );
    },
  },
  {
    async addOutcomes(tx, outcomes) {
      for (const outcome of outcomes) await addOutcome(tx, outcome);
    },
  },
);

/** Clients choose these words; PostgreSQL's text cannot hold NUL. */
function toLimitedText(text: string): string {
  return cutText(text.replaceAll('\u0000', ''), textCharactersMax);
}

type CountedOutcome = Outcome & { readonly level?: Level };

export type OutcomeCount = Outcome & { readonly levels: Readonly<Partial<Record<Level, number>>> };

const columns = ['fatal', 'error', 'warning', 'info', 'debug'] as const;

const addToRow: RowStatement = {
  sql: `UPDATE outcomes SET quantity = quantity + $6,
      ${columns.map((column, at) => `${column} = ${column} + $${at + 7}`).join(', ')}
    WHERE project_id = $1 AND hour_ms = $2 AND outcome = $3 AND reason = $4 AND category = $5`,
  types: ['bigint', 'bigint', 'text', 'text', 'text', ...new Array<'bigint'>(6).fill('bigint')],
};

/** Adds to one counter. The row usually exists: one statement. */
export async function addOutcome(tx: Query, outcome: CountedOutcome): Promise<void> {
  const { level, quantity } = outcome;
  const values = valuesOf({ ...outcome, levels: level === undefined ? {} : { [level]: quantity } });
  const counted = await tx.run(addToRow.sql, values);
  if (counted.changes === 0) await addOutcomeRow(tx, values);
}

/** Adds to many counters, given in the order in which they first came. */
export async function addOutcomeCounts(tx: Transaction, outcomes: readonly OutcomeCount[]): Promise<void> {
  const rows = outcomes.map(valuesOf);
  const sorted = rows.toSorted((left, right) => compareKeys(left, right, 5));
  const missed = new Set((await tx.updateMany(addToRow, sorted)).map((at) => sorted[at]));
  // In the given order: the first new reason takes the last free row.
  for (const row of rows) if (missed.has(row)) await addOutcomeRow(tx, row);
}

type OutcomeValues = readonly [number, number, string, string, string, ...Counts];
/** The quantity, and how many of it are of each level. */
type Counts = [number, number, number, number, number, number];

function valuesOf(outcome: OutcomeCount): OutcomeValues {
  const { projectId, atMs, outcome: outcomeType, quantity, levels } = outcome;
  const { fatal = 0, error = 0, warning = 0, info = 0, debug = 0 } = levels;
  const [reason, category] = [toLimitedText(outcome.reason), toLimitedText(outcome.category)];
  return [
    projectId,
    startOfHour(atMs),
    outcomeType,
    reason,
    category,
    quantity,
    fatal,
    error,
    warning,
    info,
    debug,
  ];
}

async function addOutcomeRow(tx: Query, values: OutcomeValues): Promise<void> {
  const [projectId, hourMs, outcome, reason, category, ...counts] = values;
  if (!(await isLiveProject(tx, projectId))) return;
  const ofHour = 'FROM outcomes WHERE project_id = $1 AND hour_ms = $2';
  const crowded = (await countRows(tx, ofHour, [projectId, hourMs])) >= outcomeRowsPerHourMax;
  const [quantity, fatal, error, warning, info, debug] = counts;
  const key = { projectId, hourMs, outcome, reason: crowded ? 'other' : reason };
  await outcomeTable.insert(
    tx,
    { ...key, category: crowded ? 'other' : category, quantity, fatal, error, warning, info, debug },
    { onConflict: added },
  );
}

const outcomeTable = tableOf('outcomes', {
  projectId: integer,
  hourMs: integer,
  outcome: text,
  reason: text,
  category: text,
  quantity: integer,
  fatal: integer,
  error: integer,
  warning: integer,
  info: integer,
  debug: integer,
});
const added = outcomeTable.mergeOn({
  key: ['projectId', 'hourMs', 'outcome', 'reason', 'category'],
  otherwise: 'sum',
});
