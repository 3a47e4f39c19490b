// Limits and retention of a project, taken from the constants that are enforced.
import { eventBytesMax } from '../../envelopes/items.ts';
import { newestGrouping } from '../../grouping/versions.ts';
import { newIssuesPerHourMax } from '../../issues/life.ts';
import { dayMs } from '../../reading/spans.ts';
import { keepsAll, type RetentionNote, retentionNote } from '../../retention/views.ts';
import { replacedKeptMs } from '../../source-maps/artifacts.ts';
import { attachmentsOfEventMax } from '../../store/events.ts';
import type { Project } from '../../store/projects.ts';
import type { Visit } from '../visit.ts';

export interface KeepingView {
  readonly events_stored: number;
  /** Null: events are kept whatever their age. */
  readonly events_days: number | null;
  /** Null without a quota. */
  readonly events_max: number | null;
  readonly bytes_max: number | null;
  readonly retention: RetentionNote | null;
  readonly attachments_per_event: number;
  readonly replaced_artifacts_days: number;
}

export interface CapsView {
  /** Events of further new issues go into one overflow issue. */
  readonly new_issues_per_hour: number;
  readonly event_bytes: number;
}

/** Commands to move the project to the newest grouping config. */
export interface RegroupView {
  readonly newest: string;
  /** A dry run. */
  readonly look: string;
  readonly act: string;
}

export async function keepingView({ deps }: Visit, { id }: Project): Promise<KeepingView> {
  const { days, events, bytes } = deps.config.retention;
  const isKept = await keepsAll(deps.store);
  const limitOf = (limit: number): number | null => (isKept || limit === 0 ? null : limit);
  return {
    events_stored: await deps.store.countStoredEvents(id),
    events_days: limitOf(days),
    events_max: limitOf(events),
    bytes_max: limitOf(bytes),
    retention: await retentionNote(deps, id),
    attachments_per_event: attachmentsOfEventMax,
    replaced_artifacts_days: replacedKeptMs / dayMs,
  };
}

export const capsView: CapsView = {
  new_issues_per_hour: newIssuesPerHourMax,
  event_bytes: eventBytesMax,
};

export function regroupView({ name, groupingVersion }: Project): RegroupView | null {
  if (groupingVersion === newestGrouping) return null;
  const word = /^[\w.@-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const look = `notifier project regroup ${word}`;
  return { newest: newestGrouping, look, act: `${look} --yes` };
}
