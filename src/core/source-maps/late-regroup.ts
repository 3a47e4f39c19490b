// Groups issues again whose events a late map gave another key (D-114): the events move to the issue of that
// key, or the whole issue joins it. In slices; what an earlier run left is taken up.

import { setImmediate } from 'node:timers/promises';
import type { Log } from '../ports/log.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { LateGroupingStore } from '../store/late-groupings.ts';

/** Who acts, in the activity of the issues. */
const actor = 'maps';

/** Groups all such issues of a project again; `isOver` is asked between slices. */
export async function regroupLate(
  parts: { readonly store: LateGroupingStore; readonly log: Log; now(): EpochMs },
  projectId: number,
  isOver: () => boolean,
): Promise<void> {
  const { store } = parts;
  for (const issueId of await store.issuesToRegroup(projectId)) {
    if (isOver()) return;
    const act = { actor, nowMs: parts.now() };
    const decision = await store.decideLate(projectId, issueId, act);
    for (const move of decision.moves) {
      while ((await store.moveLate(projectId, issueId, move, act)) > 0) {
        if (isOver()) return;
        await setImmediate();
      }
    }
    await store.finishLate(projectId, issueId, decision, act);
    parts.log.info(
      { projectId, issueId, moves: decision.moves.length, joinInto: decision.joinInto },
      'issue grouped again',
    );
  }
}
