// `contract`: runs the suite, records, compares, learns and describes. Words and printing; the work is in
// src/contract.
import { headerOf } from '../../contract/exchange.ts';
import { reportFormats, writeReport } from '../../contract/report/formats.ts';
import { hasFailed, runSuite } from '../../contract/run-suite.ts';
import { NoAnswer, sendRequest } from '../../contract/send-request.ts';
import type { Target } from '../../contract/target.ts';
import { type Command, type CommandContext, exitCodes, type ParsedWords } from '../command.ts';
import { printable } from '../print.ts';
import { describeCommand, learnCommand } from './describe.ts';
import { diffCommand, recordCommand } from './recordings.ts';
import {
  formatOf,
  isColoured,
  outOption,
  printOrWrite,
  targetOf,
  targetOptions,
  visibleSleep,
  waitNotice,
} from './words.ts';

const contractCommand: Command = {
  name: 'contract',
  summary: 'Checks any server that claims this API.',
  usage: '--url URL [options], with the keys in TARGET_PUBLIC_KEY and TARGET_SECRET_KEY',
  options: {
    ...targetOptions,
    'expect-limits': { flag: 'reach the rate limits and judge the 429s' },
    format: `${reportFormats.join(', ')} (--json for json)`,
    ...outOption,
  },
  run: runContract,
};

export const contractCommands = [contractCommand, recordCommand, diffCommand, learnCommand, describeCommand];

/** Runs the whole suite; 1 when something required fails. */
async function runContract(io: CommandContext, words: ParsedWords): Promise<number> {
  const format = formatOf(words, reportFormats);
  const target = targetOf(words, io);
  if (!(await canBeReached(target, io))) return exitCodes.failed;
  const report = await runSuite({
    target,
    expectLimits: words.flag('expect-limits'),
    sleep: visibleSleep(io),
    now: Date.now,
    onWait: waitNotice(io),
    onResult(result, done, all) {
      if (io.isTerminal) io.err(`\r\u001b[2K[${done}/${all}] ${result.check.name}`);
    },
  });
  if (io.isTerminal) io.err('\r\u001b[2K');
  await printOrWrite(writeReport(report, format, isColoured(words, io)), words.text('out'), io);
  return hasFailed(report) ? exitCodes.failed : exitCodes.fine;
}

/** One request before the many: a server that is not there, or that is elsewhere, is said once. */
async function canBeReached(target: Target, io: CommandContext): Promise<boolean> {
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
