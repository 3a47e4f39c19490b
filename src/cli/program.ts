// `serve` and `version`: the program itself.
import { programVersion } from '../program/version.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server (npm start does the same).',
  hasJson: false,
  async run(context) {
    // Loaded here: no other command needs the server and its pages, which are most of the program.
    const { serve } = await import('../program/serve.ts');
    const { writeStandardOutput } = await import('../program/standard-output.ts');
    return serve(() => context.env, { write: writeStandardOutput }, process.stderr);
  },
};

export const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version of the program and of Node.',
  async run() {
    const versions = { notifier: programVersion(), node: process.versions.node };
    return { json: versions, text: `notifier ${versions.notifier}, Node ${versions.node}` };
  },
};
