import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');
const start = /^ExecStart=\/usr\/bin\/node (.*) dist\/src\/server\.js$/m;

/** The command of deploy/notifier.service, with sources instead of dist. */
export function unitCommand(): [program: string, ...words: string[]] {
  const [, words] = start.exec(readFileSync(join(repository, 'deploy/notifier.service'), 'utf8')) ?? [];
  if (words === undefined) throw new Error('The unit does not start dist/src/server.js.');
  return [process.execPath, ...words.split(' '), join(repository, 'src/server.ts')];
}
