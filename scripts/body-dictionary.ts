// node scripts/body-dictionary.ts NAME: trains a dictionary for the bodies of short events, NAME.txt, and the
// codes of what is left to say, NAME.codes. What was released stays as it is, since bodies were made with it:
// better ones are the next files in src/core/events/dictionaries, with the next mark in
// src/core/events/pack.ts. Needs `zstd` (Debian's package of that name), which finds what samples have in
// common; deflate takes its text.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trainCodes } from './body-dictionary/codes.ts';
import { sampleTexts } from './body-dictionary/samples.ts';

/**
 * It is looked through once, at the start, so it may be large. Of 8, 16 and 24 KiB, in pieces of 32 to 1,024
 * bytes, this was among those that made the least of events they were not trained on.
 */
const dictionaryBytes = 24_576;
const pieceBytes = 512;
/** What zstd writes before the text, for itself; a little more than it takes. */
const headBytesMax = 304;

const [name] = process.argv.slice(2);
if (name === undefined) {
  process.stderr.write('Usage: node scripts/body-dictionary.ts NAME\n');
  process.exitCode = 64;
} else {
  const samples = sampleTexts();
  const dictionary = train(samples);
  writeFileSync(`${name}.txt`, dictionary);
  writeFileSync(`${name}.codes`, trainCodes(dictionary, samples));
}

function train(samples: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-dictionary-'));
  try {
    const files = samples.map((_, index) => join(folder, String(index)));
    for (const [index, path] of files.entries()) writeFileSync(path, samples[index] ?? '');
    // By name: in another order, or by several threads, the same samples make another dictionary.
    const list = join(folder, 'list');
    writeFileSync(list, files.join('\n'));
    const made = join(folder, 'dictionary');
    const size = `--maxdict=${dictionaryBytes + headBytesMax}`;
    const options = [
      `--train-cover=k=${pieceBytes},d=8,steps=1`,
      '-q',
      '-T1',
      size,
      '--dictID=1',
      '-o',
      made,
      '--filelist',
      list,
    ];
    const trained = spawnSync('zstd', options, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (trained.status !== 0) throw new Error('zstd made no dictionary.', { cause: trained.error });
    return readFileSync(made).subarray(-dictionaryBytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
