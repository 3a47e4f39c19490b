import { type Completions, completeSearch } from '../../search/complete.ts';
import type { RequestContext } from '../request-context.ts';
import { listedProjectIds } from './filters.ts';

/** For `?query=TEXT&at=CURSOR`; without `at`, at the end. `of=events` completes keys of events. */
export function readCompletions(visit: RequestContext): Promise<Completions> {
  const text = visit.query.get('query') ?? '';
  const asked = Number(visit.query.get('at') ?? text.length);
  const at = Number.isInteger(asked) && asked >= 0 ? Math.min(asked, text.length) : text.length;
  return completeSearch(visit.deps, text, at, {
    projectIds: listedProjectIds(visit),
    of: visit.query.get('of') === 'events' ? 'events' : 'issues',
    memberId: visit.visitor.memberId,
  });
}
