import { readSearch } from '../../search/search.ts';
import type { IssueListFilter } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';
import { listedProjectIds } from './filters.ts';

export interface IssueSearchView {
  readonly text: string;
  readonly tokens: ReadonlyArray<{
    readonly start: number;
    readonly end: number;
    readonly is_wrong: boolean;
  }>;
  readonly mistakes: ReadonlyArray<{
    /** Names are between backticks. */
    readonly message: string;
    readonly start: number;
    readonly end: number;
    readonly suggestion: string | null;
  }>;
}

export interface IssueSearch {
  readonly filter: Pick<IssueListFilter, 'terms'>;
  readonly shown: IssueSearchView;
}

/** Free text is no token: it is not painted. */
export async function readIssueSearch(context: RequestContext, text: string): Promise<IssueSearch> {
  const { deps, currentUser } = context;
  const scope = {
    projectIds: listedProjectIds(context),
    of: 'issues',
    memberId: currentUser.memberId,
  } as const;
  const { resolved, tokens, mistakes } = await readSearch(deps, text, scope);
  return {
    filter: { terms: resolved },
    shown: {
      text,
      tokens: tokens
        .filter(({ key, isWrong }) => key !== null || isWrong)
        .map(({ start, end, isWrong }) => ({ start, end, is_wrong: isWrong })),
      mistakes: mistakes.map(({ message, start, end, suggestion = null }) => ({
        message,
        start,
        end,
        suggestion,
      })),
    },
  };
}
