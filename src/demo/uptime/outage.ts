// Times of updates are minutes after the start of the outage.
import { minuteMs } from '../../core/parsing/durations.ts';
import type { AutomaticSeverity } from '../../core/store/incidents.ts';
import type { Colleague } from '../shared/company.ts';

export interface OutageUpdate {
  readonly minute: number;
  readonly by: Colleague;
  readonly isPublic: boolean;
  readonly body: string;
  readonly to?: 'identified' | 'monitoring' | 'resolved';
}

export interface Outage {
  readonly title: string;
  /** Start, in days before now. */
  readonly days: number;
  readonly severity: AutomaticSeverity;
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly code?: string;
  /** What the check found; made of `kind` and `code` by default. */
  readonly reason?: string;
  /** The last public update, by the lead; undefined while it goes on. */
  readonly end?: { readonly minute: number; readonly body: string };
  readonly acknowledgedMinute: number;
  readonly lead: Colleague;
  readonly cause?: string;
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

export function checkMessage({ kind, code = '', reason }: Outage): string {
  if (reason !== undefined) return reason;
  if (kind === 'degraded') return 'takes longer than it should';
  return code === ''
    ? 'does not respond'
    : /^\d+$/.test(code)
      ? `returns status ${code}`
      : `the run was ${code}`;
}

/** When the monitor was up again; people report it a minute later. */
export function recoveredAtMs({ updates, end }: Outage, startedAtMs: number): number {
  if (end === undefined) return Number.POSITIVE_INFINITY;
  const { minute } = updates.find(({ to }) => to === 'monitoring') ?? end;
  return startedAtMs + (minute - 1) * minuteMs;
}
