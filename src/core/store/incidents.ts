import type { EpochMs } from '../parsing/timestamps.ts';

export interface IncidentRecord extends Incident {
  readonly monitorId: number | null;
  /** Whether a person changed it: then it is not resolved automatically. */
  readonly isHandled: boolean;
  /** Grows with each change. A change is refused when the version is not the one that was read. */
  readonly version: number;
}

type IncidentFields = Pick<
  IncidentRecord,
  'title' | 'severity' | 'lead' | 'cause' | 'acknowledgedAtMs' | 'isHandled'
>;

export type IncidentChange = IncidentFields &
  Pick<IncidentRecord, 'state' | 'identifiedAtMs' | 'mitigatedAtMs' | 'resolvedAtMs' | 'postMortem'>;

export type NewIncident = IncidentFields &
  Pick<IncidentRecord, 'projectId' | 'monitorId' | 'openedBy' | 'startedAtMs' | 'affects'> & {
    readonly update: IncidentUpdate;
    readonly causes?: readonly IncidentLink[];
    readonly ofRule?: { readonly ruleId: number; readonly object: string };
  };

export interface RuleMatch {
  readonly rule: { readonly id: number; readonly name: string; readonly severity: AutomaticSeverity };
  readonly projectId: number | null;
  /** Key of the object. While its incident is open, another match does not open a second one. */
  readonly object: string;
  readonly title: string;
  readonly description: string;
  readonly atMs: EpochMs;
  readonly linkedObject: { readonly kind: LinkKind; readonly id: number; readonly name: string } | null;
}

export type CauseKind = Extract<LinkKind, 'issue' | 'release' | 'deploy' | 'test_run'>;

export interface Cause {
  readonly projectId: number;
  readonly name: string;
  readonly atMs: EpochMs;
}

export type IncidentEffect =
  | { readonly does: 'open'; readonly incident: NewIncident }
  | { readonly does: 'change'; readonly change: IncidentChange; readonly update: IncidentUpdate | null };

export interface IncidentStore {
  listIncidents(fromMs: EpochMs): Promise<readonly Incident[]>;
  listLinkedIncidents(tie: IncidentLinkFilter, fromMs: EpochMs): Promise<readonly IncidentWithoutUpdates[]>;
  listOpenIncidents(): Promise<readonly Incident[]>;

  openIncident(incident: NewIncident): Promise<IncidentRecord>;
  listIncidentHeads(projectId: number): Promise<readonly IncidentRecord[]>;
  listIncidentRecords(ids: readonly number[] | null): Promise<readonly IncidentRecord[]>;
  findIncident(id: number): Promise<IncidentRecord | null>;
  listIncidentsOf(ids: readonly number[]): Promise<readonly Incident[]>;
  countOpenIncidents(projectId: number | null): Promise<number>;
  /** Null when it was deleted, or changed since it was read. */
  changeIncident(
    incident: Pick<IncidentRecord, 'id' | 'version'>,
    change: IncidentChange,
    added: { readonly update: IncidentUpdate | null; readonly link: IncidentLink | null },
  ): Promise<IncidentRecord | null>;
  openOfMonitor(monitorId: number): Promise<number | null>;
  /** Opens an incident for a match of a rule, or updates the open one. Null where none is opened. */
  applyRuleMatch(finding: RuleMatch): Promise<number | null>;
  deleteIncident(id: number): Promise<IncidentRecord | null>;
  findCause(projectId: number | null, kind: CauseKind, id: number): Promise<Cause | null>;
}

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

interface IncidentLinkFilter {
  readonly side: 'affects' | 'cause';
  readonly kind: LinkKind;
  readonly ids: readonly number[];
}
