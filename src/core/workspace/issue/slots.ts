// Events of the last day in five-minute slots, the same ones that alert rules count.
import { momentText } from '../../reading/moments.ts';
import { dayMs, lastSlots, slotEventsMax } from '../../reading/spans.ts';
import type { Issue } from '../../store/issues.ts';
import type { Visit } from '../visit.ts';

export interface SlotView {
  readonly at: string;
  readonly events: number;
}

export const daySpan = 'day';

/** The current slot is last; null unless the URL asks for them. */
export async function slotsOf(
  { deps, nowMs, query }: Visit,
  { projectId, id: issueId }: Issue,
): Promise<SlotView[] | null> {
  if (query.get('span') !== daySpan) return null;
  const { fromMs, toMs } = lastSlots(nowMs, dayMs);
  const slots = await deps.store.listSeenSlots({ projectId, issueId, fromMs }, toMs, slotEventsMax);
  return slots.map(({ atMs, events }) => ({ at: momentText(atMs), events }));
}
