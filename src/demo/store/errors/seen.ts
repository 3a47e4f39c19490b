// How often an issue was seen lately, by the slots that rules of alerts count.
import { slotMs } from '../../../core/reading/spans.ts';
import type { SeenStore } from '../../../core/store/counts/seen.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';

/** What this file answers. */
export type SeenReads = Pick<SeenStore, 'listSeenSlots'>;

/** The reads of how often an issue was seen; no issue of a world has more events than are counted. */
export function seenReads(world: ErrorsWorld): SeenReads {
  return {
    async listSeenSlots({ projectId, issueId, fromMs }, toMs) {
      const isTheirs = world.issueById(issueId)?.projectId === projectId;
      return Array.from({ length: (toMs - fromMs) / slotMs }, (_, slot) => {
        const atMs = fromMs + slot * slotMs;
        return { atMs, events: isTheirs ? world.eventsOf(issueId, atMs, atMs + slotMs) : 0 };
      });
    },
  };
}
