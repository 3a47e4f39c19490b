// `contract`: runs the suite, records, compares, learns and describes. Words and printing; the work is in
// src/contract.
import { headerOf } from '../../contract/exchange.ts';
import { reportFormats, writeReport } from '../../contract/report/formats.ts';
import { hasFailed, runSuite } from '../../contract/run-suite.ts';
import { NoAnswer, sendRequest } from '../../contract/send-request.ts';
import type { Target } from '../../contract/target.ts';
import { type Command, type CommandContext, exitCodes, UsageError } from '../command.ts';
import { printable } from '../print.ts';
import { contractDescribe, contractLearn } from './describe.ts';
import { contractDiff, contractRecord } from './recordings.ts';
import {
  type ContractIo,
  type ContractWords,
  formatOf,
  isColoured,
  printOrWrite,
  readContractWords,
  targetOf,
  visibleSleep,
  waitNotice,
} from './words.ts';

const contractUsage = `Runs the contract suite against any server that claims this API.

Usage: TARGET_PUBLIC_KEY=… TARGET_SECRET_KEY=… notifier contract --url URL [options]
       notifier contract record --out FILE --url URL … | --har FILE [--url URL …]
       notifier contract diff A.jsonl B.jsonl | A.jsonl --against URL [--dialect FILE]
       notifier contract learn PLUGIN.jsonl [--describe INDEX.json | --url URL] [--out FILE]
       notifier contract describe --url URL

  --url URL            the site, or its API's address up to /wp-json/notifier/v1 (or TARGET_URL)
  --public-key KEY     of a project at that site (or TARGET_PUBLIC_KEY); its secret key is
                       TARGET_SECRET_KEY alone
  --domain HOST        a domain with bug reports on (or TARGET_DOMAIN)
  --domain-off HOST    a domain without (default: one that nobody has)
  --proof-domain HOST  the name for the one proof that is made
  --expect-limits      reach the rate limits and judge the 429s
  --format FORMAT      table, junit, ctrf, json or markdown (--json for json)
  --out FILE           where to write (default: standard output)
  --against URL        diff: the second server
  --har FILE           record: the requests of a browser's HAR file
  --describe FILE      learn: the namespace index, as saved from /wp-json/notifier/v1
  --dialect FILE       diff: say which differences that dialect covers
  --name NAME          learn: a name for the dialect
`;

/**
 * Runs one `contract` command line (without the word itself). Answers 0, 1 when something required fails or
 * two recordings differ, 2 for wrong words.
 */
export async function contract(argv: readonly string[], io: ContractIo): Promise<number> {
  try {
    const words = readContractWords(argv);
    if (words.values.help === true) {
      io.out(contractUsage);
      return exitCodes.fine;
    }
    const [verb] = words.positionals;
    const run = verb === undefined ? contractRun : verbs[verb];
    if (run === undefined) throw new UsageError(`There is no "contract ${verb}".`);
    return await run(words, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`${error.message}\n\n${contractUsage}`);
    return exitCodes.usage;
  }
}

type Verb = (words: ContractWords, io: ContractIo) => Promise<number>;

const verbs: Readonly<Record<string, Verb | undefined>> = Object.assign(Object.create(null), {
  record: contractRecord,
  diff: contractDiff,
  learn: contractLearn,
  describe: contractDescribe,
});

export const contractCommand: Command = {
  name: 'contract',
  summary: 'Checks any server that claims this API; records, compares and learns.',
  usage: '--url URL [options], with the keys in TARGET_PUBLIC_KEY and TARGET_SECRET_KEY',
  run: async () => exitCodes.usage,
  passThrough: (argv: string[], context: CommandContext) => contract(argv, context),
};

/** Runs the whole suite; 1 when something required fails. */
async function contractRun(words: ContractWords, io: ContractIo): Promise<number> {
  const format = formatOf(words, reportFormats);
  const target = targetOf(words, io);
  if (!(await canBeReached(target, io))) return exitCodes.failed;
  const report = await runSuite({
    target,
    expectLimits: words.values['expect-limits'] === true,
    sleep: visibleSleep(io),
    now: Date.now,
    onWait: waitNotice(io),
    onResult(result, done, all) {
      if (io.isTerminal) io.err(`\r\u001b[2K[${done}/${all}] ${result.check.name}`);
    },
  });
  if (io.isTerminal) io.err('\r\u001b[2K');
  await printOrWrite(writeReport(report, format, isColoured(words, io)), words.values.out, io);
  return hasFailed(report) ? exitCodes.failed : exitCodes.fine;
}

/** One request before the many: a server that is not there, or that is elsewhere, is said once. */
async function canBeReached(target: Target, io: ContractIo): Promise<boolean> {
  try {
    const { answer } = await sendRequest('reach', {
      method: 'GET',
      url: target.siteUrl,
      target: `${target.siteUrl.pathname.replace(/\/$/, '')}/wp-json/notifier/v1`,
      headers: [],
      body: Buffer.alloc(0),
    });
    const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'Location') : null;
    if (location === null) return true;
    io.err(`${target.siteUrl.host} sends us elsewhere: give that as --url: ${printable(location)}\n`);
    return false;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    io.err(`${printable(error.message)}\n`);
    return false;
  }
}
