import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { silentLog } from '../../app/log.ts';
import { parseProfile } from '../../compatibility/profile-lookup.ts';
import { deriveProfile } from '../../contract/derive-profile.ts';
import { type Difference, diffRecordings } from '../../contract/diff.ts';
import {
  type Answer,
  headerOf,
  jsonOf,
  type RecordedExchange,
  readRecording,
  writeRecording,
} from '../../contract/exchange.ts';
import { readHar } from '../../contract/har.ts';
import {
  diffIndexes,
  type IndexDifference,
  type IndexRoute,
  readIndex,
} from '../../contract/namespace-index.ts';
import { type RecordOptions, recordSuite, suiteOfRecording } from '../../contract/record.ts';
import { diffFormats, writeDifferences } from '../../contract/report/differences.ts';
import { reportFormats, writeReport } from '../../contract/report/formats.ts';
import { hasFailed, runSuite } from '../../contract/run-suite.ts';
import { createServer, NoResponseError, sendRequest } from '../../contract/send-request.ts';
import { isCoveredByProfile } from '../../contract/situations.ts';
import { wholeSuite } from '../../contract/suite/whole.ts';
import type { Target } from '../../contract/target.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
  exitCodes,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import { formatTable, sanitizeForTerminal } from '../print.ts';
import {
  hasColours,
  outOption,
  parseFormat,
  parseSiteUrl,
  parseTarget,
  printOrWrite,
  sleepWithCountdown,
  targetOptions,
  waitNotice,
} from './options.ts';

const recordCommand: Command = {
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

const diffCommand: Command = {
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

async function record(io: CommandContext, args: ParsedArgs): Promise<CommandResult> {
  const [outFile, har, url] = [args.text('out'), args.text('har'), args.text('url')];
  if (outFile === undefined) throw new UsageError('Enter an output file with --out FILE.');
  const recorded =
    har === undefined
      ? await recordSuiteExchanges(args, io)
      : await recordPageExchanges(await readPage(har), args, io);
  await writeFile(outFile, writeRecording(recorded), { mode: 0o600 });
  const from = har === undefined || url !== undefined ? 'with the server' : 'from the HAR file';
  const text = `${recorded.length} exchanges ${from} saved to ${outFile}`;
  return { json: { exchanges: recorded.length, out: outFile }, text };
}

function recordSuiteExchanges(args: ParsedArgs, io: CommandContext): Promise<RecordedExchange[]> {
  const expectLimits = args.flag('expect-limits');
  return recordSuite({
    target: parseTarget(args, io, { fresh: true }),
    expectLimits,
    ...progressOptions(io),
  });
}

/** The recorded responses of the page, or those of the given server to the same requests. */
async function recordPageExchanges(
  page: readonly RecordedExchange[],
  args: ParsedArgs,
  io: CommandContext,
): Promise<RecordedExchange[]> {
  if (args.text('url') === undefined) return [...page];
  const target = parseTarget(args, io);
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
async function diff(io: CommandContext, args: ParsedArgs): Promise<number> {
  const [first, second] = args.positionals;
  const [otherUrl, dialectFile] = [args.text('against'), args.text('dialect')];
  if (first === undefined || (second === undefined) === (otherUrl === undefined)) {
    throw new UsageError('Enter two recordings, or one recording and --against URL.');
  }
  const format = parseFormat(args, diffFormats);
  const left = await readRecordingFile(first);
  const right = second === undefined ? await recordAgain(left, args, io) : await readRecordingFile(second);
  const dialect = dialectFile === undefined ? null : parseProfile(await readFile(dialectFile, 'utf8'));
  const differences = diffRecordings(left, right);
  const covered = dialect === null ? null : (each: Difference) => isCoveredByProfile(each, dialect);
  const coloured = hasColours(args, io);
  const text = writeDifferences(differences, { format, coloured, compared: left.length, covered });
  await printOrWrite(text, args.text('out'), io);
  const counted = differences.filter((each) => !each.volatile && (covered === null || covered(each)));
  return counted.length === 0 ? exitCodes.fine : exitCodes.failed;
}

async function readRecordingFile(file: string): Promise<RecordedExchange[]> {
  try {
    return readRecording(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Requests of the suite are built again with ids of this server; other requests are sent as recorded. */
async function recordAgain(
  left: readonly RecordedExchange[],
  args: ParsedArgs,
  io: CommandContext,
): Promise<RecordedExchange[]> {
  const target = parseTarget(args, io, { url: args.text('against'), fresh: true });
  const known = new Set(wholeSuite.requests.map((request) => request.name));
  const only = new Set(left.map((each) => each.id).filter((id) => known.has(id)));
  const expectLimits = [...only].some((name) => name.startsWith('limit-'));
  const ofSuite = await recordSuite({ target, expectLimits, only, ...progressOptions(io) });
  const suite = suiteOfRecording(left.filter((each) => !known.has(each.id)));
  return [...ofSuite, ...(await recordSuite({ target, expectLimits: false, suite, ...progressOptions(io) }))];
}

const describeFormats = ['table', 'json'] as const;

const learnCommand: Command = {
  name: 'contract learn',
  summary: 'Create a compatibility profile from a recording of the original plugin.',
  usage: 'PLUGIN.jsonl [--describe INDEX.json | --url URL] [--out FILE]',
  options: {
    url: targetOptions.url,
    describe: 'the namespace index, saved from /wp-json/notifier/v1',
    name: 'name of the compatibility profile',
    ...outOption,
  },
  run: learn,
};

const describeCommand: Command = {
  name: 'contract describe',
  summary: 'Compare the routes, methods and arguments that another server publishes with ours.',
  usage: '--url URL',
  options: {
    url: targetOptions.url,
    against: 'server to compare with (default: this program)',
    format: 'table or json (--json for json)',
    ...outOption,
  },
  run: describe,
};

const contractCommand: Command = {
  name: 'contract',
  summary: 'Test whether a server implements this API.',
  usage: '--url URL [options], with the keys in TARGET_PUBLIC_KEY and TARGET_SECRET_KEY',
  options: {
    ...targetOptions,
    'expect-limits': { flag: 'send until the rate limits are reached, and check the 429 responses' },
    format: `${reportFormats.join(', ')} (--json for json)`,
    ...outOption,
  },
  run: runContract,
};

export const contractCommands = [contractCommand, recordCommand, diffCommand, learnCommand, describeCommand];

/** Runs the whole suite. Exit code 1 if a required case fails. */
async function runContract(io: CommandContext, args: ParsedArgs): Promise<number> {
  const format = parseFormat(args, reportFormats);
  const target = parseTarget(args, io);
  if (!(await isReachable(target, io))) return exitCodes.failed;
  const report = await runSuite({
    target,
    expectLimits: args.flag('expect-limits'),
    sleep: sleepWithCountdown(io),
    now: Date.now,
    onWait: waitNotice(io),
    onResult(result, done, all) {
      if (io.isTerminal) io.err(`\r\u001b[2K[${done}/${all}] ${result.check.name}`);
    },
  });
  if (io.isTerminal) io.err('\r\u001b[2K');
  await printOrWrite(writeReport(report, format, hasColours(args, io)), args.text('out'), io);
  return hasFailed(report) ? exitCodes.failed : exitCodes.fine;
}

/** Sends one request first, so that an unreachable server is reported once and not for every case. */
async function isReachable(target: Target, io: CommandContext): Promise<boolean> {
  try {
    const answer = await requestIndex(target.siteUrl);
    const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'Location') : null;
    if (location === null) return true;
    io.err(
      `${target.siteUrl.host} redirects to another server. To test that one, use it as --url: ${sanitizeForTerminal(location)}\n`,
    );
    return false;
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    io.err(`${sanitizeForTerminal(error.message)}\n`);
    return false;
  }
}

/** Prints the differences. The exit code is 0 even if there are some. */
async function describe(io: CommandContext, args: ParsedArgs): Promise<number> {
  const format = parseFormat(args, describeFormats);
  const site = parseSiteUrl(args.text('url'), io);
  const routes = readIndex(await fetchIndex(site));
  if (routes === null) throw new CommandError(`${site.href} did not return a namespace index.`);
  const otherUrl = args.text('against');
  const otherIndex =
    otherUrl === undefined ? await getOwnIndex() : await fetchIndex(parseSiteUrl(otherUrl, io));
  const differences = diffIndexes(routes, readIndex(otherIndex) ?? []);
  const text =
    format === 'json'
      ? `${JSON.stringify({ routes, differences }, null, 2)}\n`
      : formatDifferences(routes, differences);
  await printOrWrite(text, args.text('out'), io);
  return exitCodes.fine;
}

/** The namespace index of this program, from an app on a temporary store. */
async function getOwnIndex(): Promise<unknown> {
  const { createApp } = await import('../../app/app.ts');
  const { openDeps } = await import('../../app/open-deps.ts');
  const { deps, close } = await openDeps(
    { DATABASE_URL: 'sqlite::memory:', RATE_LIMITS: 'off' },
    { log: silentLog },
  );
  const server = createServer();
  createApp(deps).attach(server);
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}/wp-json/notifier/v1`)).json();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close();
  }
}

async function requestIndex(url: URL): Promise<Answer> {
  const target = `${url.pathname.replace(/\/$/, '')}/wp-json/notifier/v1`;
  const request = { method: 'GET', url, target, headers: [], body: Buffer.alloc(0) };
  return (await sendRequest('namespace-index', request)).answer;
}

/** The JSON of a site's namespace index. Throws CommandError if there is none. */
async function fetchIndex(siteUrl: URL): Promise<unknown> {
  const answer = await requestIndex(siteUrl);
  if (answer.status === 200 && answer.json !== undefined) return answer.json;
  const type = headerOf(answer, 'Content-Type') ?? 'no type';
  throw new CommandError(
    `The namespace index of ${siteUrl.href} returned status ${answer.status} (${sanitizeForTerminal(type)}).`,
  );
}

function formatDifferences(routes: readonly IndexRoute[], differences: readonly IndexDifference[]): string {
  const heading = `The other server publishes ${routes.length} routes.`;
  if (differences.length === 0) return `${heading} They match ours.\n`;
  const missing = differences.filter((each) => each.argument === '');
  const rows = differences.filter((each) => each.argument !== '');
  const listed = (title: string, list: readonly IndexDifference[]) =>
    list.length === 0
      ? ''
      : `${title}\n${list.map((each) => `  ${sanitizeForTerminal(each.route)}`).join('\n')}\n\n`;
  const args = formatTable(
    ['Route', 'Argument', 'Keyword', 'Other server', 'This program'],
    rows.map((each) => [each.route, each.argument, each.keyword, each.there || null, each.here || null]),
  );
  return [
    `${heading}\n\n`,
    listed(
      'Only on the other server:',
      missing.filter((each) => each.here === ''),
    ),
    listed(
      'Only in this program:',
      missing.filter((each) => each.there === ''),
    ),
    rows.length === 0 ? '' : `${args}\n`,
  ].join('');
}

/** Writes the profile file. What cannot be learned from the recording is printed to stderr. */
async function learn(io: CommandContext, args: ParsedArgs): Promise<number> {
  const [file = ''] = args.positionals;
  const recording = await readRecordingFile(file);
  const index = await readOrFetchIndex(args, io);
  const name = args.text('name') ?? basename(file).replace(/\.jsonl$/, '');
  const { profile: dialect, notes } = deriveProfile(recording, { name, index });
  for (const note of notes) io.err(`${note}\n`);
  await printOrWrite(`${JSON.stringify(dialect, null, 2)}\n`, args.text('out'), io);
  return exitCodes.fine;
}

async function readOrFetchIndex(args: ParsedArgs, io: CommandContext): Promise<unknown> {
  const [describe, url] = [args.text('describe'), args.text('url')];
  if (describe !== undefined) {
    const index = jsonOf(await readFile(describe, 'utf8'));
    if (index === undefined) throw new CommandError(`${describe} is not JSON.`);
    return index;
  }
  return url === undefined ? null : fetchIndex(parseSiteUrl(url, io));
}
