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
