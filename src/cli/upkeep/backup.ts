// `backup`: a copy of the database beside a server that writes it.

import { resolve } from 'node:path';
import { backUp, manifestPath } from '../../../data/upkeep/backup.ts';
import { readSchema } from '../../../data/upkeep/facts.ts';
import { openReading } from '../../../data/upkeep/where.ts';
import type { BackupManifest } from '../../../schemas/backup-manifest.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { backupMadeSetting } from '../../core/store/storage/setting-names.ts';
import { readSetup } from '../../program/open-deps.ts';
import { programVersion } from '../../program/version.ts';
import { type Command, type CommandContext, exitCodes, printJson } from '../command.ts';
import { configuredFile, countsText, postgresCall, progressOf, quoted, tidiedUp } from './database-file.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Copies the database to FILE while the server runs, checks the copy, writes FILE.json beside it.',
  usage: 'FILE',
  options: {},
  positionals: { least: 1, most: 1 },
  examples: ['backup /backups/notifier-2026-11-22.db'],
  async run(context, words) {
    const target = resolve(words.positionals[0] ?? '');
    const source = configuredFile(context.env);
    if (source === null) {
      const options = `--format=custom --no-owner --file=${quoted(target)}`;
      context.err(postgresCall(context.env, (address) => `pg_dump ${options} ${address}`));
      return exitCodes.usage;
    }
    const progress = progressOf(context, 'Copying');
    const startedAt = performance.now();
    const manifest = await tidiedUp((onPart) =>
      backUp({
        source,
        target,
        madeAt: new Date().toISOString(),
        programVersion: programVersion(),
        onProgress: progress.tell,
        onPart,
      }),
    ).finally(progress.end);
    const seconds = (performance.now() - startedAt) / 1000;
    if (words.flag('json')) printJson(context, { ...manifest, path: target, seconds });
    else context.out(`${sentence(target, manifest, seconds)}\n`);
    await note(context, target, manifest);
    return exitCodes.fine;
  },
};

function sentence(target: string, { bytes, counts }: BackupManifest, seconds: number): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s`;
  return `${target}: ${size}, whole. It holds ${countsText(counts)}.\nIts manifest is ${manifestPath(target)}: keep both.`;
}

/**
 * Notes in the database that a backup was made, and when. The backup is there whatever becomes of the note;
 * a database of another schema than ours is not touched.
 */
async function note(context: CommandContext, target: string, manifest: BackupManifest): Promise<void> {
  try {
    const reading = await openReading(readSetup(context.env).config);
    const { missing, why } = await readSchema(reading).finally(() => reading.close());
    if (missing.length > 0 || why !== null) return;
    await actAudited(await context.deps(), byCommandLine, async ({ store }) => ({
      result: await store.setSetting(backupMadeSetting, manifest.made_at),
      told: {
        action: 'backup.made',
        object: { kind: 'backup', id: null, name: target },
        summary: `${manifest.bytes} bytes, sha256 ${manifest.sha256}`,
      },
    }));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    context.err(`The backup is made, but the database could not be told so: ${said}\n`);
  }
}
