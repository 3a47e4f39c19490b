import { newestGrouping } from '../grouping/group-event.ts';
import type { Project } from '../store/projects.ts';
import type { RegroupRun } from '../store/regroup.ts';
import type { RegroupPreview } from './preview.ts';

const namedMax = 100;

/** `run` is null if nothing was applied. */
export function viewRegroup(
  project: Project,
  { plan, issues, events, unreadable }: RegroupPreview,
  run: Pick<RegroupRun, 'id'> | null,
) {
  const { moves, claims, joins, labels } = plan;
  const titleOf = (id: number): string => issues.get(id)?.title ?? '';
  return {
    project_id: project.id,
    name: project.name,
    grouping: project.groupingVersion,
    grouping_after: newestGrouping,
    applied: run !== null,
    run_id: run?.id ?? null,
    events,
    events_unreadable: unreadable,
    events_moved: moves.reduce((sum, move) => sum + move.events, 0),
    issues: [...issues.values()].filter((issue) => issue.headId === issue.id).length,
    issues_split: new Set(moves.map((move) => move.fromId)).size,
    issues_made: new Set(moves.filter((move) => move.toId === null).map((move) => move.grouping.hash)).size,
    issues_joined: joins.reduce((sum, join) => sum + join.issueIds.length, 0),
    hashes_changed: claims.length,
    keys_shown_anew: labels.length,
    splits_count: moves.length,
    joins_count: joins.length,
    splits: moves.slice(0, namedMax).map(({ fromId, toId, events: moved, grouping }) => ({
      issue_id: fromId,
      title: titleOf(fromId),
      events: moved,
      into: toId,
      key: grouping.parts,
    })),
    joins: joins.slice(0, namedMax).map(({ intoId, issueIds }) => ({
      into: intoId,
      title: titleOf(intoId),
      issue_ids: issueIds,
    })),
  };
}
