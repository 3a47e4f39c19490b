// `import`: takes over what `export` wrote. Again and again, if need be: what is there stays as it is.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { audited, byCommandLine } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { RestError } from '../../core/errors.ts';
import { importLine, type Taken } from '../../core/portable/import.ts';
import { BadLine, readLine } from '../../core/portable/lines.ts';
import { type Command, CommandFailure, exitCodes, printable, printJson, table } from '../command.ts';
import { linesOf } from './lines-of.ts';

/** Refused lines that are named one by one; all are counted. */
const namedMax = 100;
const tellEvery = 1_000;
const notExported =
  'Not in an export, but in a backup: secret keys, members, source maps, alert channels, monitors,\n' +
  'planned work, incidents, status pages, reports of weeks and months,\n' +
  'and the bytes of attachments and screenshots.';
const eventsAtOnce = 64;

interface Counts {
  new: number;
  there: number;
  left: number;
  refused: number;
}

export const importCommand: Command = {
  name: 'import',
  summary: 'Takes over what `export` wrote; what is there already stays as it is.',
  usage: 'FILE|-',
  options: {},
  positionals: { least: 1, most: 1 },
  examples: ['import notifier.ndjson'],
  async run(context, words) {
    const from = words.positionals[0] ?? '';
    const deps = await context.deps();
    const imported = await takeAll(deps, from, (lines) => {
      if (context.isTerminal) context.err(`\r${lines} lines`);
    });
    if (context.isTerminal) context.err('\r\u001b[K');
    const { types, refused, isWhole } = imported;
    const all = Object.values(types);
    if (all.some((each) => each.new > 0)) {
      await audited(deps, byCommandLine, {
        action: 'import.made',
        object: { kind: 'import', id: null, name: from === '-' ? 'standard input' : resolve(from) },
        summary: Object.entries(types)
          .map(([type, each]) => `${each.new} ${type}`)
          .join(', '),
      });
    }
    if (words.flag('json')) printJson(context, { whole: isWhole, lines: imported.lines, types, refused });
    else context.out(`${countsTable(types)}\n${notExported}\n`);
    for (const { line, why } of refused) context.err(`Line ${line} ${printable(why)}.\n`);
    if (!isWhole) context.err('The last line is missing: the file was cut. What it holds was taken over.\n');
    return isWhole && all.every((each) => each.refused === 0) ? exitCodes.fine : exitCodes.failed;
  },
};

interface Imported {
  readonly types: Record<string, Counts>;
  /** In the order of the lines. */
  readonly refused: Array<{ line: number; why: string }>;
  lines: number;
  isWhole: boolean;
}

/**
 * Takes over every line. Events go several at a time, because those that wait share a commit; all else waits
 * until they are through, and they for it. The first event of an issue goes before the others of it: it says
 * when and in which release the issue began.
 */
async function takeAll(deps: Deps, from: string, tell: (lines: number) => void): Promise<Imported> {
  const imported: Imported = { types: {}, refused: [], lines: 0, isWhole: false };
  const underWay = new Set<Promise<void>>();
  const firstOf = new Map<string, Promise<void> | null>();
  let failed: unknown = null;
  const take = async (text: string | null, number: number): Promise<void> => {
    const { type, taken, why } = await takeLine(deps, text);
    if (type === 'end') imported.isWhole = true;
    if (taken === 'heading') return;
    imported.types[type] ??= { new: 0, there: 0, left: 0, refused: 0 };
    imported.types[type][taken] += 1;
    if (taken === 'refused' && imported.refused.length < namedMax) {
      imported.refused.push({ line: number, why });
    }
  };
  for await (const text of linesOf(from === '-' ? process.stdin : createReadStream(resolve(from)))) {
    imported.lines += 1;
    if (imported.lines % tellEvery === 0) tell(imported.lines);
    if (text === '') continue;
    const isEvent = text?.startsWith('{"type":"event"') === true;
    if (!isEvent) await Promise.all(underWay);
    const issue = isEvent ? /"issue_id":(\d+)/.exec(text)?.[1] : undefined;
    if (issue !== undefined) await firstOf.get(issue);
    const taking: Promise<void> = take(text, imported.lines)
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => underWay.delete(taking));
    underWay.add(taking);
    if (issue !== undefined) {
      if (firstOf.has(issue)) firstOf.set(issue, null);
      else firstOf.set(issue, taking);
    }
    if (!isEvent) await taking;
    if (underWay.size >= eventsAtOnce) await Promise.race(underWay);
    if (failed !== null) break;
  }
  await Promise.all(underWay);
  if (failed !== null) throw failed;
  imported.refused.sort((one, other) => one.line - other.line);
  return imported;
}

interface TakenLine {
  readonly type: string;
  readonly taken: Taken | 'refused';
  readonly why: string;
}

/** What became of a line. What is no refusal of the line itself, such as a full disk, comes out. */
async function takeLine(deps: Deps, text: string | null): Promise<TakenLine> {
  let type = 'unknown';
  try {
    if (text === null) throw new BadLine('is longer than a line can be');
    const line = readLine(text);
    type = line.type;
    return { type, taken: await importLine(deps, line), why: '' };
  } catch (error) {
    if (error instanceof BadLine) return { type, taken: 'refused', why: error.message };
    if (error instanceof RestError && error.status < 429) {
      return { type, taken: 'refused', why: `is refused: ${error.message}` };
    }
    const said = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`It ended early: ${said} What was taken over stays; import again.`);
  }
}

function countsTable(types: Readonly<Record<string, Counts>>): string {
  const rows = Object.entries(types).map(([type, each]) => [
    type,
    each.new,
    each.there,
    each.left,
    each.refused,
  ]);
  return table(['What', 'New', 'Was there', 'Left out', 'Refused'], rows);
}
