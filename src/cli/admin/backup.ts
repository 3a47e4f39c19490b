// `backup` copies the database while the server runs. `restore` needs a missing or empty target database.
import { resolve } from 'node:path';
import { backUp, manifestPath } from '../../../data/maintenance/backup.ts';
import { readSchema } from '../../../data/maintenance/database-facts.ts';
import { openReadOnly } from '../../../data/maintenance/open-read-only.ts';
import { type Restored, restore } from '../../../data/maintenance/restore.ts';
import type { BackupManifest } from '../../../schemas/backup-manifest.ts';
import { programVersion } from '../../app/layers/version.ts';
import { readSetup } from '../../app/open-deps.ts';
import { commandLineSource, runAudited } from '../../core/audit/audit.ts';
import { lastBackupSetting } from '../../core/store/setting-names.ts';
import { type Command, type CommandContext, exitCodes } from '../command.ts';
import {
  configuredDatabaseFile,
  copyProgress,
  countsText,
  postgresHint,
  quoteForShell,
  withPartialFileCleanup,
} from './database-file.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary:
    'Back up the database to FILE while the server runs, verify the copy, and write its manifest FILE.json.',
  usage: 'FILE',
  examples: ['backup /backups/notifier-2026-11-22.db'],
  async run(context, args) {
    const target = resolve(args.positionals[0] ?? '');
    const source = configuredDatabaseFile(context.env);
    if (source === null) {
      const options = `--format=custom --no-owner --file=${quoteForShell(target)}`;
      context.err(postgresHint(context.env, (address) => `pg_dump ${options} ${address}`));
      return exitCodes.usage;
    }
    const progress = copyProgress(context, 'Copying');
    const startedAt = performance.now();
    const manifest = await withPartialFileCleanup((onPart) =>
      backUp({
        source,
        target,
        madeAt: new Date().toISOString(),
        programVersion: programVersion(),
        onProgress: progress.update,
        onPart,
      }),
    ).finally(progress.end);
    const seconds = (performance.now() - startedAt) / 1000;
    await recordBackupTime(context, target, manifest);
    return { json: { ...manifest, path: target, seconds }, text: backupText(target, manifest, seconds) };
  },
};

function backupText(target: string, { bytes, counts }: BackupManifest, seconds: number): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s`;
  return `Backup ${target} is complete and intact: ${size}. It contains ${countsText(counts)}.\nKeep its manifest ${manifestPath(target)} with it.`;
}

/** Stores the time of the backup. Not in a database of another schema version; an error is only printed. */
async function recordBackupTime(
  context: CommandContext,
  target: string,
  manifest: BackupManifest,
): Promise<void> {
  try {
    const reading = await openReadOnly(readSetup(context.env).config);
    const { missing, why: problem } = await readSchema(reading).finally(() => reading.close());
    if (missing.length > 0 || problem !== null) return;
    await runAudited(await context.deps(), commandLineSource, async ({ store }) => ({
      result: await store.setSetting(lastBackupSetting, manifest.made_at),
      auditEvent: {
        action: 'backup.created',
        object: { kind: 'backup', id: null, name: target },
        summary: `${manifest.bytes} bytes, sha256 ${manifest.sha256}`,
      },
    }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    context.err(`The backup is complete, but its time could not be saved in the database: ${message}\n`);
  }
}

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Verify a backup and restore it to DATABASE_URL, where no database may exist yet.',
  usage: 'FILE [--without-manifest]',
  options: {
    'without-manifest': {
      flag: 'restore a file without a manifest, for example FILE.before-MIGRATION; only the file itself is verified',
    },
  },
  examples: ['restore /backups/notifier-2026-11-22.db'],
  async run(context, args) {
    const backup = resolve(args.positionals[0] ?? '');
    const target = configuredDatabaseFile(context.env);
    if (target === null) {
      const options = '--no-owner --exit-on-error --single-transaction';
      context.err(
        postgresHint(
          context.env,
          (address) => `pg_restore ${options} --dbname=${address} ${quoteForShell(backup)}`,
        ),
      );
      return exitCodes.usage;
    }
    const progress = copyProgress(context, 'Restoring');
    const restored = await withPartialFileCleanup((onPart) =>
      restore({
        backup,
        target,
        withoutManifest: args.flag('without-manifest'),
        onProgress: progress.update,
        onPart,
      }),
    ).finally(progress.end);
    const { manifest, bytes, counts, missing } = restored;
    return {
      json: {
        path: target,
        bytes,
        made_at: manifest?.made_at ?? null,
        counts,
        migrations_to_come: missing,
      },
      text: restoreText(backup, target, restored),
    };
  },
};

function restoreText(backup: string, target: string, restored: Restored): string {
  const { manifest, counts, missing } = restored;
  const madeText =
    manifest === null
      ? 'without a manifest'
      : `created ${manifest.made_at} by version ${manifest.program_version}`;
  const lines = [`Restored ${target} from ${backup} (${madeText}).`, `It contains ${countsText(counts)}.`];
  if (missing.length > 0) {
    lines.push(`The next start applies ${missing.length} pending migrations, from ${missing[0]}.`);
  }
  return lines.join('\n');
}
