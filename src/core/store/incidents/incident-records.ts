import type { EpochMs } from '../../parsing/timestamps.ts';
import type {
  AutomaticSeverity,
  Incident,
  IncidentLink,
  IncidentLinkFilter,
  IncidentUpdate,
  IncidentWithoutUpdates,
  LinkKind,
} from './incidents.ts';

export interface IncidentRecord extends Incident {
  readonly monitorId: number | null;
  /** Whether a person changed it: then it is not resolved automatically. */
  readonly isHandled: boolean;
  /** Grows with each change. A change is refused when the version is not the one that was read. */
  readonly version: number;
}

export type IncidentChange = Pick<
  IncidentRecord,
  | 'title'
  | 'severity'
  | 'state'
  | 'lead'
  | 'cause'
  | 'acknowledgedAtMs'
  | 'identifiedAtMs'
  | 'mitigatedAtMs'
  | 'resolvedAtMs'
  | 'isHandled'
  | 'postMortem'
>;

export type NewIncident = Pick<
  IncidentRecord,
  | 'projectId'
  | 'monitorId'
  | 'title'
  | 'severity'
  | 'openedBy'
  | 'lead'
  | 'cause'
  | 'startedAtMs'
  | 'acknowledgedAtMs'
  | 'isHandled'
  | 'affects'
> & {
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
  readonly thing: { readonly kind: LinkKind; readonly id: number; readonly name: string } | null;
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
  findIncident(id: number): Promise<Incident | null>;

  openIncident(incident: NewIncident): Promise<IncidentRecord>;
  listIncidentHeads(projectId: number): Promise<readonly IncidentRecord[]>;
  listIncidentRecords(ids: readonly number[] | null): Promise<readonly IncidentRecord[]>;
  findIncidentRecord(id: number): Promise<IncidentRecord | null>;
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
