// What the bar under the issue list offers: what is selected at first, whom to assign, and what can be undone.
import { listAssignees } from '../../issues/assignees.ts';
import { findUndoableAction } from '../../issues/bulk-undo.ts';
import { roleIncludes } from '../../members/permissions.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { ownerIdOf } from '../../saved-views/saved-views.ts';
import type { BulkActionKind } from '../../store/bulk-actions.ts';
import type { RequestContext } from '../request-context.ts';
import { listedProjectIds } from './filters.ts';

const assigneesMax = 100;

export interface BulkOptionsView {
  /** From `?selected=`: the rows of this page, or all that match; null for none. */
  readonly selected: 'page' | 'all' | null;
  readonly members: ReadonlyArray<{
    readonly member_id: number;
    readonly name: string;
    readonly is_you: boolean;
  }>;
  readonly teams: ReadonlyArray<{ readonly team_id: number; readonly name: string }>;
  readonly undo: {
    readonly bulk_id: number;
    readonly action: BulkActionKind;
    readonly issues: number;
    readonly until: string;
  } | null;
}

/** Empty for viewers, who cannot act. */
export async function viewBulkOptions(visit: RequestContext): Promise<BulkOptionsView> {
  const { deps, visitor, query, nowMs } = visit;
  if (!roleIncludes(visitor.role, 'member')) return { selected: null, members: [], teams: [], undo: null };
  const [{ members, teams }, undo] = await Promise.all([
    listAssignees(deps, listedProjectIds(visit), nowMs),
    findUndoableAction(deps, ownerIdOf(visitor)),
  ]);
  const selected = query.get('selected');
  const own = members.filter(({ id }) => id === visitor.memberId);
  const others = members.filter(({ id }) => id !== visitor.memberId);
  return {
    selected: selected === 'page' || selected === 'all' ? selected : null,
    members: [...own, ...others]
      .slice(0, assigneesMax)
      .map(({ id, name }) => ({ member_id: id, name, is_you: id === visitor.memberId })),
    teams: teams.slice(0, assigneesMax).map(({ id, name }) => ({ team_id: id, name: `#${name}` })),
    undo:
      undo === null
        ? null
        : {
            bulk_id: undo.id,
            action: undo.action,
            issues: undo.issues,
            until: formatTime(undo.untilMs),
          },
  };
}
