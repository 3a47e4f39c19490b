// The walk of docs/demo-walk.md: its pictures, and the words of the link that is clicked on each. The page is
// where it is told; pictures and tests follow what stands there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface WalkStep {
  /** The file below docs/screenshots/. */
  readonly picture: string;
  /** The words of the link; null where the walk ends. */
  readonly click: string | null;
}

/** Where the walk begins. */
export const walkBegin = '/demo/monitors';

const page = join(import.meta.dirname, '..', 'docs', 'demo-walk.md');

/** The steps, as the page has them. */
export function readWalk(): WalkStep[] {
  return readFileSync(page, 'utf8')
    .split(/^## /m)
    .flatMap((part) => {
      const picture = /\]\(screenshots\/([\w.-]+)\)/.exec(part)?.[1];
      if (picture === undefined) return [];
      return [{ picture, click: /Click \*\*([^*]+)\*\*/.exec(part)?.[1] ?? null }];
    });
}
