import type { FileType } from '../../core/workspace/delivery/kinds.ts';

export const typeNames: Readonly<Record<FileType, string>> = {
  minified_source: 'script',
  source_map: 'source map',
  source: 'source',
};
