// `export`: everything of one project or of all, as JSON lines in the shapes of the API.
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { dropPart, partOf, placeNew, syncPath } from '../../../data/upkeep/files.ts';
import { numbersOf } from '../../../data/upkeep/numbers.ts';
import { openReading } from '../../../data/upkeep/where.ts';
import { audited, byCommandLine } from '../../core/audit/audit.ts';
import { exportLines } from '../../core/portable/export.ts';
import { programVersion } from '../../program/version.ts';
import { type Command, CommandFailure, exitCodes, UsageError } from '../command.ts';
import { progressIn } from '../print.ts';
import { getProject } from '../which-project.ts';
import { countsText, tidiedUp } from './database-file.ts';

/** Size of one write; a single line may be longer. */
const portionCharacters = 65_536;
const tellEvery = 1_000;

export const exportCommand: Command = {
  name: 'export',
  onlyReads: true,
  summary: 'Export projects, keys, domains, releases, deploys, events, issues and bug reports as JSON lines.',
  usage: '[FILE|-] [--project NAME]',
  options: { project: 'project ID or name (default: all projects)' },
  examples: ['export notifier.ndjson', 'export - --project shop'],
  hasJson: false,
  async run(context, words) {
    const [to = '-'] = words.positionals;
    if (to === '') throw new UsageError('The file name must not be empty.');
    const target = to === '-' ? null : resolve(to);
    if (target !== null && existsSync(target)) throw new CommandFailure(`${target} already exists.`);
    const deps = await context.deps();
    const name = words.text('project');
    const projects = name === undefined ? await deps.store.listProjects() : [await getProject(deps, name)];
    const db = await openReading(deps.config);
    const counts: Record<string, number> = {};
    // If the lines themselves go to the terminal, no progress is printed.
    const progress = progressIn({ err: context.err, isTerminal: context.isTerminal && target !== null });
    const write = async (take: (text: string) => void): Promise<void> => {
      let waiting = '';
      let lines = 0;
      const numbers = (kind: Parameters<typeof numbersOf>[1], id: number) => numbersOf(db, kind, id);
      for await (const line of exportLines(deps, projects, numbers, programVersion())) {
        counts[line.type] = (counts[line.type] ?? 0) + 1;
        waiting += `${JSON.stringify(line)}\n`;
        lines += 1;
        if (lines % tellEvery === 0) progress.tell(`${lines} lines`);
        if (waiting.length < portionCharacters) continue;
        take(waiting);
        waiting = '';
      }
      take(waiting);
      progress.end();
    };
    try {
      if (target === null) await write(context.out);
      else await tidiedUp((onPart) => writeFile(target, write, onPart));
    } finally {
      await db.close();
    }
    const { export: _first, end: _last, ...things } = counts;
    context.err(`Exported: ${countsText(things)}.\n`);
    await audited(deps, byCommandLine, {
      action: 'export.made',
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
  const part = partOf(target);
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
    placeNew(part, target);
  } finally {
    dropPart(part);
    onPart(null);
  }
}
