// The server as the shipped unit starts it, with its words to Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const start = /^ExecStart=\/usr\/bin\/node (.*) dist\/src\/server\.js$/m;

/** Program and words; of the sources, so that nothing need be built. Throws where there is no such line. */
export function unitCommand(): [program: string, ...words: string[]] {
  const [, words] = start.exec(readFileSync(join(repository, 'deploy/notifier.service'), 'utf8')) ?? [];
  if (words === undefined) throw new Error('The unit does not start dist/src/server.js.');
  return [process.execPath, ...words.split(' '), join(repository, 'src/server.ts')];
}
