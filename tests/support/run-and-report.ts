// Child process of loaded-program.ts: runs commands and reports their results.

import { readEnvironment } from '../../src/app/environment.ts';
import { serve } from '../../src/app/serve.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Run } from './loaded-program.ts';

const handedOn = { ...process.env };
// Each start adds signal handlers.
process.setMaxListeners(0);

process.on('message', async ({ env, words }: Run) => {
  // Resets variables of the previous run and of `.env`.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, handedOn, env);
  const [outs, errs]: [string[], string[]] = [[], []];
  const out = (text: string): void => void outs.push(text);
  const err = (text: string): void => void errs.push(text);
  const code =
    words === null
      ? await serve(readEnvironment, { write: out }, { write: err })
      : await runCommandLine(words, { env: process.env, isTerminal: false, out, err });
  process.send?.({ code, out: outs.join(''), err: errs.join('') });
});
process.send?.('ready');
