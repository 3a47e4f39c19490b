// A trouble of the past: when, at which monitor, and what people said of it, in minutes after it began.
import type { OpenedSeverity } from '../../core/store/incidents/incidents.ts';
import type { Colleague } from '../shared/company.ts';

/** What was said, so many minutes after it began. */
export interface Said {
  readonly minute: number;
  readonly by: Colleague;
  readonly isPublic: boolean;
  readonly body: string;
  readonly to?: 'identified' | 'monitoring' | 'resolved';
}

export interface PastTrouble {
  readonly title: string;
  /** Days before now at which it began. */
  readonly days: number;
  readonly severity: OpenedSeverity;
  /** The slug of the monitor that saw it. */
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly code: string;
  readonly minutes: number;
  readonly acknowledgedMinute: number;
  readonly lead: Colleague;
  readonly helpers: readonly Colleague[];
  readonly cause: string;
  /** The version that brought it, and the issue that told of it; null for none. */
  readonly release: string | null;
  readonly issue: string | null;
  readonly said: readonly Said[];
  readonly postMortem: {
    readonly by: Colleague;
    readonly isPublic: boolean;
    readonly text: string;
    readonly wentWell: string;
    readonly actions: ReadonlyArray<readonly [what: string, who: Colleague, done: boolean]>;
  } | null;
}

/** Told to everybody at the end. */
export function over(minute: number, by: Colleague, body: string): Said {
  return { minute, by, isPublic: true, body, to: 'resolved' };
}

export const mara = 'Mara Feld' as const;
export const ines = 'Ines Okafor' as const;
export const jun = 'Jun Park' as const;
export const tomas = 'Tomas Lindqvist' as const;
