// The query of the list of issues in its one order. What is as it is without being said is not said.
import {
  defaultRange,
  defaultSort,
  defaultState,
  type IssuesAsked,
} from '../../core/workspace/issues/asked.ts';
import type { QueryMembers } from '../frame.ts';

/** The members of what was asked, with some of it changed. A change begins at the first page again. */
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
