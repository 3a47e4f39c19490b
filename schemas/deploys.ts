// docs/releases.md, "Deploys".
import { z } from 'zod';
import { collectionArguments, dateOrTimestamp, limitedText, urlCharactersMax } from './fields.ts';

const deployStatuses = [
  'queued',
  'in_progress',
  'success',
  'failure',
  'error',
  'cancelled',
  'inactive',
] as const;
export type DeployStatus = (typeof deployStatuses)[number];

/** Statuses of other services. */
export const deployStatusAliases = {
  started: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  timed_out: 'error',
} as const;

export const deployRequest = z.looseObject({
  version: z
    .string()
    .nullish()
    .describe('Version of the deployed release, which is created if it does not exist.'),
  release: z.string().nullish().describe('Alias of version.'),
  appVersion: z.string().nullish().describe('Alias of version.'),
  environment: z
    .string()
    .nullish()
    .describe('Target environment: 1 to 64 characters, without slashes, backslashes and control characters.'),
  releaseStage: z.string().nullish().describe('Alias of environment.'),
  name: limitedText(64).nullish(),
  url: limitedText(urlCharactersMax).nullish().describe('An http or https URL without credentials.'),
  status: z.enum([...deployStatuses, 'started', 'succeeded', 'failed', 'timed_out']).nullish(),
  date_started: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateStarted: dateOrTimestamp.nullish().describe('Alias of date_started.'),
  date_finished: dateOrTimestamp.nullish().describe('ISO 8601, or seconds or milliseconds since 1970.'),
  dateFinished: dateOrTimestamp.nullish().describe('Alias of date_finished.'),
  revision: z.string().nullish().describe('The commit; also the version if none is given.'),
  repository: limitedText(512).nullish(),
  deployed_by: limitedText(128).nullish(),
  local_username: limitedText(128).nullish().describe('Alias of deployed_by.'),
  builderName: limitedText(128).nullish().describe('Alias of deployed_by.'),
  comment: limitedText(4096).nullish(),
  key: limitedText(128).nullish().describe('Idempotency key; sending it again updates the deploy.'),
  deploy: z.looseObject({}).nullish().describe('An object with the same fields.'),
});
export type DeployRequest = z.infer<typeof deployRequest>;

export const deployResponse = z.object({
  accepted: z.literal(true),
  deploy_id: z.number().int(),
  release_id: z.number().int(),
  version: z.string(),
  environment: z.string(),
  release_created: z.boolean(),
});
export type DeployResponse = z.infer<typeof deployResponse>;

export const deployView = z.object({
  deploy_id: z.number().int(),
  release_id: z.number().int(),
  version: z.string(),
  environment: z.string(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  status: z.enum(deployStatuses),
  date_created: z.string().nullable(),
  date_started: z.string().nullable(),
  date_finished: z.string().nullable(),
  revision: z.string().nullable(),
  repository: z.string().nullable(),
  deployed_by: z.string().nullable(),
  comment: z.string().nullable(),
  key: z.string().nullable(),
});
export type DeployView = z.infer<typeof deployView>;

const deployOrders = ['date_created', 'date_finished', 'environment'] as const;

export const deploysQuery = z.looseObject({
  ...collectionArguments(deployOrders),
  release_id: z.int().min(1).describe('Limit results to deploys of this release.').optional(),
  version: z.string().describe('Limit results to deploys of the release of this version.').optional(),
  environment: z.string().describe('Limit results to deploys to this environment.').optional(),
});
