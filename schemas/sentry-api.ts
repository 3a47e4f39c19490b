import { z } from 'zod';

const sha1 = z.string().regex(/^[0-9a-fA-F]{40}$/, { error: 'must be a SHA-1 hash in hexadecimal.' });

/** 100 MB in chunks of 1 MB, with a margin for smaller chunks. */
const bundleChunksMax = 1_000;

export const assembleRequest = z.looseObject({
  checksum: sha1,
  chunks: z.array(sha1).max(bundleChunksMax),
  version: z.string().nullish(),
  dist: z.string().nullish(),
});
export type AssembleRequest = z.infer<typeof assembleRequest>;

/** Of Sentry's change of several issues what sentry-cli sends, and what a plain script would. */
export const sentryIssueChange = z.strictObject({
  status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']),
  /** In minutes. */
  snoozeDuration: z.int().min(1).max(525_600).nullish(),
  ignoreDuration: z.int().min(1).max(525_600).nullish(),
});

export interface AssembleResponse {
  readonly state: 'not_found' | 'assembling' | 'ok' | 'error';
  readonly missingChunks: readonly string[];
  readonly detail?: string | null;
}

export interface SentryRelease {
  readonly version: string;
  readonly shortVersion: string;
  readonly status: 'open' | 'archived';
  readonly ref: string | null;
  readonly url: string | null;
  readonly dateCreated: string | null;
  readonly dateStarted: string | null;
  readonly dateReleased: string | null;
  readonly commitCount: number;
  readonly lastCommit: { readonly id: string } | null;
  /** Issues first seen in it. */
  readonly newGroups: number;
  readonly lastEvent: string | null;
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
}

/** Without members that need Sentry's repository integration. */
export interface SentryCommit {
  readonly id: string;
  readonly message: string | null;
  readonly dateCreated: string | null;
  readonly author: { readonly name: string | null; readonly email: string | null } | null;
  readonly repository: { readonly name: string } | null;
  readonly pullRequest: null;
  readonly releases: readonly [];
}

export interface SentryDeploy {
  readonly id: string;
  readonly environment: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly dateStarted: string | null;
  readonly dateFinished: string | null;
}

export interface SentryProject {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly dateCreated: string | null;
  readonly team: null;
}

/** There is one, and any name is accepted for it. */
export interface SentryOrganization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly dateCreated: string | null;
  readonly isEarlyAdopter: false;
  readonly require2FA: false;
  readonly requireEmailVerification: false;
  readonly features: readonly [];
}

export interface SentryIssue {
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly culprit: string;
  readonly permalink: string;
  readonly level: string;
  readonly status: 'unresolved' | 'resolved' | 'ignored';
  readonly substatus: string | null;
  readonly platform: string;
  readonly project: Pick<SentryProject, 'id' | 'slug' | 'name'>;
  /** A number as text. */
  readonly count: string;
  readonly userCount: number;
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
}

export interface SentryEvent {
  readonly id: string;
  readonly eventID: string;
  readonly groupID: string;
  readonly projectID: string;
  readonly title: string;
  readonly culprit: string;
  readonly dateCreated: string | null;
  readonly user: Readonly<Record<'id' | 'username' | 'email' | 'ip_address', string | null>> | null;
  readonly tags: ReadonlyArray<{ readonly key: string; readonly value: string }>;
}

export interface SentryMonitor {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
  readonly type: 'cron_job';
  readonly project: Pick<SentryProject, 'id' | 'slug' | 'name'>;
  readonly environments: ReadonlyArray<{
    readonly name: string;
    readonly status: 'ok' | 'error' | 'active' | 'disabled';
  }>;
}
