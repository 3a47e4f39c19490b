// `outcomes`: what was sent in the last hours, what was kept, what was lost and why.
import { outcomesQuery } from '../../schemas/outcomes.ts';
import { type OutcomeHourView, viewOutcomes } from '../core/outcomes/views.ts';
import { type Command, exitCodes, isoText, printJson, table } from './command.ts';
import { requestOf } from './text/api-words.ts';
import { getChosenProject, projectOption } from './which-project.ts';

export const outcomes: Command = {
  name: 'outcomes',
  onlyReads: true,
  summary: 'Shows what was sent in the last hours, and what became of it: kept, lost, and why.',
  usage: '[--hours 24] [--project NAME]',
  options: {
    hours: { type: 'string', help: 'how many hours back, the running one included: 1 to 720 (default 24)' },
    ...projectOption,
  },
  positionals: { least: 0, most: 0 },
  examples: ['outcomes', 'outcomes --hours 168 --json'],
  async run(context, words) {
    const { hours } = requestOf(outcomesQuery, { hours: words.text('hours') });
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const shown = await viewOutcomes(deps, project, hours);
    const span = hours === 1 ? 'hour' : `${hours} hours`;
    if (words.flag('json')) printJson(context, shown);
    else if (shown.length === 0) context.out(`Nothing was sent in the last ${span}.\n`);
    else context.out(`${hourTable(shown)}\n\n${sumTable(shown)}\n`);
    return exitCodes.fine;
  },
};

const columns = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  'failed',
  'client_discard',
] as const;

function hourTable(hours: readonly OutcomeHourView[]): string {
  const rows = hours.map(({ hour, sent, outcomes: lines }) => [
    isoText(hour).slice(0, 16),
    sent,
    ...columns.map((name) => sumOf(lines.filter((line) => line.outcome === name))),
  ]);
  return table(
    [
      'Hour (UTC)',
      'Sent',
      'Kept',
      'Repeats',
      'Filtered',
      'Limited',
      'Invalid',
      'Not stored',
      'Dropped by client',
    ],
    rows,
  );
}

/** Every outcome with its reason, over all the hours, the most frequent first. */
function sumTable(hours: readonly OutcomeHourView[]): string {
  const lines = hours.flatMap((hour) => hour.outcomes);
  const groups = Map.groupBy(lines, ({ outcome, reason, category }) => `${outcome}\n${reason}\n${category}`);
  const sums = [...groups.values()].map((same) => ({ ...same[0], quantity: sumOf(same) }));
  sums.sort((one, other) => other.quantity - one.quantity);
  const rows = sums.map(({ category, outcome, reason, quantity }) => [
    category ?? null,
    outcome ?? null,
    reason || null,
    quantity,
  ]);
  return table(['What', 'Became of it', 'Why', 'How many'], rows);
}

function sumOf(lines: ReadonlyArray<{ readonly quantity: number }>): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}
