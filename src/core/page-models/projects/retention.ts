// Limits and retention of a project, taken from the constants that are enforced.

import { eventBytesMax } from '../../envelopes/sort-items.ts';
import { newestGrouping } from '../../grouping/group-event.ts';
import { newIssuesPerHourMax } from '../../issues/state-transitions.ts';
import { commandName } from '../../parsing/command-name.ts';
import { dayMs } from '../../parsing/durations.ts';
import { findRetentionNote, isRetentionDisabled } from '../../retention/views.ts';
import { replacedArtifactKeptMs } from '../../source-maps/artifacts.ts';
import { attachmentsOfEventMax } from '../../store/events.ts';
import type { Project } from '../../store/projects.ts';
import type { RequestContext } from '../request-context.ts';

export type ProjectRetentionView = Awaited<ReturnType<typeof viewProjectRetention>>;

export interface ProjectLimitsView {
  /** Events of further new issues go into one overflow issue. */
  readonly new_issues_per_hour: number;
  readonly event_bytes: number;
}

export interface RegroupView {
  readonly newest: string;
  /** A dry run. */
  readonly look: string;
  readonly act: string;
}

export async function viewProjectRetention({ deps }: RequestContext, { id }: Project) {
  const { days, events, bytes } = deps.config.retention;
  const isKept = await isRetentionDisabled(deps.store);
  const limitOf = (limit: number): number | null => (isKept || limit === 0 ? null : limit);
  return {
    events_stored: await deps.store.countStoredEvents(id),
    /** Null: events are kept whatever their age. */
    events_days: limitOf(days),
    /** Null without a quota. */
    events_max: limitOf(events),
    bytes_max: limitOf(bytes),
    retention: await findRetentionNote(deps, id),
    attachments_per_event: attachmentsOfEventMax,
    replaced_artifacts_days: replacedArtifactKeptMs / dayMs,
  };
}

export const projectLimits: ProjectLimitsView = {
  new_issues_per_hour: newIssuesPerHourMax,
  event_bytes: eventBytesMax,
};

export function viewRegroupCommands({ name, groupingVersion }: Project): RegroupView | null {
  if (groupingVersion === newestGrouping) return null;
  const word = /^[\w.@-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const look = `${commandName} project regroup ${word}`;
  return { newest: newestGrouping, look, act: `${look} --yes` };
}
