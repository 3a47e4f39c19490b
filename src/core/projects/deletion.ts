import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';

/** Returns the number of rows. Can be interrupted and repeated; pauses between slices for other queries. */
export async function removeProjectData(
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

/** Starts the removal in the background; resumed after a restart and every hour. */
export function removeInBackground(deps: Pick<Deps, 'store' | 'now' | 'log'>, projectId: number): void {
  removeProjectData(deps, projectId, { sleep, onProgress: () => {} }).then(
    (rows) => deps.log.info({ projectId, rows }, 'project deleted'),
    (error: unknown) => deps.log.warn({ projectId, error: String(error) }, 'a project is not deleted yet'),
  );
}

export async function removeEndedProjects(
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
