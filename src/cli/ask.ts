// A question at the terminal: asked on stderr, so that stdout stays the product's.
import { createInterface } from 'node:readline/promises';

/** Asks and answers the line that was typed, trimmed; empty when the input ends instead. */
export async function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}
