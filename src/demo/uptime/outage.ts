// Times of updates are minutes after the start of the outage.
import type { AutomaticSeverity } from '../../core/store/incidents.ts';
import type { Colleague } from '../shared/company.ts';

export interface OutageUpdate {
  readonly minute: number;
  readonly by: Colleague;
  readonly isPublic: boolean;
  readonly body: string;
  readonly to?: 'identified' | 'monitoring' | 'resolved';
}

export interface PastOutage {
  readonly title: string;
  /** Start, in days before now. */
  readonly days: number;
  readonly severity: AutomaticSeverity;
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly code?: string;
  readonly minutes: number;
  readonly acknowledgedMinute: number;
  readonly lead: Colleague;
  readonly cause: string;
  /** The version that caused it and its issue. */
  readonly release?: string;
  readonly issue?: string;
  readonly updates: readonly OutageUpdate[];
  /** By the lead. */
  readonly postMortem?: {
    readonly isPublic: boolean;
    readonly text: string;
    readonly wentWell: string;
    readonly actions: ReadonlyArray<readonly [what: string, who: Colleague, done: boolean]>;
  };
}

export function publicUpdate(
  minute: number,
  by: Colleague,
  body: string,
  to?: OutageUpdate['to'],
): OutageUpdate {
  return { minute, by, isPublic: true, body, ...(to === undefined ? {} : { to }) };
}

export function teamUpdate(
  minute: number,
  by: Colleague,
  body: string,
  to?: OutageUpdate['to'],
): OutageUpdate {
  return { ...publicUpdate(minute, by, body, to), isPublic: false };
}

export function finalUpdate(minute: number, by: Colleague, body: string): OutageUpdate {
  return publicUpdate(minute, by, body, 'resolved');
}

export const mara = 'Mara Feld' as const;
export const ines = 'Ines Okafor' as const;
export const jun = 'Jun Park' as const;
export const tomas = 'Tomas Lindqvist' as const;
