// What a project keeps and for how long, what it takes at most whatever its rates are, and whether it is
// grouped by an older rule: from the rules themselves, so that the page promises what holds.
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
  /** After so many days events go, but for those that are promised; null: they stay. */
  readonly events_days: number | null;
  /** The most that are stored; null where there is no such quota. */
  readonly events_max: number | null;
  readonly bytes_max: number | null;
  /** What would go and is held back. */
  readonly retention: RetentionNote | null;
  readonly attachments_per_event: number;
  /** How long a file stays that another of its name took the place of. */
  readonly replaced_artifacts_days: number;
}

export interface CapsView {
  /** What is new beyond them is filed as one issue. */
  readonly new_issues_per_hour: number;
  readonly event_bytes: number;
}

/** The rule that the project is grouped by is not the newest: how to get there. */
export interface RegroupView {
  readonly newest: string;
  /** Shows what would change, and changes nothing. */
  readonly look: string;
  readonly act: string;
}

/** What is kept of a project. */
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

/** What every project takes at most. */
export const capsView: CapsView = {
  new_issues_per_hour: newIssuesPerHourMax,
  event_bytes: eventBytesMax,
};

/** The lines that bring a project to the newest rule; null where it goes by that. */
export function regroupView({ name, groupingVersion }: Project): RegroupView | null {
  if (groupingVersion === newestGrouping) return null;
  const word = /^[\w.@-]+$/.test(name) && !name.startsWith('-') ? name : `'${name.replaceAll("'", `'\\''`)}'`;
  const look = `notifier project regroup ${word}`;
  return { newest: newestGrouping, look, act: `${look} --yes` };
}
