// The inbound filters of a project, with what each dropped, or would have dropped, in the last 7 days.
import { type NormalizedEvent, normalizedEvent } from '../../../../schemas/event.ts';
import { type FilterName, filterLists, filterSwitches } from '../../../../schemas/inbound-filters.ts';
import { dropsEvent, filterReasons } from '../../inbound-filters/find-filter.ts';
import { dayMs, hourMs } from '../../parsing/durations.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { createYielder } from '../../parsing/yield-to-event-loop.ts';
import { viewInboundFilters } from '../../projects/inbound-filters.ts';
import type { Project } from '../../store/projects.ts';
import type { RequestContext } from '../request-context.ts';

const days = 7;
/** 200 events at most are read for a page. */
const sampleBounds = { issues: 40, eventsOfIssue: 5 };

export type FilterView = InboundFiltersView['filters'][number];

export type InboundFiltersView = Awaited<ReturnType<typeof viewProjectFilters>>;

interface SampledIssue {
  readonly events: readonly NormalizedEvent[];
  /** All of the last days. */
  readonly count: number;
}

export async function viewProjectFilters(context: RequestContext, project: Project) {
  const { deps, nowMs } = context;
  const fromMs = nowMs - days * dayMs;
  const filters = viewInboundFilters(project);
  await deps.outcomes.flush();
  const [issues, outcomes] = await Promise.all([
    readSample(context, project, fromMs),
    deps.store.listOutcomes(project.id, fromMs, nowMs + hourMs),
  ]);
  const filtered = outcomes.filter(({ outcome, category }) => outcome === 'filtered' && category === 'error');
  const dropped = (name: FilterName): number =>
    sum(filtered.filter(({ reason }) => reason === filterReasons[name]).map(({ quantity }) => quantity));
  const judge = (name: FilterName) => {
    const set = filters[name];
    const entries = typeof set === 'boolean' ? [] : set;
    const applied = typeof set === 'boolean' ? { ...filters, [name]: true } : filters;
    const share = ({ events, count }: SampledIssue): number =>
      (count * events.filter((event) => dropsEvent(name, event, nobody, applied)).length) / events.length;
    return {
      name,
      is_on: typeof set === 'boolean' ? set : set.length > 0,
      /** Of a list; empty for a switch. */
      entries,
      dropped: dropped(name),
      /** Estimated from a sample; null for addresses, which are removed or cut before events are stored. */
      would_drop: name === 'ip_addresses' ? null : Math.round(sum(issues.map(share))),
    };
  };
  return {
    days,
    events: sum(issues.map(({ count }) => count)),
    filters: [...filterSwitches, ...filterLists].map(judge),
  };
}

/** Stored events say all of it themselves. */
const nobody = { userAgent: '', clientAddress: '', domain: null };

async function readSample(
  { deps, nowMs }: RequestContext,
  { id }: Project,
  fromMs: number,
): Promise<SampledIssue[]> {
  const sample = await deps.store.sampleEvents(id, fromMs, sampleBounds);
  const range = { fromMs, toMs: nowMs + hourMs, sliceMs: days * dayMs };
  const slices = await deps.store.listIssueEventIntervals(
    sample.map(({ issueId }) => issueId),
    range,
  );
  const yieldToEventLoop = createYielder();
  const issues: SampledIssue[] = [];
  for (const { issueId, payloads } of sample) {
    await yieldToEventLoop();
    const events = payloads.flatMap((payload) => normalizedEvent.safeParse(JSON.parse(payload)).data ?? []);
    const ofIssue = slices.filter((slice) => slice.issueId === issueId);
    const count = sum(ofIssue.map((slice) => slice.events));
    if (events.length > 0) issues.push({ events, count });
  }
  return issues;
}
