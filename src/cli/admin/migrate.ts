// `migrate` applies migrations, as every start does. With --status it changes nothing.
import { existsSync } from 'node:fs';
import { readSchema } from '../../../data/maintenance/database-facts.ts';
import { databaseFileOf, openReadOnly } from '../../../data/maintenance/open-read-only.ts';
import { readSetup, waitForDatabase } from '../../app/open-deps.ts';
import { formatPlural } from '../../core/doctor/facts.ts';
import { type Command, type CommandContext, type CommandResult, exitCodes } from '../command.ts';
import { timeText } from '../print.ts';

type Schema = Awaited<ReturnType<typeof readSchema>>;

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Apply pending migrations to the database, as every start does. --status only lists them.',
  usage: '[--status]',
  options: {
    status: {
      flag: 'list applied and pending migrations without changing anything; exit code 0 if up to date, else 1',
    },
  },
  examples: ['migrate --status', 'migrate'],
  async run(context, args) {
    const before = await schemaNow(context);
    if (args.flag('status')) return statusOf(before);
    if (before.missing.length > 0 && context.isTerminal) {
      context.err('Copying and migrating a large database may take a while.\n');
    }
    await context.deps();
    const missing = new Set(before.missing);
    const applied = (await schemaNow(context)).applied.map(({ id }) => id).filter((id) => missing.has(id));
    return { json: { applied }, text: appliedText(applied) };
  },
};

function appliedText(applied: readonly string[]): string {
  if (applied.length === 0) return 'The database is up to date.\n';
  return `Applied ${formatPlural(applied.length, 'migration')}:\n${applied.map((id) => `  ${id}\n`).join('')}`;
}

async function schemaNow(context: CommandContext): Promise<Schema> {
  const setup = readSetup(context.env);
  await waitForDatabase(setup, { warn: (line) => context.err(`${line}\n`) });
  const { databaseUrl } = setup.config;
  const file = databaseFileOf(databaseUrl);
  const isThere = file === null || (file !== ':memory:' && existsSync(file));
  const reading = await openReadOnly(
    isThere ? setup.config : { ...setup.config, databaseUrl: 'sqlite::memory:' },
  );
  return readSchema(reading).finally(() => reading.close());
}

function statusOf(schema: Schema): CommandResult {
  const { applied, missing, unknown, changed, why: problem } = schema;
  const isCurrent = missing.length === 0 && problem === null;
  const row = (id: string, state: string): string => `  ${id.padEnd(32)} ${state}`;
  const lines = [
    ...applied.map(({ id, appliedAtMs }) => row(id, `applied ${timeText(appliedAtMs)}`)),
    ...missing.map((id) => row(id, 'pending')),
    ...unknown.map((id) => row(id, 'unknown: applied by another version of the program')),
    ...changed.map((id) => row(id, 'applied with a different text')),
    verdict(schema),
  ];
  const dated = applied.map(({ id, appliedAtMs }) => ({
    id,
    applied_at: new Date(appliedAtMs).toISOString(),
  }));
  return {
    json: { up_to_date: isCurrent, applied: dated, to_come: missing, unknown, changed },
    text: lines.join('\n'),
    code: isCurrent ? exitCodes.fine : exitCodes.failed,
  };
}

function verdict({ missing, why: problem }: Schema): string {
  if (problem !== null) return problem;
  if (missing.length === 0) return 'The database is up to date.';
  return `${formatPlural(missing.length, 'migration')} pending. \`notifier migrate\` or the next start applies them.`;
}
