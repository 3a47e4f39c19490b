// Deleting a project with all that belongs to it: at once out of sight, then removed in slices beside a
// running server (D-92).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

/**
 * Removes all that is left of an ended project, slice by slice, and answers how many rows that was. May be
 * interrupted at any moment and called again. Between slices it waits as long as each took, so that a server
 * beside it gets its turns; `sleep` waits so many milliseconds, `onProgress` is told the rows removed so far.
 */
export async function removeProject(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: number,
  options: {
    readonly sleep: (milliseconds: number) => Promise<void>;
    readonly onProgress: (rows: number) => void;
  },
): Promise<number> {
  let rows = 0;
  for (;;) {
    const startedMs = deps.now();
    const { removed, done } = await deps.store.removeProjectSlice(projectId);
    rows += removed;
    if (done) return rows;
    options.onProgress(rows);
    await options.sleep(Math.max(1, deps.now() - startedMs));
  }
}

/**
 * Begins to remove what is left of an ended project, for which nobody waits. What a stop interrupts, the next
 * start goes on with, and every hour.
 */
export function removeBeside(deps: Pick<Deps, 'store' | 'now' | 'log'>, projectId: number): void {
  removeProject(deps, projectId, { sleep, onProgress: () => {} }).then(
    (rows) => deps.log.info({ projectId, rows }, 'project deleted'),
    (error: unknown) => deps.log.warn({ projectId, error: String(error) }, 'a project is not deleted yet'),
  );
}

/** Goes on with every deletion that was begun and did not end; answers how many rows went. */
export async function removeEnding(
  deps: Pick<Deps, 'store' | 'now'>,
  isOver: () => boolean,
): Promise<number> {
  let rows = 0;
  for (const { id } of await deps.store.listEndingProjects()) {
    for (let done = isOver(); !done; ) {
      const startedMs = deps.now();
      const slice = await deps.store.removeProjectSlice(id);
      rows += slice.removed;
      done = slice.done || isOver();
      await sleep(Math.max(1, deps.now() - startedMs));
    }
  }
  return rows;
}
