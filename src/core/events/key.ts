import type { NormalizedEvent } from '../../../schemas/event.ts';
import { groupEvent } from '../grouping/versions.ts';
import type { EventKey } from '../ports/readings.ts';
import { faultyCodeOf } from '../site-code/faulty.ts';
import type { NewEvent } from '../store/events.ts';
import { culpritOf, titleOf } from './title.ts';

/** Grouping, title and culprit of a scrubbed event; `code` is the suspect plugin or theme. */
export function keyOf(event: NormalizedEvent, code = faultyCodeOf(event)): EventKey {
  return { ...groupEvent(event), title: titleOf(event), culprit: culpritOf(event, code) };
}

/** Replaces a lazy `plainKey` by its value, so that the key can be posted to a thread or kept. */
export function settledKey<Key extends Pick<NewEvent, 'plainKey'>>(key: Key): Key {
  return typeof key.plainKey === 'function' ? { ...key, plainKey: key.plainKey() } : key;
}
