// `contract learn`: a dialect file from a recording, with the arguments of the namespace index.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { jsonOf } from '../../contract/exchange.ts';
import { learnDialect } from '../../contract/learn.ts';
import { CommandFailure, exitCodes, UsageError } from '../command.ts';
import { indexAt } from './describe.ts';
import { recordingIn } from './diff.ts';
import { type ContractIo, type ContractWords, printOrWrite, siteUrlOf } from './words.ts';

/** Writes the dialect; what was seen and cannot be learned is said on standard error. */
export async function contractLearn(words: ContractWords, io: ContractIo): Promise<number> {
  const [, file] = words.positionals;
  if (file === undefined) throw new UsageError('Learn from what? Give a recording.');
  const recording = await recordingIn(file);
  const index = await indexFor(words, io);
  const name = words.values.name ?? basename(file).replace(/\.jsonl$/, '');
  const { dialect, notes } = learnDialect(recording, { name, index });
  for (const note of notes) io.err(`${note}\n`);
  await printOrWrite(`${JSON.stringify(dialect, null, 2)}\n`, words.values.out, io);
  return exitCodes.fine;
}

async function indexFor(words: ContractWords, io: ContractIo): Promise<unknown> {
  const { describe, url } = words.values;
  if (describe !== undefined) {
    const index = jsonOf(await readFile(describe, 'utf8'));
    if (index === undefined) throw new CommandFailure(`${describe} is not JSON.`);
    return index;
  }
  return url === undefined ? null : indexAt(siteUrlOf(url, io));
}
