// `contract diff`: where two recordings differ, or a recording and a server that is asked the same now.
import { readFile } from 'node:fs/promises';
import { isCovered } from '../../contract/covered.ts';
import { type Difference, diffRecordings } from '../../contract/diff.ts';
import { type RecordedExchange, readRecording } from '../../contract/exchange.ts';
import { recordSuite, suiteOfRecording } from '../../contract/record.ts';
import { type DiffFormat, diffFormats, writeDifferences } from '../../contract/report/differences.ts';
import { wholeSuite } from '../../contract/suite/whole.ts';
import { parseDialect } from '../../dialect/words.ts';
import { exitCodes, UsageError } from '../command.ts';
import { noticing } from './record.ts';
import { type ContractIo, type ContractWords, printOrWrite, targetOf } from './words.ts';

/**
 * 1 where the two differ in more than ids, times and tokens; with `--dialect`, in something that it covers.
 */
export async function contractDiff(words: ContractWords, io: ContractIo): Promise<number> {
  const [, first, second] = words.positionals;
  const { against, dialect: dialectFile } = words.values;
  if (first === undefined || (second === undefined) === (against === undefined)) {
    throw new UsageError('What with what? Two recordings, or one and --against URL.');
  }
  const format = formatOf(words.values.format);
  const left = await recordingIn(first);
  const right = second === undefined ? await askedNow(left, words, io) : await recordingIn(second);
  const dialect = dialectFile === undefined ? null : parseDialect(await readFile(dialectFile, 'utf8'));
  const differences = diffRecordings(left, right);
  const covered = dialect === null ? null : (each: Difference) => isCovered(each, dialect);
  const coloured = io.isTerminal && words.values.out === undefined && (io.env['NO_COLOR'] ?? '') === '';
  const text = writeDifferences(differences, { format, coloured, compared: left.length, covered });
  await printOrWrite(text, words.values.out, io);
  const counted = differences.filter((each) => !each.volatile && (covered === null || covered(each)));
  return counted.length === 0 ? exitCodes.fine : exitCodes.failed;
}

/** A recording; wrong words where the file is none. */
export async function recordingIn(file: string): Promise<RecordedExchange[]> {
  try {
    return readRecording(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The suite's requests are made anew, with ids of this server; others are sent as they were recorded. */
async function askedNow(
  left: readonly RecordedExchange[],
  words: ContractWords,
  io: ContractIo,
): Promise<RecordedExchange[]> {
  const target = targetOf(words, io, { url: words.values.against, fresh: true });
  const known = new Set(wholeSuite.requests.map((request) => request.name));
  const only = new Set(left.map((each) => each.id).filter((id) => known.has(id)));
  const expectLimits = [...only].some((name) => name.startsWith('limit-'));
  const ofSuite = await recordSuite({ target, expectLimits, only, ...noticing(io) });
  const suite = suiteOfRecording(left.filter((each) => !known.has(each.id)));
  return [...ofSuite, ...(await recordSuite({ target, expectLimits: false, suite, ...noticing(io) }))];
}

function formatOf(text = 'table'): DiffFormat {
  const format = diffFormats.find((each) => each === text);
  if (format === undefined) {
    throw new UsageError(`--format is one of ${diffFormats.join(', ')}, not ${text}.`);
  }
  return format;
}
