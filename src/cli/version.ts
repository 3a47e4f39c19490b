// `version`: the program's, and what it runs on.
import { programVersion } from '../program/version.ts';
import { type Command, exitCodes } from './command.ts';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version of the program and of Node.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const versions = { notifier: programVersion(), node: process.versions.node };
    context.out(
      words.flag('json')
        ? `${JSON.stringify(versions)}\n`
        : `notifier ${versions.notifier}, Node ${versions.node}\n`,
    );
    return exitCodes.fine;
  },
};
