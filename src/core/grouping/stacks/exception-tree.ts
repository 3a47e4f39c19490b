// Relations between the exceptions of an event: groups, causes, suppressed (docs/events.md, "Exception groups").

interface ListedException {
  readonly type?: string | undefined;
  readonly mechanism?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Each exception is listed once, depth first, from the raised one. */
export interface ExceptionNode {
  /** Index in the list as sent. */
  readonly index: number;
  readonly relation: 'raised' | 'cause' | 'member' | 'suppressed';
  /** 0 for the raised exception and its causes; one more for members and suppressed exceptions. */
  readonly depth: number;
  /** Position among the members or suppressed ones; 1 of 1 for others. */
  readonly nth: number;
  readonly count: number;
}

export function isExceptionGroup({ type = '', mechanism }: ListedException): boolean {
  return (
    mechanism?.['is_exception_group'] === true ||
    /(?:^|\.)(?:AggregateError|AggregateException|(?:Base)?ExceptionGroup|CompositeException|MultiError)$/.test(
      type,
    )
  );
}

/** By `exception_id` and `parent_id`, else the cause of the next in the list, or a member where that is a group. */
export function buildExceptionTree(exceptions: readonly ListedException[]): ExceptionNode[] {
  const childrenOf = childrenIn(linksOf(exceptions), exceptions.length);
  const isListed = new Set<number>();
  const nodes: ExceptionNode[] = [];
  const list = (node: ExceptionNode): void => {
    isListed.add(node.index);
    nodes.push(node);
    const children = childrenOf(node.index).filter(({ index }) => !isListed.has(index));
    for (const relation of ['member', 'suppressed', 'cause'] as const) {
      const depth = node.depth + (relation === 'cause' ? 0 : 1);
      const siblings = children.filter((child) => child.relation === relation);
      for (const [at, { index }] of siblings.entries()) {
        list({ index, relation, depth, nth: at + 1, count: siblings.length });
      }
    }
  };
  for (let index = exceptions.length - 1; index >= 0; index -= 1) {
    // Exceptions in a cycle of parents are treated as causes.
    const relation = index === exceptions.length - 1 ? 'raised' : 'cause';
    if (!isListed.has(index)) list({ index, relation, depth: 0, nth: 1, count: 1 });
  }
  return nodes;
}

export interface MainException {
  readonly index: number;
  /** Null where the raised exception has no members. */
  readonly groupIndex: number | null;
  readonly others: number;
}

/** The raised exception, or the first member of a group that is no group itself. */
export function findMainException(
  exceptions: readonly ListedException[],
  tree: readonly ExceptionNode[] = buildExceptionTree(exceptions),
): MainException | null {
  const [raised] = tree;
  if (raised === undefined) return null;
  const failed: number[] = [];
  const walk = (at: number): number => {
    const { index, depth } = tree[at] as ExceptionNode;
    let next = at + 1;
    let hasMembers = false;
    for (let node = tree[next]; node !== undefined && node.depth > depth; node = tree[next]) {
      const isMember = node.depth === depth + 1 && node.relation === 'member';
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

/** Such as `Caused by ` or `Member 2 of 3: `; empty for the raised one. */
export function formatRelation({ relation, nth, count }: ExceptionNode): string {
  if (relation === 'raised') return '';
  if (relation === 'cause') return 'Caused by ';
  return `${relation === 'member' ? 'Member' : 'Suppressed'} ${nth} of ${count}: `;
}

interface Link {
  readonly parent: number;
  readonly relation: Exclude<ExceptionNode['relation'], 'raised'>;
  readonly isGuessed: boolean;
}

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
  // Next to another inferred member, it belongs to the same group.
  const isNextToMember = link?.isGuessed === true && link.relation === 'member';
  const parent = isNextToMember && !isExceptionGroup(exceptions[next] ?? {}) ? link.parent : next;
  return { parent, relation: relationTo(exceptions[parent], exceptions[index]), isGuessed: true };
}

const causeSources = new Set(['cause', '__cause__', '__context__', 'innerexception', 'previous']);

function relationTo(parent: ListedException = {}, { mechanism }: ListedException = {}): Link['relation'] {
  if (mechanism?.['type'] === 'suppressed') return 'suppressed';
  const source = mechanism?.['source'];
  const attribute = typeof source === 'string' ? source.slice(source.lastIndexOf('.') + 1) : '';
  return isExceptionGroup(parent) && !causeSources.has(attribute.toLowerCase()) ? 'member' : 'cause';
}

type Child = Pick<Link, 'relation'> & { readonly index: number };

/** In reverse order of the list. */
function childrenIn(links: readonly Link[], count: number): (index: number) => readonly Child[] {
  const children = Array.from({ length: count }, (): Child[] => []);
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const { parent, relation } = links[index] as Link;
    children[parent]?.push({ index, relation });
  }
  return (index) => children[index] ?? [];
}
