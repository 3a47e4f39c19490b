import type { EpochMs } from '../parsing/timestamps.ts';

export interface Domain {
  readonly id: number;
  readonly projectId: number;
  /** Exact host in lower-case ASCII, or `*.example.com`. */
  readonly host: string;
  readonly bugReports: boolean;
  readonly errors: boolean;
  /** Share of events that is kept, 0 to 1. */
  readonly sampling: number;
  readonly allowedOrigins: readonly string[];
  readonly verificationId: string | null;
  readonly createdAtMs: EpochMs;
}

export type DomainChange = Partial<
  Pick<Domain, 'bugReports' | 'errors' | 'sampling' | 'allowedOrigins' | 'verificationId'>
>;

export interface DomainStore {
  /** Adds a host; returns the existing one with `created: false`. */
  addDomain(domain: {
    projectId: number;
    host: string;
    bugReports: boolean;
    createdAtMs: EpochMs;
  }): Promise<{ domain: Domain; created: boolean }>;
  listDomains(projectId: number): Promise<Domain[]>;
  findDomain(projectId: number, domainId: number): Promise<Domain | null>;
  changeDomain(projectId: number, domainId: number, change: DomainChange): Promise<Domain | null>;
  deleteDomain(projectId: number, domainId: number): Promise<Domain | null>;
}

export type VerificationScope = 'host' | 'subdomains';

export const verificationMethods = ['dns_txt', 'http_file', 'html_meta'] as const;

export type VerificationMethod = (typeof verificationMethods)[number];

/** Nothing else about the checked server is shown. */
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

export interface DomainVerification {
  /** `dv_` and 22 characters of [A-Za-z0-9]. */
  readonly id: string;
  readonly projectId: number;
  readonly domain: string;
  readonly scope: VerificationScope;
  readonly method: 'any' | VerificationMethod;
  readonly label: string | null;
  /** 32 random bytes as base64url, different for each project, domain and scope. */
  readonly token: string;
  readonly tokenIssuedAtMs: EpochMs;
  readonly status: ProofStatus;
  readonly createdAtMs: EpochMs;
  readonly expiresAtMs: EpochMs | null;
  readonly verifiedAtMs: EpochMs | null;
  readonly verifiedBy: VerificationMethod | null;
  readonly lastCheckedAtMs: EpochMs | null;
  readonly nextCheckAtMs: EpochMs | null;
  readonly failures: number;
  readonly failingSinceMs: EpochMs | null;
  readonly lastError: CheckFailure | null;
}

export interface VerificationCheck {
  readonly atMs: EpochMs;
  /** True when requested by a user or API client, false when scheduled. */
  readonly isManual: boolean;
  readonly outcome: 'ok' | CheckFailure;
  readonly status: DomainVerification['status'];
  readonly found: ReadonlyArray<{ readonly type: VerificationMethod; readonly code: 'ok' | CheckFailure }>;
}

export interface DomainVerificationStore {
  /** Records a check that does not change the verification. The newest 50 are kept. */
  addVerificationCheck(
    proof: Pick<DomainVerification, 'id' | 'projectId'>,
    check: VerificationCheck,
  ): Promise<void>;
  listVerificationChecks(proof: Pick<DomainVerification, 'id' | 'projectId'>): Promise<VerificationCheck[]>;
  /** Renews a lapsed, expired or revoked one of the same host and scope. Null when there are `proofsMax`. */
  insertDomainVerification(
    proof: DomainVerification,
    limits: { proofsMax: number },
  ): Promise<{ proof: DomainVerification; created: boolean } | null>;
  findDomainVerification(projectId: number, id: string): Promise<DomainVerification | null>;
  listDomainVerifications(projectId: number): Promise<DomainVerification[]>;
  /** Pending or failing ones, oldest first. */
  listUnsettledVerifications(projectIds: readonly number[], limit: number): Promise<DomainVerification[]>;
  /** False when its status changed since it was read. */
  saveDomainVerification(
    proof: DomainVerification,
    readAs: Pick<DomainVerification, 'status' | 'token' | 'failures'>,
    check?: VerificationCheck,
  ): Promise<boolean>;
  /** Claims verifications whose re-check is due: no other process claims them for `leaseMs`. */
  claimDueVerifications(nowMs: EpochMs, leaseMs: number, limit: number): Promise<DomainVerification[]>;
}
