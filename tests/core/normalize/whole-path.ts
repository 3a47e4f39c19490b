// What is done with an event from its payload to its group, for tests of hostile input.
import { culpritOf, titleOf } from '../../../src/core/events/title.ts';
import { fingerprintOf } from '../../../src/core/grouping/fingerprint.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { faultyCodeOf } from '../../../src/core/site-code/faulty.ts';
import { context } from '../../support/events.ts';

export const options = { extraFields: ['shoe size'], storeIpAddresses: false, clientAddress: '198.51.100.7' };

/** Reads, scrubs, groups and titles it, and writes it down. */
export function wholePath(raw: unknown): void {
  const { event, errors } = normalizeEvent(raw, context);
  const clean = scrubEvent({ ...event, errors }, options).event;
  fingerprintOf(clean);
  titleOf(clean);
  culpritOf(clean, faultyCodeOf(clean));
  JSON.stringify(clean);
}
