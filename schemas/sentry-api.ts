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
  readonly newGroups: number;
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
