// Reads tests/fixtures/strangers: real forms of secrets, and harmless texts that look similar.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/strangers');

/** `secrets` must be scrubbed from `text`. */
export interface StrangersKind {
  readonly kind: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** Blocks begin with `=== name`; « » mark secrets. Middle dots, removed here, hide tokens from scanners. */
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

export function strangersLines(file: string): string[] {
  return read(file).split('\n').filter(Boolean);
}

/** Harmless texts of several lines, each after `=== name`. */
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
