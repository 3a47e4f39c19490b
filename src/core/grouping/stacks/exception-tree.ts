// How the exceptions of one event belong together: what was raised, the members of a group that failed side
// by side, and what caused or was suppressed by each (docs/events.md, "Exception groups").

interface ListedException {
  readonly type?: string | undefined;
  readonly mechanism?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Where an exception stands in the tree; the tree lists each once, the raised one first, depth first. */
export interface ExceptionPlace {
  /** Its index in the list as it was sent. */
  readonly index: number;
  readonly relation: 'raised' | 'cause' | 'member' | 'suppressed';
  /** 0 for what was raised and its causes; members and suppressed exceptions are one deeper than theirs. */
  readonly depth: number;
  /** Which one of how many members, or of how many suppressed ones; 1 of 1 for the others. */
  readonly nth: number;
  readonly count: number;
}

/**
 * Whether an exception stands for several that failed side by side, as JavaScript's AggregateError and
 * Python's ExceptionGroup do.
 */
export function isExceptionGroup({ type = '', mechanism }: ListedException): boolean {
  return (
    mechanism?.['is_exception_group'] === true ||
    /(?:^|\.)(?:AggregateError|AggregateException|(?:Base)?ExceptionGroup|CompositeException|MultiError)$/.test(
      type,
    )
  );
}

/**
 * The exceptions of an event as a tree, by `exception_id` and `parent_id` of their mechanisms. What names no
 * parent that is there caused the next one in the list, or is a member where the next one is a group. Every
 * exception is listed once, whatever the ids say.
 */
export function exceptionTree(exceptions: readonly ListedException[]): ExceptionPlace[] {
  const childrenOf = childrenIn(linksOf(exceptions), exceptions.length);
  const isListed = new Set<number>();
  const places: ExceptionPlace[] = [];
  const list = (place: ExceptionPlace): void => {
    isListed.add(place.index);
    places.push(place);
    const children = childrenOf(place.index).filter(({ index }) => !isListed.has(index));
    for (const relation of ['member', 'suppressed', 'cause'] as const) {
      const depth = place.depth + (relation === 'cause' ? 0 : 1);
      const same = children.filter((child) => child.relation === relation);
      for (const [at, { index }] of same.entries()) {
        list({ index, relation, depth, nth: at + 1, count: same.length });
      }
    }
  };
  for (let index = exceptions.length - 1; index >= 0; index -= 1) {
    // What only a ring of parents leads to stands beside what was raised.
    const relation = index === exceptions.length - 1 ? 'raised' : 'cause';
    if (!isListed.has(index)) list({ index, relation, depth: 0, nth: 1, count: 1 });
  }
  return places;
}

/** The exception that an event is called after, and the group that it was raised in with how many others. */
export interface MainException {
  readonly index: number;
  /** Null where what was raised has no members. */
  readonly groupIndex: number | null;
  /** Members that are no groups themselves, of all depths, beside the first. */
  readonly others: number;
}

/** What was raised; of a group its first member that is none itself. Null for an empty list. */
export function mainException(
  exceptions: readonly ListedException[],
  tree: readonly ExceptionPlace[] = exceptionTree(exceptions),
): MainException | null {
  const [raised] = tree;
  if (raised === undefined) return null;
  const failed: number[] = [];
  /** Goes through the members of the place at `at`; answers where those end. */
  const walk = (at: number): number => {
    const { index, depth } = tree[at] as ExceptionPlace;
    let next = at + 1;
    let hasMembers = false;
    for (let place = tree[next]; place !== undefined && place.depth > depth; place = tree[next]) {
      const isMember = place.depth === depth + 1 && place.relation === 'member';
      hasMembers ||= isMember;
      next = isMember ? walk(next) : next + 1;
    }
    if (!hasMembers) failed.push(index);
    return next;
  };
  walk(0);
  const [index = raised.index] = failed;
  return {
    index,
    groupIndex: index === raised.index ? null : raised.index,
    others: failed.length - 1,
  };
}

/** What stands before the type of an exception: `Caused by `, `Member 2 of 3: `; empty for the raised one. */
export function relationText({ relation, nth, count }: ExceptionPlace): string {
  if (relation === 'raised') return '';
  if (relation === 'cause') return 'Caused by ';
  return `${relation === 'member' ? 'Member' : 'Suppressed'} ${nth} of ${count}: `;
}

interface Link {
  readonly parent: number;
  readonly relation: Exclude<ExceptionPlace['relation'], 'raised'>;
  /** Found by its place in the list alone. */
  readonly isGuessed: boolean;
}

/** The parent of each exception but the last, which was raised. */
function linksOf(exceptions: readonly ListedException[]): Link[] {
  const byId = new Map<unknown, number>();
  for (const [index, { mechanism }] of exceptions.entries()) {
    const id = mechanism?.['exception_id'];
    if (typeof id === 'number') byId.set(id, index);
  }
  const links: Link[] = [];
  for (let index = exceptions.length - 2; index >= 0; index -= 1) {
    const exception = exceptions[index] as ListedException;
    const named = byId.get(exception.mechanism?.['parent_id'] ?? null);
    links[index] =
      named === undefined || named === index
        ? guessedLink(exceptions, links, index)
        : { parent: named, relation: relationTo(exceptions[named], exception), isGuessed: false };
  }
  return links;
}

function guessedLink(exceptions: readonly ListedException[], links: readonly Link[], index: number): Link {
  const next = index + 1;
  const link = links[next];
  // Beside a member that names no group either, it is one more of that group.
  const isBeside = link?.isGuessed === true && link.relation === 'member';
  const parent = isBeside && !isExceptionGroup(exceptions[next] ?? {}) ? link.parent : next;
  return { parent, relation: relationTo(exceptions[parent], exceptions[index]), isGuessed: true };
}

/** Attributes by which languages name the one cause of an exception, groups too. */
const causeSources = new Set(['cause', '__cause__', '__context__', 'innerexception', 'previous']);

function relationTo(parent: ListedException = {}, { mechanism }: ListedException = {}): Link['relation'] {
  if (mechanism?.['type'] === 'suppressed') return 'suppressed';
  const source = mechanism?.['source'];
  const attribute = typeof source === 'string' ? source.slice(source.lastIndexOf('.') + 1) : '';
  return isExceptionGroup(parent) && !causeSources.has(attribute.toLowerCase()) ? 'member' : 'cause';
}

type Child = Pick<Link, 'relation'> & { readonly index: number };

/** The children of each exception; in the list the first of them stands last. */
function childrenIn(links: readonly Link[], count: number): (index: number) => readonly Child[] {
  const children = Array.from({ length: count }, (): Child[] => []);
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const { parent, relation } = links[index] as Link;
    children[parent]?.push({ index, relation });
  }
  return (index) => children[index] ?? [];
}
