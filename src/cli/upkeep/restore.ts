// `restore`: puts a backup in the place of a database that is empty or not there.
import { resolve } from 'node:path';
import { manifestPath } from '../../../data/upkeep/backup.ts';
import { type Restored, restore } from '../../../data/upkeep/restore.ts';
import { type Command, exitCodes, printJson } from '../command.ts';
import { configuredFile, countsText, postgresCall, progressOf, quoted, tidiedUp } from './database-file.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Checks a backup and puts it where DATABASE_URL says, where nothing may be yet.',
  usage: 'FILE [--without-manifest]',
  options: {
    'without-manifest': {
      type: 'boolean',
      help: 'take a file that has no FILE.json, such as FILE.before-MIGRATION: checked by itself alone',
    },
  },
  positionals: { least: 1, most: 1 },
  examples: ['restore /backups/notifier-2026-11-22.db'],
  async run(context, words) {
    const backup = resolve(words.positionals[0] ?? '');
    const target = configuredFile(context.env);
    if (target === null) {
      const options = '--no-owner --exit-on-error --single-transaction';
      context.err(
        postgresCall(context.env, (address) => `pg_restore ${options} --dbname=${address} ${quoted(backup)}`),
      );
      return exitCodes.usage;
    }
    const progress = progressOf(context, 'Restoring');
    const restored = await tidiedUp((onPart) =>
      restore({
        backup,
        target,
        withoutManifest: words.flag('without-manifest'),
        onProgress: progress.tell,
        onPart,
      }),
    ).finally(progress.end);
    if (words.flag('json')) printJson(context, documentOf(target, restored));
    else context.out(`${sentences(backup, target, restored)}\n`);
    return exitCodes.fine;
  },
};

function documentOf(path: string, { manifest, bytes, counts, missing }: Restored) {
  return { path, bytes, made_at: manifest?.made_at ?? null, counts, migrations_to_come: missing };
}

function sentences(backup: string, target: string, restored: Restored): string {
  const { manifest, counts, missing } = restored;
  const made =
    manifest === null
      ? 'without a manifest'
      : `made ${manifest.made_at} by ${manifest.program_version}, as ${manifestPath(backup)} says`;
  const lines = [`${target} is restored from ${backup} (${made}).`, `It holds ${countsText(counts)}.`];
  if (missing.length > 0) {
    lines.push(
      `The next start brings its schema up to date: ${missing.length} migrations, from ${missing[0]}.`,
    );
  }
  return lines.join('\n');
}
