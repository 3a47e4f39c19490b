// `serve`: the same as npm start.
import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server (npm start does the same).',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  hasJson: false,
  async run(context) {
    // Loaded here: no other command needs the server and its pages, which are most of the program.
    const { serve } = await import('../program/serve.ts');
    const { writeStandardOutput } = await import('../program/standard-output.ts');
    return serve(() => context.env, { write: writeStandardOutput }, process.stderr);
  },
};
