import type { EpochMs } from '../parsing/timestamps.ts';
import type { ActorAndTime } from './issues.ts';

export interface IssueLink {
  readonly id: number;
  /** Also of issues that were merged into it. */
  readonly issueId: number;
  readonly url: string;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
}

export interface TriageSettings {
  /** As typed. */
  readonly ownershipRules: string;
  readonly assignsOwners: boolean;
  /** An https URL without a slash at its end; empty for none. */
  readonly repositoryUrl: string;
}

export interface TriageStore {
  findTriageSettings(projectId: number): Promise<TriageSettings | null>;
  writeTriageSettings(projectId: number, settings: TriageSettings): Promise<void>;
  /** Oldest first, at most `issueLinksMax`. */
  listIssueLinks(projectId: number, issueId: number): Promise<IssueLink[]>;
  /** Null where the issue has this URL already. */
  addIssueLink(
    link: Omit<IssueLink, 'id'> & { readonly projectId: number },
    actor: string,
  ): Promise<IssueLink | null>;
  removeIssueLink(projectId: number, linkId: number, action: ActorAndTime): Promise<boolean>;
}

export const issueLinksMax = 20;
