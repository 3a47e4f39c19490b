#!/usr/bin/env node
// Checks the Node version before anything else is loaded.
import './require-node.js';
import './compile-cache.js';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';

const { runCommandLine } = await import('./cli/run.ts');
const { readEnvironment } = await import('./app/environment.ts');
const { toStartFailure: startFailure } = await import('./app/start-failure.ts');
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

async function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}
