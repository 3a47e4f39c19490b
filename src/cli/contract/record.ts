// `contract record`: the suite's exchanges with one server into a file, or those of a page that a browser's
// HAR file holds.
import { readFile, writeFile } from 'node:fs/promises';
import { type RecordedExchange, writeRecording } from '../../contract/exchange.ts';
import { readHar } from '../../contract/har.ts';
import { type RecordOptions, recordSuite, suiteOfRecording } from '../../contract/record.ts';
import { CommandFailure, exitCodes, printJson, UsageError } from '../command.ts';
import { type ContractIo, type ContractWords, targetOf, visibleSleep, waitNotice } from './words.ts';

/** Writes a recording; keys are masked in it. */
export async function contractRecord(words: ContractWords, io: ContractIo): Promise<number> {
  const { out, har, url } = words.values;
  if (out === undefined) throw new UsageError('Where to? Give --out FILE.');
  const recorded =
    har === undefined ? await recordOfSuite(words, io) : await recordOfPage(await readPage(har), words, io);
  await writeFile(out, writeRecording(recorded), { mode: 0o600 });
  const from = har === undefined || url !== undefined ? 'with the server' : 'as the page had them';
  if (words.values.json === true) printJson(io, { exchanges: recorded.length, out });
  else io.out(`${recorded.length} exchanges ${from} in ${out}\n`);
  return exitCodes.fine;
}

function recordOfSuite(words: ContractWords, io: ContractIo): Promise<RecordedExchange[]> {
  const expectLimits = words.values['expect-limits'] === true;
  return recordSuite({ target: targetOf(words, io, { fresh: true }), expectLimits, ...noticing(io) });
}

/** What the page was answered; or, where a server is named, what that one answers to the same requests. */
async function recordOfPage(
  page: readonly RecordedExchange[],
  words: ContractWords,
  io: ContractIo,
): Promise<RecordedExchange[]> {
  if (words.values.url === undefined) return [...page];
  const target = targetOf(words, io);
  return recordSuite({ target, expectLimits: false, suite: suiteOfRecording(page), ...noticing(io) });
}

async function readPage(file: string): Promise<RecordedExchange[]> {
  const page = readHar(await readFile(file, 'utf8'));
  if (page.length === 0) throw new CommandFailure(`${file} holds no request to notifier/v1.`);
  return page;
}

/** Real time, and a word for each wait and each exchange. */
export function noticing(io: ContractIo): Pick<RecordOptions, 'sleep' | 'now' | 'onWait' | 'onExchange'> {
  return { sleep: visibleSleep(io), now: Date.now, onWait: waitNotice(io), onExchange: exchangeNotice(io) };
}

/** Progress on a terminal: one line that is written over. */
function exchangeNotice(io: ContractIo): (name: string, done: number, all: number) => void {
  return (name, done, all) => {
    if (!io.isTerminal) return;
    io.err(done === all ? '\r\u001b[2K' : `\r\u001b[2K[${done}/${all}] ${name}`);
  };
}
