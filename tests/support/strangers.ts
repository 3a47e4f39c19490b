// The texts of strangers in tests/fixtures/strangers: real forms of secrets, and harmless texts that look
// like them. No rule lives here and no text is read for its meaning.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/strangers');

/** A text with secrets in it: `text` as a program would send it, `secrets` what must not stay. */
export interface StrangersKind {
  readonly kind: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * The kinds of a file: each begins with `=== its name`, then its text, in which « and » stand around each
 * secret and a middle dot keeps a provider's token from being one in this repository.
 */
export function strangersKinds(file: string): StrangersKind[] {
  return blocksOf(file).map(({ name, text }) => {
    const plain = text.replaceAll('·', '');
    return {
      kind: name,
      text: plain.replace(/[«»]/gu, ''),
      secrets: [...plain.matchAll(/«([^»]+)»/gu)].map(([, secret]) => secret ?? ''),
    };
  });
}

/** The harmless texts of a file, one a line. */
export function strangersLines(file: string): string[] {
  return read(file).split('\n').filter(Boolean);
}

/** The harmless texts of a file that have more than one line: each begins with `=== its name`. */
export function strangersTexts(file: string): string[] {
  return blocksOf(file).map((block) => block.text);
}

function blocksOf(file: string): { name: string; text: string }[] {
  return read(file)
    .split(/^=== /mu)
    .filter(Boolean)
    .map((block) => {
      const end = block.indexOf('\n');
      return { name: block.slice(0, end), text: block.slice(end + 1).replace(/\n$/u, '') };
    });
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
