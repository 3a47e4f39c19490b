import {
  defaultRange,
  defaultSort,
  defaultState,
  type IssueFilters,
} from '../../core/page-models/issues/filters.ts';
import type { QueryParams } from '../page-context.ts';

/** The query with some members changed. Defaults are omitted; a change returns to the first page. */
export function issuesQueryParams(asked: IssueFilters, changed: Partial<IssueFilters> = {}): QueryParams {
  const { state, query, q, range, level, environment, release, tag, user, who, sort } = {
    ...asked,
    ...changed,
  };
  return {
    state: state === (query === null ? defaultState : 'all') ? null : state,
    query,
    q,
    range: range === defaultRange ? null : range,
    level,
    environment,
    release,
    tag,
    user,
    who,
    sort: sort === defaultSort ? null : sort,
  };
}
