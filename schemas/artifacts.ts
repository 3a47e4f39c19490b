// Uploads are read by the route (docs/source-maps.md, "What an upload may hold").
import { z } from 'zod';
import { collectionArguments } from './fields.ts';

const artifactOrders = ['date_created'] as const;

export const artifactsQuery = z.looseObject({
  ...collectionArguments(artifactOrders),
  release: z.string().max(200).describe('Limit results to artifacts of this version.').optional(),
  debug_id: z.string().max(36).describe('Limit results to artifacts with this debug ID.').optional(),
});

export const artifactView = z.object({
  artifact_id: z.number().int(),
  name: z.string(),
  type: z.enum(['minified_source', 'source_map', 'source']),
  release: z.string().nullable(),
  dist: z.string().nullable(),
  debug_id: z.string().nullable(),
  size: z.number().int(),
  sha256: z.string(),
  source_map: z.string().nullable(),
  date_created: z.string().nullable(),
  date_replaced: z.string().nullable(),
});
export type ArtifactView = z.infer<typeof artifactView>;

const uploadedArtifact = artifactView
  .omit({ source_map: true, date_created: true, date_replaced: true })
  .extend({ duplicate: z.boolean() });

export const artifactsResponse = z.object({
  accepted: z.literal(true),
  artifact_ids: z.array(z.number().int()).readonly(),
  artifacts: z.array(uploadedArtifact).readonly(),
  warnings: z.array(z.string()).readonly(),
});
export type ArtifactsResponse = z.infer<typeof artifactsResponse>;

/** A file in a bundle's manifest.json; case of header names differs between client versions. */
const bundleFile = z.looseObject({
  type: z.string().nullish(),
  url: z.string().nullish(),
  headers: z.record(z.string(), z.string()).nullish(),
});

export const bundleManifest = z.looseObject({
  files: z.record(z.string(), bundleFile).default({}),
  debug_id: z.string().nullish(),
  release: z.string().nullish(),
  dist: z.string().nullish(),
});
export type BundleManifest = z.infer<typeof bundleManifest>;

const releaseAndDist = {
  release: z.string().describe('Version of the release.').optional(),
  dist: z.string().describe('Distribution of the release.').optional(),
};

export const artifactsUploadQuery = z.looseObject(releaseAndDist);

const versionAlias = z.string().describe('Alias of release.').optional();
const script = z.file().describe('The script.').optional();
const sourceMap = z.file().describe('The source map of the script.').optional();

const foreignKey = z
  .string()
  .describe('Key of another service, which its uploader sends. Ignored.')
  .optional();

/** With the field names of other services. */
export const artifactsForm = z
  .looseObject({
    ...releaseAndDist,
    version: versionAlias,
    revision: versionAlias,
    appVersion: versionAlias,
    minified_url: z.string().describe('URL of the script; * stands for any text.').optional(),
    minifiedUrl: z.string().describe('Alias of minified_url.').optional(),
    name: z.string().describe('Name of the file, if it is not its file name.').optional(),
    type: z.string().describe('Type of file: minified_source, source_map or source.').optional(),
    debug_id: z.string().describe('Debug ID of the script and its map.').optional(),
    debugId: z.string().describe('Alias of debug_id.').optional(),
    overwrite: z.string().describe('false: do not replace an artifact of the same name.').optional(),
    minified_file: script,
    minifiedFile: script,
    source_map: sourceMap,
    sourceMap,
    apiKey: foreignKey,
    api_key: foreignKey,
    access_token: foreignKey,
    file: z.array(z.file()).describe('Scripts, source maps or sources; may be repeated.').optional(),
  })
  .meta({
    description: 'At least one file. A source is a part whose name is its address, such as ~/src/cart.js.',
    patternProperties: { '^(https?:|~|/)': { type: 'string', format: 'binary' } },
  });

export const artifactsJson = z.looseObject({
  ...releaseAndDist,
  overwrite: z.boolean().describe('Whether to replace an artifact of the same name.').optional(),
  files: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string().optional(),
      debug_id: z.string().optional(),
      sourcemap: z.string().optional(),
      content: z.string().optional(),
      content_base64: z.string().optional(),
    }),
  ),
});
