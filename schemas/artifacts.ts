// Uploads are read by the route (docs/source-maps.md, "What an upload may hold").
import { z } from 'zod';
import { collectionArguments } from './collection.ts';

const artifactOrders = ['date_created'] as const;

export const artifactsQuery = z.looseObject({
  ...collectionArguments(artifactOrders),
  release: z.string().max(200).describe('Limit results to artifacts of this version.').optional(),
  debug_id: z.string().max(36).describe('Limit results to artifacts with this debug ID.').optional(),
});

export interface ArtifactView {
  readonly artifact_id: number;
  readonly name: string;
  readonly type: 'minified_source' | 'source_map' | 'source';
  readonly release: string | null;
  readonly dist: string | null;
  readonly debug_id: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly source_map: string | null;
  readonly date_created: string | null;
  readonly date_replaced: string | null;
}

interface UploadedArtifactView {
  readonly artifact_id: number;
  readonly name: string;
  readonly type: 'minified_source' | 'source_map' | 'source';
  readonly release: string | null;
  readonly dist: string | null;
  readonly debug_id: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly duplicate: boolean;
}

export interface ArtifactsResponse {
  readonly accepted: true;
  readonly artifact_ids: readonly number[];
  readonly artifacts: readonly UploadedArtifactView[];
  readonly warnings: readonly string[];
}

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
