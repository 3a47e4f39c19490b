// Rows of releases, and what they are in the rules' words.
import type { Release } from '../../src/core/store/releases.ts';
import { numberOrNull } from '../columns.ts';

export interface ReleaseRow {
  id: number;
  project_id: number;
  version: string;
  ref: string | null;
  url: string | null;
  status: Release['status'];
  created_at_ms: number;
  updated_at_ms: number | null;
  date_started_ms: number | null;
  date_released_ms: number | null;
  commits?: string | null;
  commit_count: number;
  last_commit: string | null;
  refs?: string | null;
  metadata: string | null;
}

/** All but commits and refs, which may be a megabyte. */
export const listColumns = `id, project_id, version, ref, url, status, created_at_ms, updated_at_ms, date_started_ms,
  date_released_ms, commit_count, last_commit, metadata`;

/** A release as the rules know it, from its row. */
export function releaseOf(row: ReleaseRow): Release {
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    version: row.version,
    ref: row.ref,
    url: row.url,
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms ?? row.created_at_ms),
    dateStartedMs: numberOrNull(row.date_started_ms),
    dateReleasedMs: numberOrNull(row.date_released_ms),
    commitCount: Number(row.commit_count),
    lastCommit: row.last_commit,
    commits: row.commits ?? null,
    refs: row.refs ?? null,
    metadata: row.metadata,
  };
}
