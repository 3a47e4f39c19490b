import { it } from '@jest/globals';
import { commands } from '../../src/cli/run.ts';
import { testCommandLine } from '../support/command-line.ts';
import { expectGolden } from './golden.ts';

it('the help of every command is the stored one', async () => {
  const { notifier, remove } = testCommandLine();
  const told: string[] = [];
  for (const command of [null, ...commands]) {
    const line = command === null ? '--help' : `${command.name} --help`;
    const { code, out, err } = await notifier(line);
    const creates = command?.onlyReads === true ? 'creates no database\n' : '';
    told.push(`$ notifier ${line}\n${code}\n${creates}${out}${err}`);
  }
  remove();
  expectGolden('help.txt', told.join('\n'));
});
