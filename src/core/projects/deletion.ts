// Deleting a project with all that belongs to it: at once out of sight, then removed in slices beside a
// running server (D-92).
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
