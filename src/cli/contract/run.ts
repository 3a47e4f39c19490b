// `contract`: the suite against one server, progress on standard error, the report where it is wanted.
import { headerOf } from '../../contract/exchange.ts';
import { type ReportFormat, reportFormats, writeReport } from '../../contract/report/formats.ts';
import { hasFailed, runSuite } from '../../contract/run-suite.ts';
import { NoAnswer, sendRequest } from '../../contract/send-request.ts';
import type { Target } from '../../contract/target.ts';
import { exitCodes, printable, UsageError } from '../command.ts';
import {
  type ContractIo,
  type ContractWords,
  printOrWrite,
  targetOf,
  visibleSleep,
  waitNotice,
} from './words.ts';

/** Runs the whole suite; 1 when something required fails. */
export async function contractRun(words: ContractWords, io: ContractIo): Promise<number> {
  const format = formatOf(words.values.format);
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
  const toFile = words.values.out !== undefined;
  const coloured = io.isTerminal && !toFile && (io.env['NO_COLOR'] ?? '') === '';
  await printOrWrite(writeReport(report, format, coloured), words.values.out, io);
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

function formatOf(text = 'table'): ReportFormat {
  const format = reportFormats.find((each) => each === text);
  if (format === undefined) {
    throw new UsageError(`--format is one of ${reportFormats.join(', ')}, not ${text}.`);
  }
  return format;
}
