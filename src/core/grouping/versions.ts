// The rule that events are grouped by, under its name: each project stores the one that its stored events
// were sorted by (docs/grouping.md, "When the rule changes").
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Grouping, PlainKey } from '../store/events.ts';
import { fingerprintOf, groupingAlgorithm } from './fingerprint.ts';
import { plainKeyOf } from './plain-key.ts';

/** The version that new projects begin with, and that `project regroup` leads to. */
export const newestGrouping = groupingAlgorithm;

export interface EventGrouping {
  readonly grouping: Grouping;
  /** See `NewEvent.plainKey`. */
  readonly plainKey: () => PlainKey | null;
}

/** The grouping of an event by the newest rule. */
export function groupEvent(event: NormalizedEvent): EventGrouping {
  const grouping = fingerprintOf(event);
  return { grouping, plainKey: () => plainKeyOf(event, grouping) };
}
