// What an address asks for that its page does not know, so that a list which shows too much or nothing at all
// says why.
import type { IssueListStore } from '../store/issue-pages.ts';

const wordsShown = 5;

/** A name, a colon and a value that is no path: the way in which other tools write filters. */
const filterWord = /^[!-]?[a-z][\w.-]*:[^\s:/\\]/i;

/** The words of a search that are written as filters, `is:resolved`; the first few. */
export function filterWords(q: string | null): string[] {
  const words = (q ?? '').split(/\s+/).filter((word) => filterWord.test(word));
  return [...new Set(words)].slice(0, wordsShown);
}

/**
 * The parameters of an address that a model did not take, as `name=value`: those that it names in `asked`,
 * where it says something else.
 */
export function leftOutOf(model: unknown, query: URLSearchParams): string[] {
  const asked = (model as { readonly asked?: unknown } | null | undefined)?.asked;
  if (typeof asked !== 'object' || asked === null) return [];
  return Object.entries(asked)
    .flatMap(([name, taken]) => query.getAll(name).map((value) => ({ name, value: value.trim(), taken })))
    .filter(({ value, taken }) => value !== '' && !isTaken(value, taken))
    .map(({ name, value }) => `${name}=${value.slice(0, 60)}`)
    .slice(0, wordsShown);
}

/** Whether a model took a value: the same, its beginning where it is long, or its number. */
function isTaken(value: string, taken: unknown): boolean {
  if (Array.isArray(taken)) return taken.some((each) => isTaken(value, each));
  if (typeof taken === 'number') return Number(value) === taken;
  return typeof taken === 'string' && taken !== '' && value.toLowerCase().startsWith(taken.toLowerCase());
}

/** Each word is a search of its own. */
const unknownWordsMax = 8;

/** The words of these texts that no issue of the projects has, whenever it was seen; of the first few. */
export async function wordsOfNoIssue(
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
