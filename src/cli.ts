#!/usr/bin/env node
// The entry of the command line: checks the Node version before anything else is loaded, then runs one
// command.
import './require-node.js';
import './compile-cache.js';
import { text } from 'node:stream/consumers';

const { runCommandLine } = await import('./cli/run.ts');
const { askAtTerminal } = await import('./cli/ask.ts');
const { readEnvironment } = await import('./program/environment.ts');
const { startFailure } = await import('./program/start-failure.ts');
try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env: readEnvironment(),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    readInput: () => text(process.stdin),
    ask: process.stdin.isTTY === true && process.stderr.isTTY === true ? askAtTerminal : undefined,
  });
} catch (error) {
  const { code, sentence } = startFailure(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}
