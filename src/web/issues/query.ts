import type { IssueFilters } from '../../core/page-models/issues/filters.ts';
import { defaultSort } from '../../core/page-models/issues/filters.ts';
import { defaultRange } from '../../core/page-models/issues/range.ts';
import type { QueryParams } from '../page-context.ts';

/** The query with some members changed. Defaults are omitted; a change returns to the first page. */
export function issuesQueryParams(filters: IssueFilters, changed: Partial<IssueFilters> = {}): QueryParams {
  const { view, query, range, environment, sort, zone } = { ...filters, ...changed };
  return {
    view,
    query,
    range: range === defaultRange ? null : range,
    environment,
    sort: sort === defaultSort ? null : sort,
    zone,
  };
}
