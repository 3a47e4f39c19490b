// docs/releases.md
import { z } from 'zod';
import {
  collectionArguments,
  dateOrTimestamp,
  flag,
  intBetween,
  limitedText,
  metadata,
  urlCharactersMax,
} from './fields.ts';

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

/** In page order. Request, row (columns have the same names), answer, page and tests are made from these. */
export const releaseTexts = {
  ref: { label: 'Reference', schema: limitedText(250).nullish().describe('A commit reference.') },
  url: {
    label: 'URL',
    isUrl: true,
    schema: limitedText(urlCharactersMax).nullish().describe('An http or https URL without credentials.'),
  },
} satisfies Record<string, { label: string; schema: z.ZodType<string | null | undefined>; isUrl?: true }>;
type ReleaseTextName = keyof typeof releaseTexts;
export type ReleaseTexts = Readonly<Record<ReleaseTextName, string | null>>;

/** An object with what `make` answers for each of `releaseTexts`. */
export function eachReleaseText<Made>(
  make: (name: ReleaseTextName, isUrl: boolean) => Made,
): Record<ReleaseTextName, Made> {
  const all = Object.entries(releaseTexts) as Array<[ReleaseTextName, { readonly isUrl?: true }]>;
  return Object.fromEntries(all.map(([name, { isUrl = false }]) => [name, make(name, isUrl)])) as Record<
    ReleaseTextName,
    Made
  >;
}

export const releaseRequest = z.looseObject({
  version: z
    .string()
    .nullish()
    .describe('Version: 1 to 200 characters, without slashes, backslashes and control characters.'),
  release: z.string().nullish().describe('Alias of version.'),
  appVersion: z.string().nullish().describe('Alias of version.'),
  ...eachReleaseText((name) => releaseTexts[name].schema),
  date_started: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateStarted: dateOrTimestamp.nullish().describe('Alias of date_started.'),
  date_released: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateReleased: dateOrTimestamp.nullish().describe('Alias of date_released.'),
  finalize: flag.describe('Whether the release is released now, if it has no release date yet.'),
  status: z.enum(['open', 'archived']).nullish(),
  commits: z.array(releaseCommit).max(commitsMax).nullish(),
  refs: z.array(releaseRef).max(refsMax).nullish(),
  metadata: metadata.nullish().describe('At most 50 scalars, 16 KiB as JSON.'),
});
export type ReleaseRequest = z.infer<typeof releaseRequest>;

export const releaseResponse = z.object({
  accepted: z.literal(true),
  release_id: z.number().int(),
  version: z.string(),
  created: z.boolean(),
  url: z.string().optional(),
});
export type ReleaseResponse = z.infer<typeof releaseResponse>;

/** Lists omit `commits`, `refs` and issue ids. */
export const releaseView = z.object({
  release_id: z.number().int(),
  version: z.string(),
  package: z.string().nullable(),
  ...eachReleaseText(() => z.string().nullable()),
  status: z.enum(['open', 'archived']),
  date_created: z.string().nullable(),
  date_started: z.string().nullable(),
  date_released: z.string().nullable(),
  commit_count: z.number().int(),
  last_commit: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  issues: z.object({ new: z.number().int(), regressed: z.number().int(), resolved: z.number().int() }),
  sessions: z.object({
    total: z.number().int(),
    crashed: z.number().int(),
    errored: z.number().int(),
    abnormal: z.number().int(),
    crash_free_share: z.number().nullable(),
  }),
  deploy_count: z.number().int(),
  artifact_count: z.number().int(),
  test_run_count: z.number().int(),
});
export type ReleaseView = z.infer<typeof releaseView>;

const ids = z.array(z.number().int()).readonly();

export const releaseDetails = releaseView.extend({
  issue_ids: z.object({ new: ids, regressed: ids, resolved: ids }),
  commits: z.array(
    z.object({
      id: z.string(),
      repository: z.string().nullable(),
      message: z.string().nullable(),
      author_name: z.string().nullable(),
      author_email: z.string().nullable(),
      timestamp: z.string().nullable(),
      patch_set: z.array(z.object({ path: z.string(), type: z.string() })).nullable(),
    }),
  ),
  refs: z.array(
    z.object({ repository: z.string(), commit: z.string(), previous_commit: z.string().nullable() }),
  ),
});
export type WholeReleaseView = z.infer<typeof releaseDetails>;

const releaseOrders = ['date_created', 'date_released', 'version'] as const;

export const releasesQuery = z.looseObject({
  ...collectionArguments(releaseOrders),
  version: z.string().describe('Limit results to the release of this version.').optional(),
});

/** `GET /releases/{id}/verdict`: what a release may have and still pass. */
export const releaseVerdictQuery = z.looseObject({
  new_issues_max: intBetween(0, 1000)
    .default(0)
    .describe('Unresolved issues first seen in the release that it may have.'),
  regressed_issues_max: intBetween(0, 1000)
    .default(0)
    .describe('Unresolved issues that regressed in the release that it may have.'),
  crash_free_min: z.number().min(0).max(1).default(0.99).describe('Lowest share of crash-free sessions.'),
  sessions_min: intBetween(1, 1_000_000_000)
    .default(100)
    .describe('Number of sessions from which the crash-free share counts.'),
  monitors_down_max: intBetween(0, 1000).default(0).describe('Monitors of the project that may be down.'),
});
export type VerdictThresholds = z.infer<typeof releaseVerdictQuery>;

const verdict = z.enum(['pass', 'fail', 'unknown']);
export type Verdict = z.infer<typeof verdict>;

const verdictCheck = z.object({
  verdict,
  /** A sentence. */
  reason: z.string(),
});

const verdictCase = z.object({
  case_id: z.string(),
  name: z.string(),
  file: z.string().nullable(),
  run_suite: z.string().nullable(),
  test_run_id: z.number().int(),
});
export type VerdictCaseView = z.infer<typeof verdictCase>;

const verdictRun = z.object({
  test_run_id: z.number().int(),
  suite: z.string().nullable(),
  status: z.string(),
  tests: z.number().int(),
  failed: z.number().int(),
  /** Failures among `failed` that are excused. */
  quarantined: z.number().int(),
  flaky: z.number().int(),
});

const verdictIssues = verdictCheck.extend({
  count: z.number().int(),
  max: z.number().int(),
  /** The newest of them. */
  issues: z.array(z.object({ issue_id: z.number().int(), title: z.string() })),
});

export const releaseVerdict = z.object({
  release_id: z.number().int(),
  version: z.string(),
  verdict,
  reasons: z.array(z.string()),
  checks: z.object({
    tests: verdictCheck.extend({
      /** Without those of quarantined cases. */
      failed: z.number().int(),
      quarantined: z.number().int(),
      /** The newest run of each suite. */
      runs: z.array(verdictRun),
      /** `is_new`: its newest result elsewhere (on other branches, else in earlier runs) is not a failure. */
      failed_cases: z.array(verdictCase.extend({ is_new: z.boolean() })),
      flaky_cases: z.array(verdictCase),
    }),
    new_issues: verdictIssues,
    regressed_issues: verdictIssues,
    crash_free: verdictCheck.extend({
      share: z.number().nullable(),
      min: z.number(),
      sessions: z.number().int(),
      sessions_min: z.number().int(),
    }),
    monitors: verdictCheck.extend({
      max: z.number().int(),
      down: z.array(z.object({ monitor_id: z.number().int(), name: z.string() })),
    }),
  }),
});
export type ReleaseVerdictView = z.infer<typeof releaseVerdict>;
