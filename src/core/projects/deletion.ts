// Deleting a project with all that belongs to it: at once out of sight, then removed in slices beside a
// running server (D-92).
import type { Deps } from '../deps.ts';
import type { EpochMs } from '../reading/moments.ts';

/** A project whose deletion began and did not end. */
export interface EndingProject {
  readonly id: number;
  /** The name it had; another project may have it by now. */
  readonly name: string;
  readonly deletedAtMs: EpochMs;
}

export interface ProjectDeletionStore {
  /**
   * Takes a project out of sight in one commit: it is neither listed nor found any more, its keys are gone,
   * its name is free. Null for an id that names none.
   */
  endProject(projectId: number, nowMs: EpochMs): Promise<EndingProject | null>;
  listEndingProjects(): Promise<EndingProject[]>;
  /**
   * Removes a slice of what belongs to an ended project, and with the last one the project itself; `done`
   * then. One short transaction. Throws for a project that was not ended.
   */
  removeProjectSlice(projectId: number): Promise<{ readonly removed: number; readonly done: boolean }>;
}

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
