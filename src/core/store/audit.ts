// The audit log: entries are only appended, and each holds the hash of the one before.

export type ActorKind = 'member' | 'token' | 'key' | 'command' | 'system' | 'nobody';

export interface AuditActor {
  readonly kind: ActorKind;
  readonly id: number | null;
  /** Name at that time: a member's name, or the masked text of a key. */
  readonly name: string;
}

/** Texts are cut and cleaned when the entry is written (`src/core/audit/chain.ts`). */
export interface NewAuditEntry {
  readonly atMs: number;
  readonly actor: AuditActor;
  /** Object and verb, such as `issue.resolved`. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string | null;
  readonly objectName: string;
  readonly projectId: number | null;
  readonly summary: string;
  /** Network of the client, such as `198.51.100.0/24`, never an address; empty where there is none. */
  readonly network: string;
  readonly requestId: string | null;
  /** Name at that time of the API token that a member used. */
  readonly tokenName: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  /** 1, 2, 3 … without a gap. */
  readonly id: number;
  /** Zeros for the first entry. */
  readonly previousHash: string;
  /** SHA-256 of the entry including `previousHash`, 64 hex. */
  readonly hash: string;
}

/** With the current hash of the entry before it; null where that one is missing. */
export interface ListedAuditEntry extends AuditEntry {
  readonly hashBefore: string | null;
}

export interface AuditHead {
  readonly entries: number;
  readonly hash: string;
}

export interface AuditFilter {
  readonly actorKind: ActorKind | null;
  readonly actorName: string | null;
  /** A whole action, or the part before its dot, such as `issue`. */
  readonly action: string | null;
  readonly objectKind: string | null;
  readonly objectId: string | null;
  readonly projectId: number | null;
  readonly projectIds?: readonly number[];
  readonly requestId: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Entries older than `beforeId`, or the next ones newer than `afterId`, or the newest. */
interface AuditSlice {
  readonly beforeId?: number | null;
  readonly afterId?: number | null;
  readonly limit: number;
}

export interface AuditStore {
  /** Writers in all processes wait for each other until they commit. */
  addAuditEntry(entry: NewAuditEntry): Promise<AuditEntry>;
  auditHead(): Promise<AuditHead>;
  listAudit(filter: AuditFilter, slice: AuditSlice): Promise<ListedAuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<number>;
  /** Entries since a time by hour of the week: 0 is Monday 00:00 UTC, 167 is Sunday 23:00. */
  auditWeek(
    filter: AuditFilter,
    sinceMs: number,
  ): Promise<ReadonlyArray<{ readonly hour: number; readonly entries: number }>>;
  auditActors(limit: number): Promise<AuditActor[]>;
  walkAudit(afterId: number, limit: number): Promise<AuditEntry[]>;
}
