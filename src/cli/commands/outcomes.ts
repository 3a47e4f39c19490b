import { type OutcomeHourView, outcomesQuery } from '../../../schemas/outcomes.ts';
import { viewOutcomes } from '../../core/outcomes/outcomes.ts';
import type { Command } from '../command.ts';
import { formatIsoTime, formatTable, formatViewTable } from '../print.ts';
import { getSelectedProject, projectOption } from '../project-option.ts';
import { parseRequest } from '../schema-options.ts';

export const outcomesCommand: Command = {
  name: 'outcomes',
  onlyReads: true,
  summary: 'Show what was received in the last hours: accepted, discarded, and why.',
  usage: '[--hours 24] [--project NAME]',
  options: {
    hours: 'number of hours, including the current one: 1 to 720 (default: 24)',
    ...projectOption,
  },
  examples: ['outcomes', 'outcomes --hours 168 --json'],
  async run(context, args) {
    const { hours } = parseRequest(outcomesQuery, { hours: args.text('hours') });
    const deps = await context.deps();
    const project = await getSelectedProject(deps, args);
    const shown = await viewOutcomes(deps, project, hours);
    const span = hours === 1 ? 'hour' : `${hours} hours`;
    const emptyText = `Nothing was received in the last ${span}.`;
    return {
      json: shown,
      text: shown.length === 0 ? emptyText : `${hourTable(shown)}\n\n${sumTable(shown)}`,
    };
  },
};

const outcomeHeadings = {
  accepted: 'Accepted',
  duplicate: 'Duplicate',
  filtered: 'Filtered',
  rate_limited: 'Rate limited',
  invalid: 'Invalid',
  failed: 'Failed',
  client_discard: 'Client discard',
};

function hourTable(hours: readonly OutcomeHourView[]): string {
  const counts = Object.entries(outcomeHeadings).map(([outcome, heading]) => [
    heading,
    (hour: OutcomeHourView) => sumOf(hour.outcomes.filter((line) => line.outcome === outcome)),
  ]);
  return formatViewTable(
    {
      'Hour (UTC)': ({ hour }) => formatIsoTime(hour).slice(0, 16),
      Received: 'sent',
      ...Object.fromEntries(counts),
    },
    hours,
  );
}

/** One row per outcome, reason and category, summed over all hours, the most frequent first. */
function sumTable(hours: readonly OutcomeHourView[]): string {
  const lines = hours.flatMap((hour) => hour.outcomes);
  const groups = Map.groupBy(lines, ({ outcome, reason, category }) => `${outcome}\n${reason}\n${category}`);
  const sums = [...groups.values()].map((group) => ({ ...group[0], quantity: sumOf(group) }));
  sums.sort((one, other) => other.quantity - one.quantity);
  const rows = sums.map(({ category, outcome, reason, quantity }) => [
    category ?? null,
    outcome ?? null,
    reason || null,
    quantity,
  ]);
  return formatTable(['Category', 'Outcome', 'Reason', 'Quantity'], rows);
}

function sumOf(lines: ReadonlyArray<{ readonly quantity: number }>): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}
