// What is done with an event from its payload to its group, for tests of hostile input.
import { buildCulprit, buildTitle } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { findSuspectComponent } from '../../../src/core/wordpress-components/suspect-component.ts';
import { context } from '../../support/events.ts';

export const options = { extraFields: ['shoe size'], storeIpAddresses: false, clientAddress: '198.51.100.7' };

/** Reads, scrubs, groups and titles it, and writes it down. */
export function wholePath(raw: unknown): void {
  const { event, errors } = normalizeEvent(raw, context);
  const clean = scrubEvent({ ...event, errors }, options).event;
  computeFingerprint(clean);
  buildTitle(clean);
  buildCulprit(clean, findSuspectComponent(clean));
  JSON.stringify(clean);
}
