// Domains and their proofs as the store keeps them: types alone.
import type { EpochMs } from '../reading/moments.ts';

export interface Domain {
  readonly id: number;
  readonly projectId: number;
  /** Exact host in lower-case ASCII, or `*.example.com`. */
  readonly host: string;
  readonly bugReports: boolean;
  readonly errors: boolean;
  /** Share of events kept, 0 to 1. */
  readonly sampling: number;
  readonly allowedOrigins: readonly string[];
  readonly verificationId: string | null;
  readonly createdAtMs: EpochMs;
}

export type DomainChange = Partial<
  Pick<Domain, 'bugReports' | 'errors' | 'sampling' | 'allowedOrigins' | 'verificationId'>
>;

export interface DomainStore {
  /** Adds a host to a project, or answers the one that is there with `created: false`. */
  addDomain(domain: {
    projectId: number;
    host: string;
    bugReports: boolean;
    createdAtMs: EpochMs;
  }): Promise<{ domain: Domain; created: boolean }>;
  listDomains(projectId: number): Promise<Domain[]>;
  findDomain(projectId: number, domainId: number): Promise<Domain | null>;
  changeDomain(projectId: number, domainId: number, change: DomainChange): Promise<Domain | null>;
  /** Removes a host and answers what it was; null for an id that names none of the project. */
  deleteDomain(projectId: number, domainId: number): Promise<Domain | null>;
}

/** What a proof is about: the one host, or that host and all names below it (D-22). */
export type ProofScope = 'host' | 'subdomains';

export const proofMethods = ['dns_txt', 'http_file', 'html_meta'] as const;

export type ProofMethod = (typeof proofMethods)[number];

/** The words a failed check may say (D-29); nothing else about the far side ever leaves a check. */
export type CheckFailure =
  | 'nxdomain'
  | 'no_record'
  | 'mismatch'
  | 'timeout'
  | 'refused_address'
  | 'tls'
  | 'too_large'
  | 'redirect'
  | 'unreachable'
  | 'bad_response'
  | `status_${number}`;

type ProofStatus = 'pending' | 'verified' | 'failing' | 'lapsed' | 'expired' | 'revoked';

export interface DomainProof {
  /** `dv_` and 22 of [A-Za-z0-9]. */
  readonly id: string;
  readonly projectId: number;
  /** Lower-case ASCII. */
  readonly domain: string;
  readonly scope: ProofScope;
  readonly method: 'any' | ProofMethod;
  readonly label: string | null;
  /** 32 random bytes as base64url: one project, one domain, one scope. */
  readonly token: string;
  readonly tokenIssuedAtMs: EpochMs;
  readonly status: ProofStatus;
  readonly createdAtMs: EpochMs;
  /** When a pending proof ends; null in every other state. */
  readonly expiresAtMs: EpochMs | null;
  readonly verifiedAtMs: EpochMs | null;
  readonly verifiedBy: ProofMethod | null;
  readonly lastCheckedAtMs: EpochMs | null;
  readonly nextCheckAtMs: EpochMs | null;
  /** Checks failed in a row. */
  readonly failures: number;
  /** When the first of those was. */
  readonly failingSinceMs: EpochMs | null;
  readonly lastError: CheckFailure | null;
}

/** One look at a proof. */
export interface DomainLook {
  readonly atMs: EpochMs;
  /** Somebody asked for it; else it was made when its time had come. */
  readonly asked: boolean;
  /** `ok`, or the failure that counts. */
  readonly outcome: 'ok' | CheckFailure;
  /** How the proof stood after it. */
  readonly status: DomainProof['status'];
  /** What each way that was looked at found. */
  readonly found: ReadonlyArray<{ readonly type: ProofMethod; readonly code: 'ok' | CheckFailure }>;
}

export interface DomainLookStore {
  /** Writes down a look that changes nothing of its proof. Of each proof the newest 50 are kept. */
  keepLook(proof: Pick<DomainProof, 'id' | 'projectId'>, look: DomainLook): Promise<void>;
  /** The looks of a proof that are kept, newest first. */
  listLooks(proof: Pick<DomainProof, 'id' | 'projectId'>): Promise<DomainLook[]>;
}

export interface DomainVerificationStore extends DomainLookStore {
  /**
   * Stores a proof; where the project has one of this domain and scope, that one is renewed if it lapsed,
   * expired or was revoked, and otherwise answered as it is with `created: false`. Null when the project
   * holds `proofsMax` already.
   */
  createProof(
    proof: DomainProof,
    limits: { proofsMax: number },
  ): Promise<{ proof: DomainProof; created: boolean } | null>;
  findProof(projectId: number, id: string): Promise<DomainProof | null>;
  /** All proofs of a project, oldest first. */
  listProofs(projectId: number): Promise<DomainProof[]>;
  /** Those of some projects that wait, or whose checks fail: these end. The oldest first. */
  listUnsettledProofs(projectIds: readonly number[], limit: number): Promise<DomainProof[]>;
  /**
   * Writes a proof if it is still in the state it was read in, and with it the look that it comes of; false
   * when another hand was faster.
   */
  saveProof(
    proof: DomainProof,
    readAs: Pick<DomainProof, 'status' | 'token' | 'failures'>,
    look?: DomainLook,
  ): Promise<boolean>;
  /**
   * Takes up to `limit` proofs whose re-check is due, and puts it off by `leaseMs` so that nobody else takes
   * them.
   */
  claimDueProofs(nowMs: EpochMs, leaseMs: number, limit: number): Promise<DomainProof[]>;
}
