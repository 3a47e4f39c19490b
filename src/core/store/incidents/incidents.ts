import type { EpochMs } from '../../parsing/timestamps.ts';

export type IncidentState = 'planned' | 'investigating' | 'identified' | 'monitoring' | 'resolved';

export const severities = ['critical', 'minor', 'planned'] as const;
export type Severity = (typeof severities)[number];
export type AutomaticSeverity = Exclude<Severity, 'planned'>;

export type LinkKind = 'issue' | 'release' | 'deploy' | 'test_run' | 'monitor' | 'component';

export interface IncidentLink {
  readonly kind: LinkKind;
  readonly id: number;
  readonly projectId: number | null;
  readonly name: string;
  readonly why: string;
  readonly beforeMs: number | null;
  /** Null while it is only suggested. */
  readonly linkedBy: string | null;
  readonly isDismissed: boolean;
}

export interface IncidentUpdate {
  readonly atMs: EpochMs;
  readonly author: string;
  readonly isPublic: boolean;
  readonly body: string;
  readonly from: IncidentState | null;
  readonly to: IncidentState | null;
}

export interface PostMortem {
  readonly author: string;
  readonly writtenAtMs: EpochMs;
  readonly isPublic: boolean;
  /** Absent where it is stored in parts. */
  readonly markdown?: string;
  readonly parts: ReadonlyArray<{ readonly heading: string; readonly paragraphs: readonly string[] }>;
  readonly actions: ReadonlyArray<{ readonly what: string; readonly who: string; readonly state: string }>;
}

export interface Incident {
  readonly id: number;
  readonly title: string;
  /** Whether a monitor or a rule made the title: it may hold internal names. Absent: a person did. */
  readonly isNamedByProgram?: boolean;
  readonly severity: Severity;
  readonly state: IncidentState;
  readonly projectId: number | null;
  readonly openedBy: string;
  readonly ruleId?: number | null;
  readonly lead: string | null;
  readonly startedAtMs: EpochMs;
  readonly acknowledgedAtMs: EpochMs | null;
  readonly identifiedAtMs: EpochMs | null;
  readonly mitigatedAtMs: EpochMs | null;
  readonly resolvedAtMs: EpochMs | null;
  readonly plannedEndAtMs: EpochMs | null;
  readonly cause: string;
  readonly affects: readonly IncidentLink[];
  readonly links: readonly IncidentLink[];
  readonly updates: readonly IncidentUpdate[];
  readonly helpers: readonly string[];
  readonly told: readonly string[];
  readonly usersAffected: number | null;
  readonly postMortem: PostMortem | null;
}

export type IncidentWithoutUpdates = Omit<Incident, 'updates'>;

export interface IncidentLinkFilter {
  readonly side: 'affects' | 'cause';
  readonly kind: LinkKind;
  readonly ids: readonly number[];
}
