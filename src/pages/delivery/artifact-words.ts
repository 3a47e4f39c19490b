// What kinds of files are called.
import type { ArtifactType } from '../../core/store/artifacts.ts';

export const typeNames: Readonly<Record<ArtifactType, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
};
