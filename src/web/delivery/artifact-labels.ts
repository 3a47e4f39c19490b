import type { FileType } from '../../core/page-models/delivery/kinds.ts';

export const artifactTypeNames: Readonly<Record<FileType, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
};
