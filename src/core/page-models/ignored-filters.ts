// Finds query parameters and search words that a page ignored, so that it can say so.
import type { IssueListStore } from '../store/issue-queries.ts';

const wordsShown = 5;

/** `name:value` as in other tools' filters; not URLs and paths. */
const filterWord = /^[!-]?[a-z][\w.-]*:[^\s:/\\]/i;

/** Words of a search that look like filters, such as `is:resolved`. */
export function findFilterLikeWords(q: string | null): string[] {
  const words = (q ?? '').split(/\s+/).filter((word) => filterWord.test(word));
  return [...new Set(words)].slice(0, wordsShown);
}

/** Parameters as `name=value` whose value differs from what the model has in `filters`. */
export function findIgnoredParams(model: unknown, query: URLSearchParams): string[] {
  const filters = (model as { readonly filters?: unknown } | null | undefined)?.filters;
  if (typeof filters !== 'object' || filters === null) return [];
  return Object.entries(filters)
    .flatMap(([name, applied]) => query.getAll(name).map((value) => ({ name, value: value.trim(), applied })))
    .filter(({ value, applied }) => value !== '' && !isApplied(value, applied))
    .map(({ name, value }) => `${name}=${value.slice(0, 60)}`)
    .slice(0, wordsShown);
}

/** Equal, a cut beginning, or the same number. */
function isApplied(value: string, applied: unknown): boolean {
  if (Array.isArray(applied)) return applied.some((each) => isApplied(value, each));
  if (typeof applied === 'number') return Number(value) === applied;
  return (
    typeof applied === 'string' && applied !== '' && value.toLowerCase().startsWith(applied.toLowerCase())
  );
}

const unknownWordsMax = 8;

export async function findWordsWithoutIssues(
  store: Pick<IssueListStore, 'findWorkspaceIssues'>,
  projectIds: readonly number[],
  texts: readonly string[],
): Promise<string[]> {
  const words = [...new Set(texts.flatMap((text) => text.split(/\s+/)))].filter((word) => word !== '');
  const counted = await Promise.all(
    words.slice(0, unknownWordsMax).map(async (word) => {
      const filter = { projectIds, fromMs: 0, toMs: null, search: word };
      return { word, all: (await store.findWorkspaceIssues(filter)).counts.all };
    }),
  );
  return counted.filter(({ all }) => all === 0).map(({ word }) => word);
}
