// The last day of an issue by five minutes, as rules on how often it is seen count it.
import { momentText } from '../../reading/moments.ts';
import { dayMs, lastSlots, slotEventsMax } from '../../reading/spans.ts';
import type { Issue } from '../../store/issues.ts';
import type { Visit } from '../visit.ts';

export interface SlotView {
  readonly at: string;
  readonly events: number;
}

/** The value of `span` in the address that asks for them. */
export const daySpan = 'day';

/** The slots of the last day, the running one last; null where the address does not ask for them. */
export async function slotsOf(
  { deps, nowMs, query }: Visit,
  { projectId, id: issueId }: Issue,
): Promise<SlotView[] | null> {
  if (query.get('span') !== daySpan) return null;
  const { fromMs, toMs } = lastSlots(nowMs, dayMs);
  const slots = await deps.store.listSeenSlots({ projectId, issueId, fromMs }, toMs, slotEventsMax);
  return slots.map(({ atMs, events }) => ({ at: momentText(atMs), events }));
}
