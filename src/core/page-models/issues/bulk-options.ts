import { listAssignees } from '../../issues/assignees.ts';
import { findUndoableAction } from '../../issues/bulk-undo.ts';
import { roleIncludes } from '../../members/permissions.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { ownerIdOf } from '../../saved-views/saved-views.ts';
import type { BulkActionKind } from '../../store/issues.ts';
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
export async function viewBulkOptions(context: RequestContext): Promise<BulkOptionsView> {
  const { deps, currentUser, query, nowMs } = context;
  if (!roleIncludes(currentUser.role, 'member'))
    return { selected: null, members: [], teams: [], undo: null };
  const [{ members, teams }, undo] = await Promise.all([
    listAssignees(deps, listedProjectIds(context), nowMs),
    findUndoableAction(deps, ownerIdOf(currentUser)),
  ]);
  const selected = query.get('selected');
  const self = members.filter(({ id }) => id === currentUser.memberId);
  const others = members.filter(({ id }) => id !== currentUser.memberId);
  return {
    selected: selected === 'page' || selected === 'all' ? selected : null,
    members: [...self, ...others]
      .slice(0, assigneesMax)
      .map(({ id, name }) => ({ member_id: id, name, is_you: id === currentUser.memberId })),
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
