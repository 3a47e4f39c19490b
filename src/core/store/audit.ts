// The audit history, as the store keeps it: entries that follow each other and never change. Types alone.

/** Who acted: a member, the workspace's token, a project's key, the command line, or the program itself. */
export type ActorKind = 'member' | 'token' | 'key' | 'command' | 'system' | 'nobody';

export interface AuditActor {
  readonly kind: ActorKind;
  /** The member's or key's number; null for the others. */
  readonly id: number | null;
  /** As it was at that time: a member's name, a key's masked text. */
  readonly name: string;
}

/** What is told of an act; texts are cut and made plain where it is written (`src/core/audit/chain.ts`). */
export interface NewAuditEntry {
  readonly atMs: number;
  readonly actor: AuditActor;
  /** `issue.resolved`: what it was done to, and what was done. */
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string | null;
  readonly objectName: string;
  readonly projectId: number | null;
  /** What changed, in a few words; may be empty. */
  readonly summary: string;
  /** The net that it came from, never an address; empty where it came from no network. */
  readonly net: string;
  readonly requestId: string | null;
}

export interface AuditEntry extends NewAuditEntry {
  /** 1, 2, 3 … without a gap. */
  readonly id: number;
  /** The hash of the entry before; of zeros for the first. */
  readonly previousHash: string;
  /** sha256 of the entry with `previousHash`, as 64 hex. */
  readonly hash: string;
}

/** An entry with the hash that the one before it has now; null where that one is not there. */
export interface ListedAuditEntry extends AuditEntry {
  readonly hashBefore: string | null;
}

/** The end of the chain: how many entries there are, and the hash of the newest. */
export interface AuditHead {
  readonly entries: number;
  readonly hash: string;
}

/** Which entries are asked for; what is null is not asked. */
export interface AuditFilter {
  readonly actorKind: ActorKind | null;
  readonly actorName: string | null;
  /** An action, or what it begins with up to its dot: `issue`. */
  readonly action: string | null;
  readonly objectKind: string | null;
  readonly objectId: string | null;
  readonly projectId: number | null;
  readonly requestId: string | null;
  /** From this moment on. */
  readonly fromMs: number | null;
  /** Before this moment. */
  readonly toMs: number | null;
}

/** Which slice: older than `beforeId`, or newer than `afterId` (those next to it), or the newest. */
export interface AuditSlice {
  readonly beforeId?: number | null;
  readonly afterId?: number | null;
  readonly limit: number;
}

export interface AuditStore {
  /**
   * Appends an entry to the chain. Writers take turns until they commit, in however many processes: called
   * within `together` it is written with the act that it tells of, or not at all.
   */
  addAuditEntry(entry: NewAuditEntry): Promise<AuditEntry>;
  auditHead(): Promise<AuditHead>;
  /** Entries that fit, newest first. */
  listAudit(filter: AuditFilter, slice: AuditSlice): Promise<ListedAuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<number>;
  /** How many since a moment fit in each hour of the week: 0 is Monday 00:00 UTC, 167 Sunday 23:00. */
  auditWeek(
    filter: AuditFilter,
    sinceMs: number,
  ): Promise<ReadonlyArray<{ readonly hour: number; readonly entries: number }>>;
  /** Who acted lately, each once, at most `limit`. */
  auditActors(limit: number): Promise<AuditActor[]>;
  /** Entries as they stand, in the order of their numbers, after one: for who walks the chain. */
  walkAudit(afterId: number, limit: number): Promise<AuditEntry[]>;
}
