// Any value, scrubbed as an event's is where a project names no fields of its own.
import { compileExtraFields } from '../../../src/core/scrub/table/names.ts';
import { createScrubState } from '../../../src/core/scrub/text.ts';
import { scrubValue } from '../../../src/core/scrub/values.ts';

/** The value without its secrets. */
export function scrubbed(value: object): unknown {
  return scrubValue(value, { ...createScrubState(null), extra: compileExtraFields([]) }, 1, 'text');
}
