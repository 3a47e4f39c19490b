// Reads the demo tour of docs/workspace.md: screenshots and the links to click.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DemoTourStep {
  readonly picture: string;
  readonly click: string | null;
}

export const demoTourStart = '/demo/monitors';

const page = join(import.meta.dirname, '..', 'docs', 'workspace.md');

export function readDemoTour(): DemoTourStep[] {
  return readFileSync(page, 'utf8')
    .split(/^## /m)
    .flatMap((part) => {
      const picture = /\]\(screenshots\/([\w.-]+)\)/.exec(part)?.[1];
      if (picture === undefined) return [];
      return [{ picture, click: /Click \*\*([^*]+)\*\*/.exec(part)?.[1] ?? null }];
    });
}
