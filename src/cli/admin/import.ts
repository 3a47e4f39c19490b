// `import`: reads what `export` wrote. It can be repeated: existing rows are not changed.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { commandLineSource, writeAuditEntry } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { RestError } from '../../core/errors.ts';
import { importLine } from '../../core/export-import/import.ts';
import { type ImportResult, InvalidLineError, parseLine } from '../../core/export-import/lines.ts';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { createProgressLine, formatViewTable, sanitizeForTerminal } from '../print.ts';

/** Refused lines that are listed; all are counted. */
const namedMax = 100;
const progressEvery = 1_000;
const notExported =
  'An export does not contain, but a backup does: secret keys, members, source maps, alert channels,\n' +
  'monitors, maintenance, incidents, status pages, weekly and monthly reports,\n' +
  'and the contents of attachments and screenshots.';
const eventsAtOnce = 64;

interface Counts {
  new: number;
  there: number;
  left: number;
  refused: number;
}

export const importCommand: Command = {
  name: 'import',
  summary: 'Import a file that `export` wrote. Existing data is not changed.',
  usage: 'FILE|-',
  examples: ['import notifier.ndjson'],
  async run(context, args) {
    const from = args.positionals[0] ?? '';
    const deps = await context.deps();
    const progress = createProgressLine(context);
    const imported = await importLines(deps, from, (lines) => progress.update(`${lines} lines`));
    progress.end();
    const { types, refused, isWhole } = imported;
    const all = Object.values(types);
    if (all.some((each) => each.new > 0)) {
      await writeAuditEntry(deps, commandLineSource, {
        action: 'import.finished',
        object: { kind: 'import', id: null, name: from === '-' ? 'standard input' : resolve(from) },
        summary: Object.entries(types)
          .map(([type, each]) => `${each.new} ${type}`)
          .join(', '),
      });
    }
    for (const { line, why } of refused) context.err(`Line ${line} ${sanitizeForTerminal(why)}.\n`);
    if (!isWhole) {
      context.err('The file is incomplete, its last line is missing. The lines it has were imported.\n');
    }
    const isDone = isWhole && all.every((each) => each.refused === 0);
    return {
      json: { whole: isWhole, lines: imported.lines, types, refused },
      text: `${countsTable(types)}\n${notExported}`,
      code: isDone ? exitCodes.fine : exitCodes.failed,
    };
  },
};

interface Imported {
  readonly types: Record<string, Counts>;
  readonly refused: Array<{ line: number; why: string }>;
  lines: number;
  isWhole: boolean;
}

/** Events concurrently, other types after them. The first event of an issue sets its first seen time and release. */
async function importLines(deps: Deps, from: string, onProgress: (lines: number) => void): Promise<Imported> {
  const imported: Imported = { types: {}, refused: [], lines: 0, isWhole: false };
  const inFlight = new Set<Promise<void>>();
  const firstOf = new Map<string, Promise<void> | null>();
  let failed: unknown = null;
  const importNumbered = async (text: string | null, number: number): Promise<void> => {
    const { type, result, reason } = await importOneLine(deps, text);
    if (type === 'end') imported.isWhole = true;
    if (result === 'heading') return;
    imported.types[type] ??= { new: 0, there: 0, left: 0, refused: 0 };
    imported.types[type][result] += 1;
    if (result === 'refused' && imported.refused.length < namedMax) {
      imported.refused.push({ line: number, why: reason });
    }
  };
  for await (const text of readLines(from === '-' ? process.stdin : createReadStream(resolve(from)))) {
    imported.lines += 1;
    if (imported.lines % progressEvery === 0) onProgress(imported.lines);
    if (text === '') continue;
    const isEvent = text?.startsWith('{"type":"event"') === true;
    if (!isEvent) await Promise.all(inFlight);
    const issue = isEvent ? /"issue_id":(\d+)/.exec(text)?.[1] : undefined;
    if (issue !== undefined) await firstOf.get(issue);
    const pending: Promise<void> = importNumbered(text, imported.lines)
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => inFlight.delete(pending));
    inFlight.add(pending);
    if (issue !== undefined) {
      if (firstOf.has(issue)) firstOf.set(issue, null);
      else firstOf.set(issue, pending);
    }
    if (!isEvent) await pending;
    if (inFlight.size >= eventsAtOnce) await Promise.race(inFlight);
    if (failed !== null) break;
  }
  await Promise.all(inFlight);
  if (failed !== null) throw failed;
  imported.refused.sort((one, other) => one.line - other.line);
  return imported;
}

interface ImportedLine {
  readonly type: string;
  readonly result: ImportResult | 'refused';
  readonly reason: string;
}

/** Imports one line. Errors that are not about the line, such as a full disk, are thrown. */
async function importOneLine(deps: Deps, text: string | null): Promise<ImportedLine> {
  let type = 'unknown';
  try {
    if (text === null) throw new InvalidLineError('is too long');
    const line = parseLine(text);
    type = line.type;
    return { type, result: await importLine(deps, line), reason: '' };
  } catch (error) {
    if (error instanceof InvalidLineError) return { type, result: 'refused', reason: error.message };
    if (error instanceof RestError && error.status < 429) {
      return { type, result: 'refused', reason: `is refused: ${error.message}` };
    }
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The import failed: ${message} What was imported stays. Run it again.`);
  }
}

function countsTable(types: Readonly<Record<string, Counts>>): string {
  return formatViewTable(
    { Type: 'type', New: 'new', Existing: 'there', Skipped: 'left', Refused: 'refused' },
    Object.entries(types).map(([type, counts]) => ({ type, ...counts })),
  );
}

/** An event of the maximum size with the fields that the server adds. */
const lineBytesMax = 16 * 1_048_576;
/** A test report of the maximum size with its cases. */
const uploadBytesMax = 96 * 1_048_576;
const uploadBegins = '{"type":"test_upload"';
const newline = 0x0a;

/** Lines without their newline; null for a line over the limit. */
export async function* readLines(bytes: AsyncIterable<Buffer | string>): AsyncGenerator<string | null> {
  let pieces: Buffer[] = [];
  let size = 0;
  let bytesMax = lineBytesMax;
  const line = (): string | null => {
    const text = size > bytesMax ? null : Buffer.concat(pieces).toString('utf8').trim();
    pieces = [];
    size = 0;
    bytesMax = lineBytesMax;
    return text;
  };
  const append = (piece: Buffer): void => {
    size += piece.length;
    if (size > bytesMax && isUpload(pieces)) bytesMax = uploadBytesMax;
    if (size > bytesMax) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  for await (const each of bytes) {
    const chunk = typeof each === 'string' ? Buffer.from(each) : each;
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      append(chunk.subarray(from, at));
      yield line();
      from = at + 1;
    }
    append(chunk.subarray(from));
  }
  if (size > 0) yield line();
}

function isUpload(pieces: readonly Buffer[]): boolean {
  // No part is empty, so this many parts hold at least this many bytes.
  const begin = Buffer.concat(pieces.slice(0, uploadBegins.length));
  return begin.toString('latin1', 0, uploadBegins.length) === uploadBegins;
}
