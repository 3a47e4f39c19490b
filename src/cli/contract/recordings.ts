import { readFile, writeFile } from 'node:fs/promises';
import { parseProfile } from '../../compatibility/profile-lookup.ts';
import { type Difference, diffRecordings } from '../../contract/diff.ts';
import { type RecordedExchange, readRecording, writeRecording } from '../../contract/exchange.ts';
import { readHar } from '../../contract/har.ts';
import { isCoveredByProfile } from '../../contract/profile-coverage.ts';
import { type RecordOptions, recordSuite, suiteOfRecording } from '../../contract/record.ts';
import { diffFormats, writeDifferences } from '../../contract/report/differences.ts';
import { wholeSuite } from '../../contract/suite/whole.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
  exitCodes,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import {
  hasColours,
  outOption,
  parseFormat,
  parseTarget,
  printOrWrite,
  sleepWithCountdown,
  targetOptions,
  waitNotice,
} from './options.ts';

export const recordCommand: Command = {
  name: 'contract record',
  summary: "Record the test suite's requests and responses, or those of a web page, to a file.",
  usage: '--out FILE (--url URL … | --har FILE [--url URL …])',
  options: {
    ...targetOptions,
    har: 'read the requests from a HAR file of a browser',
    'expect-limits': { flag: 'send until the rate limits are reached, and check the 429 responses' },
    out: 'output file',
  },
  run: record,
};

export const diffCommand: Command = {
  name: 'contract diff',
  summary: 'Compare two recordings, or a recording with the current responses of a server.',
  usage: 'A.jsonl [B.jsonl] [--against URL] [--dialect FILE]',
  options: {
    ...targetOptions,
    against: 'server to compare with',
    dialect: 'show which differences this compatibility profile covers',
    format: `${diffFormats.join(', ')} (--json for json)`,
    ...outOption,
  },
  run: diff,
};

async function record(io: CommandContext, words: ParsedArgs): Promise<CommandResult> {
  const [out, har, url] = [words.text('out'), words.text('har'), words.text('url')];
  if (out === undefined) throw new UsageError('Enter an output file with --out FILE.');
  const recorded =
    har === undefined
      ? await recordSuiteExchanges(words, io)
      : await recordPageExchanges(await readPage(har), words, io);
  await writeFile(out, writeRecording(recorded), { mode: 0o600 });
  const from = har === undefined || url !== undefined ? 'with the server' : 'from the HAR file';
  const text = `${recorded.length} exchanges ${from} saved to ${out}`;
  return { json: { exchanges: recorded.length, out }, text };
}

function recordSuiteExchanges(words: ParsedArgs, io: CommandContext): Promise<RecordedExchange[]> {
  const expectLimits = words.flag('expect-limits');
  return recordSuite({
    target: parseTarget(words, io, { fresh: true }),
    expectLimits,
    ...progressOptions(io),
  });
}

/** The recorded responses of the page, or those of the given server to the same requests. */
async function recordPageExchanges(
  page: readonly RecordedExchange[],
  words: ParsedArgs,
  io: CommandContext,
): Promise<RecordedExchange[]> {
  if (words.text('url') === undefined) return [...page];
  const target = parseTarget(words, io);
  return recordSuite({ target, expectLimits: false, suite: suiteOfRecording(page), ...progressOptions(io) });
}

async function readPage(file: string): Promise<RecordedExchange[]> {
  const page = readHar(await readFile(file, 'utf8'));
  if (page.length === 0) throw new CommandError(`${file} contains no requests to notifier/v1.`);
  return page;
}

function progressOptions(io: CommandContext): Pick<RecordOptions, 'sleep' | 'now' | 'onWait' | 'onExchange'> {
  return {
    sleep: sleepWithCountdown(io),
    now: Date.now,
    onWait: waitNotice(io),
    onExchange: exchangeNotice(io),
  };
}

function exchangeNotice(io: CommandContext): (name: string, done: number, all: number) => void {
  return (name, done, all) => {
    if (!io.isTerminal) return;
    io.err(done === all ? '\r\u001b[2K' : `\r\u001b[2K[${done}/${all}] ${name}`);
  };
}

/** Exit code 1 if they differ in more than ids, times and tokens that `--dialect` does not allow. */
async function diff(io: CommandContext, words: ParsedArgs): Promise<number> {
  const [first, second] = words.positionals;
  const [against, dialectFile] = [words.text('against'), words.text('dialect')];
  if (first === undefined || (second === undefined) === (against === undefined)) {
    throw new UsageError('Enter two recordings, or one recording and --against URL.');
  }
  const format = parseFormat(words, diffFormats);
  const left = await readRecordingFile(first);
  const right = second === undefined ? await recordAgain(left, words, io) : await readRecordingFile(second);
  const dialect = dialectFile === undefined ? null : parseProfile(await readFile(dialectFile, 'utf8'));
  const differences = diffRecordings(left, right);
  const covered = dialect === null ? null : (each: Difference) => isCoveredByProfile(each, dialect);
  const coloured = hasColours(words, io);
  const text = writeDifferences(differences, { format, coloured, compared: left.length, covered });
  await printOrWrite(text, words.text('out'), io);
  const counted = differences.filter((each) => !each.volatile && (covered === null || covered(each)));
  return counted.length === 0 ? exitCodes.fine : exitCodes.failed;
}

/** Throws UsageError if the file is not a recording. */
export async function readRecordingFile(file: string): Promise<RecordedExchange[]> {
  try {
    return readRecording(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Requests of the suite are built again with ids of this server; other requests are sent as recorded. */
async function recordAgain(
  left: readonly RecordedExchange[],
  words: ParsedArgs,
  io: CommandContext,
): Promise<RecordedExchange[]> {
  const target = parseTarget(words, io, { url: words.text('against'), fresh: true });
  const known = new Set(wholeSuite.requests.map((request) => request.name));
  const only = new Set(left.map((each) => each.id).filter((id) => known.has(id)));
  const expectLimits = [...only].some((name) => name.startsWith('limit-'));
  const ofSuite = await recordSuite({ target, expectLimits, only, ...progressOptions(io) });
  const suite = suiteOfRecording(left.filter((each) => !known.has(each.id)));
  return [...ofSuite, ...(await recordSuite({ target, expectLimits: false, suite, ...progressOptions(io) }))];
}
