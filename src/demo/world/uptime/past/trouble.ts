// A trouble that a past week ended with: what was said and when, in minutes after it began. The times are
// made in incidents.ts.
import type { Severity } from '../../../../core/store/incidents/incidents.ts';

/** What was said, so many minutes after it began. */
export interface Said {
  readonly minute: number;
  readonly by: string;
  readonly isPublic: boolean;
  readonly body: string;
  readonly to?: 'identified' | 'monitoring' | 'resolved';
}

export interface PastTrouble {
  readonly title: string;
  readonly severity: Exclude<Severity, 'planned'>;
  readonly monitorSlug: string;
  readonly projectId: number | null;
  readonly kind: 'down' | 'degraded';
  readonly code: string;
  readonly minutes: number;
  readonly acknowledgedMinute: number;
  readonly lead: string;
  readonly helpers: readonly string[];
  readonly cause: string;
  /** Whether the project's planned release of the week brought it. */
  readonly isOfRelease: boolean;
  /** The issue that told of it; null where none did. */
  readonly issueId: number | null;
  readonly users: number | null;
  readonly said: readonly Said[];
  readonly postMortem: {
    readonly by: string;
    readonly isPublic: boolean;
    readonly text: string;
    readonly wentWell: string;
    readonly actions: ReadonlyArray<readonly [what: string, who: string, done: boolean]>;
  } | null;
}

/** Told to everybody at the end. */
export function over(minute: number, by: string, body: string): Said {
  return { minute, by, isPublic: true, body, to: 'resolved' };
}

export const mara = 'Mara Feld';
export const ines = 'Ines Okafor';
export const jun = 'Jun Park';
export const tomas = 'Tomas Lindqvist';
