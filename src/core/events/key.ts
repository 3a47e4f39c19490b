// By what an event is found and called: the same for one that comes in and for one that is stored.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { groupEvent } from '../grouping/versions.ts';
import type { EventKey } from '../ports/readings.ts';
import { faultyCodeOf } from '../site-code/faulty.ts';
import type { NewEvent } from '../store/events.ts';
import { culpritOf, titleOf } from './title.ts';

/** The grouping of a scrubbed event, its title and its culprit; `code` is the plugin or theme at fault. */
export function keyOf(event: NormalizedEvent, code = faultyCodeOf(event)): EventKey {
  return { ...groupEvent(event), title: titleOf(event), culprit: culpritOf(event, code) };
}

/** The same with its plain key at hand: as plain data it can be posted to a thread, or kept. */
export function settledKey<Key extends Pick<NewEvent, 'plainKey'>>(key: Key): Key {
  return typeof key.plainKey === 'function' ? { ...key, plainKey: key.plainKey() } : key;
}
