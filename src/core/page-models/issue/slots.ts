import { dayMs, getLastSlots, slotEventCountMax } from '../../parsing/durations.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { Issue } from '../../store/issues.ts';
import type { RequestContext } from '../request-context.ts';

export interface SlotView {
  readonly at: string;
  readonly events: number;
}

export const spanOfDay = 'day';

/** The last day in the five-minute slots of alert rules, the current one last; null unless the URL asks. */
export async function viewEventSlots(
  { deps, nowMs, query }: RequestContext,
  { projectId, id: issueId }: Issue,
): Promise<SlotView[] | null> {
  if (query.get('span') !== spanOfDay) return null;
  const { fromMs, toMs } = getLastSlots(nowMs, dayMs);
  const slots = await deps.store.listSeenSlots({ projectId, issueId, fromMs }, toMs, slotEventCountMax);
  return slots.map(({ atMs, events }) => ({ at: formatTime(atMs), events }));
}
