// What merging means, in the plainest way: issues point at the issue they were merged into, and figures are
// counted anew from every event each time they are asked for.

export interface ModelEvent {
  readonly user: string | null;
  readonly second: number;
}

interface ModelIssue {
  readonly events: ModelEvent[];
  /** The merge that this issue itself was moved by, while it holds. */
  movedBy: ModelMerge | null;
  /** What was seen of it since somebody ignored it; null while nobody has. */
  since: { readonly until: 'count' | 'users'; seen: number } | null;
}

interface ModelMerge {
  readonly into: number;
  undone: boolean;
}

export interface ModelFigures {
  readonly events: number;
  readonly users: number;
  readonly firstSecond: number;
  readonly lastSecond: number;
}

export function mergeModel() {
  const issues: ModelIssue[] = [];
  const merges: ModelMerge[] = [];
  const at = (issue: number): ModelIssue => issues[issue] as ModelIssue;
  const headOf = (issue: number): number => {
    const { movedBy } = at(issue);
    return movedBy === null ? issue : headOf(movedBy.into);
  };
  const groupOf = (head: number): number[] =>
    issues.flatMap((_, each) => (headOf(each) === head ? [each] : []));
  const knows = (members: readonly number[], user: string | null): boolean =>
    user === null || members.some((member) => at(member).events.some((event) => event.user === user));
  return {
    issues,
    merges,
    headOf,
    addEvent(issue: number, event: ModelEvent): void {
      if (issue === issues.length) issues.push({ events: [], movedBy: null, since: null });
      const head = headOf(issue);
      for (const [counted, members] of new Map([
        [issue, [issue]],
        [head, groupOf(head)],
      ] as const)) {
        const { since } = at(counted);
        if (since === null) continue;
        if (since.until === 'count' || !knows(members, event.user)) since.seen += 1;
      }
      at(issue).events.push(event);
    },
    /** False where the store must refuse. */
    merge(into: number, others: readonly number[]): boolean {
      const head = headOf(into);
      const moved = [...new Set(others.map(headOf))].filter((each) => each !== head);
      if (moved.length === 0) return false;
      const merge: ModelMerge = { into: head, undone: false };
      merges.push(merge);
      for (const each of moved) at(each).movedBy = merge;
      return true;
    },
    /** Asked of an issue, whose group the merge must belong to. */
    undo(index: number, issue: number): boolean {
      const merge = merges[index];
      if (merge === undefined || merge.undone || headOf(merge.into) !== headOf(issue)) return false;
      merge.undone = true;
      for (const each of issues) if (each.movedBy === merge) each.movedBy = null;
      return true;
    },
    ignore(issue: number, until: 'count' | 'users'): void {
      at(headOf(issue)).since = { until, seen: 0 };
    },
    /** An issue that stands for others speaks for all of them, one that was merged for itself alone. */
    figures(issue: number): ModelFigures {
      const members = headOf(issue) === issue ? groupOf(issue) : [issue];
      const events = members.flatMap((member) => at(member).events);
      const seconds = events.map((event) => event.second);
      return {
        events: events.length,
        users: new Set(events.flatMap((event) => event.user ?? [])).size,
        firstSecond: Math.min(...seconds),
        lastSecond: Math.max(...seconds),
      };
    },
  };
}
