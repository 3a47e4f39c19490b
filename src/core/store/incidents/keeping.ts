// What incidents are made of in the store, beside what pages look at (incidents.ts): types alone.
import type { EpochMs } from '../../reading/moments.ts';
import type {
  Incident,
  IncidentHead,
  IncidentLink,
  IncidentTie,
  IncidentUpdate,
  LinkKind,
  OpenedSeverity,
} from './incidents.ts';

export interface KeptIncident extends Incident {
  /** The monitor that opened it; null where somebody did. */
  readonly monitorId: number | null;
  /** Whether a person did something with it: then it is not over by itself. */
  readonly isTouched: boolean;
  /** Grows with each change: who changes it writes only onto what was read. */
  readonly version: number;
}

/** All of it is written. */
export type IncidentChange = Pick<
  KeptIncident,
  | 'title'
  | 'severity'
  | 'state'
  | 'lead'
  | 'cause'
  | 'acknowledgedAtMs'
  | 'identifiedAtMs'
  | 'mendedAtMs'
  | 'resolvedAtMs'
  | 'isTouched'
  | 'postMortem'
>;

export type NewIncident = Pick<
  KeptIncident,
  | 'projectId'
  | 'monitorId'
  | 'title'
  | 'severity'
  | 'openedBy'
  | 'lead'
  | 'cause'
  | 'startedAtMs'
  | 'acknowledgedAtMs'
  | 'isTouched'
  | 'affects'
> & {
  readonly update: IncidentUpdate;
  /** What is linked from the beginning. */
  readonly causes?: readonly IncidentLink[];
  /** The rule that opens it, and what it found in a word. */
  readonly ofRule?: { readonly ruleId: number; readonly object: string };
};

/** Something that a rule found which opens incidents. */
export interface RuleFinding {
  readonly rule: { readonly id: number; readonly name: string; readonly severity: OpenedSeverity };
  readonly projectId: number | null;
  /** What it is in a word: found again while its incident goes on, it opens no other. */
  readonly object: string;
  /** What happened, in a line. */
  readonly title: string;
  /** What is said of it at first. */
  readonly said: string;
  readonly atMs: EpochMs;
  /** What was found, where incidents are linked to such. */
  readonly thing: { readonly kind: LinkKind; readonly id: number; readonly name: string } | null;
}

/** What may have led to an incident. */
export type CauseKind = Extract<LinkKind, 'issue' | 'release' | 'deploy' | 'test_run'>;

/** A thing that may be a cause, as links name it. */
export interface Cause {
  readonly projectId: number;
  readonly name: string;
  readonly atMs: EpochMs;
}

/** What happens with an incident when its monitor's state changes, or its rule finds something. */
export type Following =
  | { readonly does: 'open'; readonly incident: NewIncident }
  | { readonly does: 'change'; readonly change: IncidentChange; readonly update: IncidentUpdate | null };

export interface IncidentStore {
  /** Those that began or went on from `fromMs` on, the newest first. */
  listIncidents(fromMs: EpochMs): Promise<readonly Incident[]>;
  /** Those of them that have to do with some things, linked, proposed or set aside. */
  listTiedIncidents(tie: IncidentTie, fromMs: EpochMs): Promise<readonly IncidentHead[]>;
  /** Those that go on or are planned, each with the newest of its updates alone. */
  listOpenIncidents(): Promise<readonly Incident[]>;
  findIncident(id: number): Promise<Incident | null>;

  openIncident(incident: NewIncident): Promise<KeptIncident>;
  /** Those of a project, the newest first, without what was said of them. */
  listIncidentHeads(projectId: number): Promise<readonly KeptIncident[]>;
  /** Whole: all of them, the newest first, or those of these numbers that are there, in no order. */
  listKeptIncidents(ids: readonly number[] | null): Promise<readonly KeptIncident[]>;
  /** With what its time proposes as causes. */
  findKeptIncident(id: number): Promise<KeptIncident | null>;
  /** Those of these that are there, each with the newest of its updates alone. */
  listIncidentsOf(ids: readonly number[]): Promise<readonly Incident[]>;
  countOpenIncidents(projectId: number | null): Promise<number>;
  /** Null where it is gone, or was changed since it was read. */
  changeIncident(
    incident: Pick<KeptIncident, 'id' | 'version'>,
    change: IncidentChange,
    said: { readonly update: IncidentUpdate | null; readonly link: IncidentLink | null },
  ): Promise<KeptIncident | null>;
  /** The number of what a monitor opened and goes on; null where there is none. */
  openOfMonitor(monitorId: number): Promise<number | null>;
  /**
   * Opens the incident of what a rule found, or goes on with the one that is open. Answers its number; null
   * where none is opened.
   */
  followRule(finding: RuleFinding): Promise<number | null>;
  deleteIncident(id: number): Promise<KeptIncident | null>;
  /** A thing of a project, or of any where it is null; null where there is none. */
  findCause(projectId: number | null, kind: CauseKind, id: number): Promise<Cause | null>;
}
