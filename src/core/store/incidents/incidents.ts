// Incidents as the store keeps them: types alone.
import type { EpochMs } from '../../reading/moments.ts';

export type IncidentState = 'planned' | 'investigating' | 'identified' | 'monitoring' | 'resolved';

export const severities = ['critical', 'minor', 'planned'] as const;
export type Severity = (typeof severities)[number];
/** Planned work is not opened by what goes wrong. */
export type OpenedSeverity = Exclude<Severity, 'planned'>;

/** What an incident may be linked to, and what it may affect. */
export type LinkKind = 'issue' | 'release' | 'deploy' | 'test_run' | 'monitor' | 'component';

export interface IncidentLink {
  readonly kind: LinkKind;
  /** The API's number of the thing. */
  readonly id: number;
  readonly projectId: number | null;
  /** As it is called: `#1061`, `checkout-api 2.31.0`. */
  readonly name: string;
  /** Why it is linked, or proposed. */
  readonly why: string;
  /** How long before the incident it was; null where that says nothing. */
  readonly beforeMs: number | null;
  /** Linked by whom; null while it is only proposed; `dismissed` says that somebody set it aside. */
  readonly linkedBy: string | null;
  readonly isDismissed: boolean;
}

export interface IncidentUpdate {
  readonly atMs: EpochMs;
  readonly author: string;
  readonly isPublic: boolean;
  /** Plain text. */
  readonly body: string;
  /** A change of the state, where the update brought one. */
  readonly from: IncidentState | null;
  readonly to: IncidentState | null;
}

export interface PostMortem {
  readonly author: string;
  readonly writtenAtMs: EpochMs;
  readonly isPublic: boolean;
  /** As it was written; absent where it stands in parts. */
  readonly markdown?: string;
  /** Headings with their paragraphs, plain text. */
  readonly parts: ReadonlyArray<{ readonly heading: string; readonly paragraphs: readonly string[] }>;
  readonly actions: ReadonlyArray<{ readonly what: string; readonly who: string; readonly state: string }>;
}

export interface Incident {
  readonly id: number;
  readonly title: string;
  /** Whether a monitor or a rule gave the title: it holds names that are the team's. Absent: a person did. */
  readonly isNamedByProgram?: boolean;
  readonly severity: Severity;
  readonly state: IncidentState;
  readonly projectId: number | null;
  /** Who or what opened it: a monitor's or a member's name. */
  readonly openedBy: string;
  /** The rule that opened it; absent, or null, where it was none. */
  readonly ruleId?: number | null;
  readonly lead: string | null;
  readonly startedAtMs: EpochMs;
  readonly acknowledgedAtMs: EpochMs | null;
  readonly identifiedAtMs: EpochMs | null;
  readonly mendedAtMs: EpochMs | null;
  /** Null while it goes on. */
  readonly resolvedAtMs: EpochMs | null;
  /** When planned work ends; null for others. */
  readonly plannedEndAtMs: EpochMs | null;
  /** The cause in a few words; empty while nobody knows. */
  readonly cause: string;
  /** Monitors and components that it hits. */
  readonly affects: readonly IncidentLink[];
  /** Linked, proposed and set aside; the likeliest first. */
  readonly links: readonly IncidentLink[];
  /** Newest first. */
  readonly updates: readonly IncidentUpdate[];
  /** Names of those who helped, and of the channels that were told. */
  readonly helpers: readonly string[];
  readonly told: readonly string[];
  /** Users of the linked issues while it went on; null where that is not known. */
  readonly usersAffected: number | null;
  readonly postMortem: PostMortem | null;
}

/** An incident without what was said of it, which may be much. */
export type IncidentHead = Omit<Incident, 'updates'>;

/** Things of one kind that incidents hit, or that have to do with them. */
export interface IncidentTie {
  readonly side: 'affects' | 'cause';
  readonly kind: LinkKind;
  readonly ids: readonly number[];
}
