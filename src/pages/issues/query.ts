import {
  defaultRange,
  defaultSort,
  defaultState,
  type IssuesAsked,
} from '../../core/workspace/issues/asked.ts';
import type { QueryMembers } from '../frame.ts';

/** The query with some members changed. Defaults are omitted; a change returns to the first page. */
export function issuesQuery(asked: IssuesAsked, changed: Partial<IssuesAsked> = {}): QueryMembers {
  const { state, q, range, level, environment, release, tag, user, who, sort } = { ...asked, ...changed };
  return {
    state: state === defaultState ? null : state,
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
