// `serve`: the same as npm start.
import { serve } from '../program/serve.ts';
import { writeStandardOutput } from '../program/standard-output.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server (npm start does the same).',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  hasJson: false,
  run: (context) => serve(() => context.env, { write: writeStandardOutput }, process.stderr),
};
