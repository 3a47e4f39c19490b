// docs/releases.md
import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { dateOrTimestamp, limitedText, metadata, urlCharactersMax } from './fields.ts';

const commitsMax = 1000;
const refsMax = 100;
const patchSetMax = 2000;
/** Longer commit messages are truncated. */
export const commitMessageCharactersMax = 16_384;

export const releaseCommit = z.looseObject({
  id: limitedText(64).refine((value) => value.trim() !== '', { error: 'must be at least 1 character long.' }),
  repository: limitedText(200).nullish(),
  message: z.string().nullish(),
  author_name: limitedText(128).nullish(),
  author_email: limitedText(254).nullish(),
  timestamp: dateOrTimestamp.nullish(),
  patch_set: z
    .array(z.looseObject({ path: limitedText(1024), type: z.enum(['A', 'M', 'D']) }))
    .max(patchSetMax)
    .nullish(),
});
export type ReleaseCommit = z.infer<typeof releaseCommit>;

export const releaseRef = z.looseObject({
  repository: limitedText(200),
  commit: limitedText(129),
  previous_commit: limitedText(64).nullish(),
});

export const releaseRequest = z.looseObject({
  version: z
    .string()
    .nullish()
    .describe('Version: 1 to 200 characters, without slashes, backslashes and control characters.'),
  release: z.string().nullish().describe('Alias of version.'),
  appVersion: z.string().nullish().describe('Alias of version.'),
  ref: limitedText(250).nullish().describe('A commit reference.'),
  url: limitedText(urlCharactersMax).nullish().describe('An http or https URL without credentials.'),
  date_started: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateStarted: dateOrTimestamp.nullish().describe('Alias of date_started.'),
  date_released: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateReleased: dateOrTimestamp.nullish().describe('Alias of date_released.'),
  finalize: z
    .boolean()
    .nullish()
    .describe('Whether the release is released now, if it has no release date yet.'),
  status: z.enum(['open', 'archived']).nullish(),
  commits: z.array(releaseCommit).max(commitsMax).nullish(),
  refs: z.array(releaseRef).max(refsMax).nullish(),
  metadata: metadata.nullish().describe('At most 50 scalars, 16 KiB as JSON.'),
});
export type ReleaseRequest = z.infer<typeof releaseRequest>;

const releaseResponse = z.object({
  accepted: z.literal(true),
  release_id: z.number().int(),
  version: z.string(),
  created: z.boolean(),
  url: z.string().optional(),
});
export type ReleaseResponse = z.infer<typeof releaseResponse>;

/** Lists omit `commits`, `refs` and issue ids. */
export interface ReleaseView {
  readonly release_id: number;
  readonly version: string;
  readonly package: string | null;
  readonly ref: string | null;
  readonly url: string | null;
  readonly status: 'open' | 'archived';
  readonly date_created: string | null;
  readonly date_started: string | null;
  readonly date_released: string | null;
  readonly commit_count: number;
  readonly last_commit: string | null;
  readonly metadata: unknown;
  readonly issues: { readonly new: number; readonly regressed: number; readonly resolved: number };
  readonly sessions: {
    readonly total: number;
    readonly crashed: number;
    readonly errored: number;
    readonly abnormal: number;
    readonly crash_free_share: number | null;
  };
  readonly deploy_count: number;
  readonly artifact_count: number;
  readonly test_run_count: number;
}

export interface WholeReleaseView extends ReleaseView {
  readonly issue_ids: {
    readonly new: readonly number[];
    readonly regressed: readonly number[];
    readonly resolved: readonly number[];
  };
  readonly commits: unknown;
  readonly refs: unknown;
}

const releaseOrders = ['date_created', 'date_released', 'version'] as const;

export const releasesQuery = z.looseObject({
  ...collectionArguments(releaseOrders),
  version: z.string().describe('Limit results to the release of this version.').optional(),
});
