import type { NormalizedEvent } from '../../../schemas/event.ts';
import { groupEvent } from '../grouping/group-event.ts';
import type { EventGroupingKey } from '../ports/prepared-data.ts';
import type { NewEvent } from '../store/events.ts';
import { findSuspectComponent } from '../wordpress-components/suspect-component.ts';
import { buildCulprit, buildTitle } from './title.ts';

/** Grouping, title and culprit of a scrubbed event; `code` is the suspect plugin or theme. */
export function groupingKeyOf(event: NormalizedEvent, code = findSuspectComponent(event)): EventGroupingKey {
  return { ...groupEvent(event), title: buildTitle(event), culprit: buildCulprit(event, code) };
}

/** Replaces a lazy `secondaryHash` by its value, so that the key can be posted to a thread or kept. */
export function resolveLazyKey<Key extends Pick<NewEvent, 'secondaryHash'>>(key: Key): Key {
  return typeof key.secondaryHash === 'function' ? { ...key, secondaryHash: key.secondaryHash() } : key;
}
