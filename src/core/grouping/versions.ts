// Which version of the rule a project goes by: a rule that changed never splits what is sorted already
// (docs/grouping.md, "When the rule changes").
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { Grouping, PlainKey } from '../store/events.ts';
import { fingerprintOf } from './fingerprint.ts';
import { fingerprintOf as ng1Fingerprint } from './ng1/fingerprint.ts';
import { plainKeyOf } from './plain-key.ts';

/** The version that new projects begin with, and that `project regroup` leads to. */
export const newestGrouping = 'ng2';

export interface EventGrouping {
  readonly grouping: Grouping;
  /** The hash by the older version of a project: its issue keeps the event until `project regroup`. */
  readonly olderHash?: string;
  /** See `NewEvent.plainKey`. */
  readonly plainKey: () => PlainKey | null;
}

/** The grouping of an event by the newest rule, and its hash by the rule that the project began with. */
export function groupEvent(event: NormalizedEvent, projectVersion: string): EventGrouping {
  const grouping = fingerprintOf(event);
  const plainKey = (): PlainKey | null => plainKeyOf(event, grouping);
  return projectVersion === 'ng1'
    ? { grouping, plainKey, olderHash: ng1Fingerprint(event).hash }
    : { grouping, plainKey };
}
