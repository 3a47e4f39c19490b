// A `check_in` item as the rules of monitors take it: read, or refused by itself, and without secrets.
import { badRequest, payloadTooLarge } from '../errors.ts';
import { type CheckIn, readCheckIn } from '../monitors/cron/check-ins.ts';
import { readItemRecord } from '../reading/item-json.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type { EnvelopeItem } from './grammar.ts';

/** Many times what an SDK sends. */
const checkInBytesMax = 16 * 1024;

/** Throws 400 for what names no monitor or no status, and 413 for what is too large. */
export function readCheckInItem({ type, payload }: EnvelopeItem, project: Project): CheckIn {
  if (payload.byteLength > checkInBytesMax) throw payloadTooLarge(checkInBytesMax);
  const read = readCheckIn(readItemRecord(payload, type).value);
  // What looks like a secret is no name of a job, and would be shown as one.
  if (read === null || scrubProjectText(read.slug, project) !== read.slug) {
    throw badRequest(
      'notifier_invalid_check_in',
      'A check-in needs a monitor_slug and a status: in_progress, ok or error.',
    );
  }
  return { ...read, environment: scrubProjectText(read.environment, project) };
}
