import type { Artifact } from '../../src/core/store/artifacts.ts';
import { absentAs, bytes, defaulted, flag, integer, nullable, oneOf, tableOf, text } from '../table.ts';

export const artifacts = tableOf('artifacts', {
  id: defaulted(integer),
  projectId: integer,
  release: absentAs('', text),
  dist: absentAs('', text),
  name: text,
  type: oneOf<Artifact['type']>(),
  debugId: absentAs('', text),
  sourceMap: nullable(text),
  hasInlineMap: flag,
  hasWildcard: flag,
  size: integer,
  sha256: text,
  createdAtMs: integer,
  replacedAtMs: defaulted(nullable(integer)),
  searchText: nullable(text),
}).without('hasWildcard', 'searchText');

export const contents = tableOf('artifact_contents', {
  projectId: integer,
  sha256: text,
  size: integer,
  complete: flag,
  touchedAtMs: integer,
  /** An artifact refers to the content. */
  isUsed: flag,
});

export const parts = tableOf('artifact_parts', { projectId: integer, sha256: text, part: integer, bytes });

export const chunks = tableOf('upload_chunks', {
  projectId: integer,
  sha1: text,
  bytes,
  createdAtMs: integer,
  /** A bundle was assembled from it. */
  isAssembled: flag,
});
