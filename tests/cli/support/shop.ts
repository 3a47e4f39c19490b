// What tests of `export` and `import` begin with: command lines on databases of their own, the rules of a
// database at the time of the tests, and the lines that go from one to the other.

import { silentLog } from '../../../src/app/log.ts';
import { openDeps } from '../../../src/app/open-deps.ts';
import type { Deps } from '../../../src/core/deps.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { type Finished, runLine } from '../../support/command-line.ts';

/** When everything happened. */
export const atMs = Date.UTC(2026, 9, 1, 12);

/** Runs one command on a database. */
export function notifier(databaseUrl: string, ...words: string[]): Promise<Finished> {
  return runLine(databaseUrl, words);
}

/** The rules on a database. */
export async function withDeps<Result>(
  databaseUrl: string,
  act: (deps: Deps) => Promise<Result>,
  nowMs = atMs,
): Promise<Result> {
  const { deps, close } = await openDeps({ DATABASE_URL: databaseUrl }, { log: silentLog, now: () => nowMs });
  try {
    return await act(deps);
  } finally {
    await close();
  }
}

/** The rules on a database, with its project `shop`. */
export function withShop<Result>(
  databaseUrl: string,
  act: (deps: Deps, project: Project) => Promise<Result>,
): Promise<Result> {
  return withDeps(databaseUrl, async (deps) => {
    const project = await deps.store.findProjectByName('shop');
    if (project === null) throw new Error('no project');
    return act(deps, project);
  });
}

/** A line of an export. */
export interface Read {
  readonly type: string;
  readonly project: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what is read is looked at member by member.
  readonly data: any;
}

/** The lines of an export, read. */
export function linesIn(text: string): Read[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);
}
