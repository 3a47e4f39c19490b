// `export`: everything of one project or of all, as JSON lines in the shapes of the API.
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  moveIntoPlace,
  removeTemporaryFiles,
  syncPath,
  temporaryPathOf,
} from '../../../data/maintenance/files.ts';
import { openReadOnly } from '../../../data/maintenance/open-read-only.ts';
import { iterateRowIds } from '../../../data/maintenance/row-ids.ts';
import { programVersion } from '../../app/layers/version.ts';
import { commandLineSource, writeAuditEntry } from '../../core/audit/audit.ts';
import { exportLines } from '../../core/export-import/export.ts';
import { type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { createProgressLine } from '../print.ts';
import { getProject } from '../project-option.ts';
import { countsText, withPartialFileCleanup } from './database-file.ts';

/** Size of one write; a single line may be longer. */
const chunkCharacters = 65_536;
const progressEvery = 1_000;

export const exportCommand: Command = {
  name: 'export',
  onlyReads: true,
  summary: 'Export projects, keys, domains, releases, deploys, events, issues and bug reports as JSON lines.',
  usage: '[FILE|-] [--project NAME]',
  options: { project: 'project ID or name (default: all projects)' },
  examples: ['export notifier.ndjson', 'export - --project shop'],
  hasJson: false,
  async run(context, args) {
    const [to = '-'] = args.positionals;
    if (to === '') throw new UsageError('The file name must not be empty.');
    const target = to === '-' ? null : resolve(to);
    if (target !== null && existsSync(target)) throw new CommandError(`${target} already exists.`);
    const deps = await context.deps();
    const name = args.text('project');
    const projects = name === undefined ? await deps.store.listProjects() : [await getProject(deps, name)];
    const db = await openReadOnly(deps.config);
    const counts: Record<string, number> = {};
    // If the lines themselves go to the terminal, no progress is printed.
    const progress = createProgressLine({
      err: context.err,
      isTerminal: context.isTerminal && target !== null,
    });
    const write = async (take: (text: string) => void): Promise<void> => {
      let waiting = '';
      let lines = 0;
      const numbers = (kind: Parameters<typeof iterateRowIds>[1], id: number) => iterateRowIds(db, kind, id);
      for await (const line of exportLines(deps, projects, numbers, programVersion())) {
        counts[line.type] = (counts[line.type] ?? 0) + 1;
        waiting += `${JSON.stringify(line)}\n`;
        lines += 1;
        if (lines % progressEvery === 0) progress.update(`${lines} lines`);
        if (waiting.length < chunkCharacters) continue;
        take(waiting);
        waiting = '';
      }
      take(waiting);
      progress.end();
    };
    try {
      if (target === null) await write(context.out);
      else await withPartialFileCleanup((onPart) => writeFile(target, write, onPart));
    } finally {
      await db.close();
    }
    const { export: _first, end: _last, ...exported } = counts;
    context.err(`Exported: ${countsText(exported)}.\n`);
    await writeAuditEntry(deps, commandLineSource, {
      action: 'export.created',
      object: { kind: 'export', id: null, name: target ?? 'standard output' },
      summary: projects.map((project) => project.name).join(', '),
    });
    return exitCodes.fine;
  },
};

/** Written to a temporary file first, then renamed; mode 0600. */
async function writeFile(
  target: string,
  write: (take: (text: string) => void) => Promise<void>,
  onPart: (part: string | null) => void,
): Promise<void> {
  const part = temporaryPathOf(target);
  onPart(part);
  try {
    const file = openSync(part, 'wx', 0o600);
    try {
      await write((text) => {
        const bytes = Buffer.from(text);
        let at = 0;
        while (at < bytes.length) at += writeSync(file, bytes, at);
      });
    } finally {
      closeSync(file);
    }
    syncPath(part);
    moveIntoPlace(part, target);
  } finally {
    removeTemporaryFiles(part);
    onPart(null);
  }
}
