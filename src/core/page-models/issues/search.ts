// The search of the issue list as the page shows it, and what completes it.
import { parseSearch } from '../../search/parse-search.ts';
import type { IssueListFilter } from '../../store/issue-queries.ts';
import type { RequestContext } from '../request-context.ts';

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
    /** Text to put in place of the span. */
    readonly suggestion: string | null;
  }>;
}

export interface IssueSearch {
  readonly filter: Partial<IssueListFilter>;
  readonly shown: IssueSearchView;
}

/** Free text is no token: it is not painted. */
export async function readIssueSearch(visit: RequestContext, text: string): Promise<IssueSearch> {
  const parsed = parseSearch(text, null as never);
  return {
    filter: {},
    shown: {
      text,
      tokens: parsed.tokens
        .filter(({ key, isWrong }) => key !== null || isWrong)
        .map(({ start, end, isWrong }) => ({ start, end, is_wrong: isWrong })),
      mistakes: parsed.mistakes.map(({ message, start, end, suggestion = null }) => ({
        message,
        start,
        end,
        suggestion,
      })),
    },
  };
}

export interface CompletionGroup {
  readonly name: 'Keys' | 'Values' | 'Tags';
  readonly choices: ReadonlyArray<{
    readonly text: string;
    readonly about: string;
    readonly note: string;
    readonly start: number;
    readonly end: number;
  }>;
}

export async function completeIssueSearch(
  _visit: RequestContext,
): Promise<{ readonly groups: readonly CompletionGroup[] }> {
  return { groups: [] };
}
