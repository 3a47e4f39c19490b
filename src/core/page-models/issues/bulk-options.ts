import { listAssignees } from '../../issues/assignees.ts';
import { findUndoableAction } from '../../issues/bulk-undo.ts';
import { roleIncludes } from '../../members/permissions.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import { ownerIdOf } from '../../saved-views/saved-views.ts';
import { enumParam } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { listedProjectIds } from './filters.ts';

const assigneesMax = 100;

export type BulkOptionsView = Awaited<ReturnType<typeof viewBulkOptions>>;

/** Empty for viewers, who cannot act. */
export async function viewBulkOptions(context: RequestContext) {
  const { deps, currentUser, nowMs } = context;
  if (!roleIncludes(currentUser.role, 'member'))
    return { selected: null, members: [], teams: [], undo: null };
  const [{ members, teams }, undo] = await Promise.all([
    listAssignees(deps, listedProjectIds(context), nowMs),
    findUndoableAction(deps, ownerIdOf(currentUser)),
  ]);
  const self = members.filter(({ id }) => id === currentUser.memberId);
  const others = members.filter(({ id }) => id !== currentUser.memberId);
  return {
    /** From `?selected=`: the rows of this page, or all that match; null for none. */
    selected: enumParam(context, 'selected', ['page', 'all']),
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
