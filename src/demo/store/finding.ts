// A search over everything that the demo has: each world finds its own kinds of things, and here they are
// asked by kind.
import { foldText } from '../../core/reading/fold-text.ts';
import type { ExactName, FoundKind, FoundThing, SearchStore } from '../../core/store/workspace.ts';

/** Things of one kind in which a text stands, the newest first. */
export type FindThings = (projectIds: readonly number[], text: string, limit: number) => FoundThing[];

/** What one world finds. */
export interface Finders {
  readonly byKind: Readonly<Partial<Record<FoundKind, FindThings>>>;
  /** What has exactly that name, of its kinds. */
  named(projectIds: readonly number[], name: ExactName, limit: number): FoundThing[];
}

/** The search of things over some worlds; of a kind that none of them has nothing is found. */
export function findingReads(...parts: readonly Finders[]): Pick<SearchStore, 'findThings' | 'findNamed'> {
  return {
    async findThings(kind, projectIds, text, limit) {
      if (text.trim() === '' || projectIds.length === 0) return [];
      return parts.flatMap(({ byKind }) => byKind[kind]?.(projectIds, text, limit) ?? []);
    },
    async findNamed(projectIds, name, limit) {
      if (projectIds.length === 0) return [];
      return parts.flatMap((part) => part.named(projectIds, name, limit));
    },
  };
}

/** Whether one of some texts holds what is searched for; everything holds nothing. */
export function holding(texts: ReadonlyArray<string | null>, search: string | undefined): boolean {
  const words = foldText(search?.trim() ?? '');
  return words === '' || texts.some((text) => text !== null && foldText(text).includes(words));
}

/** Things, the newest first, as many as were asked for. */
export function newestThings(things: readonly FoundThing[], limit: number): FoundThing[] {
  return things.toSorted((one, other) => other.atMs - one.atMs || other.id - one.id).slice(0, limit);
}
