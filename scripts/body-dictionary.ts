// node scripts/body-dictionary.ts FILE: trains a dictionary for the bodies of events and writes it. One that
// was released stays as it is, since bodies were made with it: a better one is the next file in
// src/core/events/dictionaries. Needs `zstd` (Debian's package of that name), which finds what samples have
// in common; deflate takes its text.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleTexts } from './body-dictionary/samples.ts';

/** With more, reading the dictionary takes longer than deflating an event of 2 KB. */
const dictionaryBytes = 4_096;
/** What zstd writes before the text, for itself; a little more than it takes. */
const headBytesMax = 304;

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node scripts/body-dictionary.ts FILE\n');
  process.exitCode = 64;
} else {
  writeFileSync(file, train(sampleTexts()));
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
      '--train-cover=k=64,d=8,steps=1',
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
