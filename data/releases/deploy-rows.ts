// Rows of deploys, and what they are in the rules' words.
import type { Deploy } from '../../src/core/store/releases.ts';
import { numberOrNull } from '../columns.ts';

export interface DeployRow {
  id: number;
  project_id: number;
  release_id: number;
  version: string;
  environment: string;
  name: string | null;
  url: string | null;
  status: Deploy['status'];
  created_at_ms: number;
  date_started_ms: number | null;
  date_finished_ms: number | null;
  revision: string | null;
  repository: string | null;
  deployed_by: string | null;
  comment: string | null;
  deploy_key: string | null;
}

/** A deploy as the rules know it, from its row. */
export function deployOf(row: DeployRow): Deploy {
  return {
    id: Number(row.id),
    projectId: Number(row.project_id),
    releaseId: Number(row.release_id),
    version: row.version,
    environment: row.environment,
    name: row.name,
    url: row.url,
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    dateStartedMs: numberOrNull(row.date_started_ms),
    dateFinishedMs: numberOrNull(row.date_finished_ms),
    revision: row.revision,
    repository: row.repository,
    deployedBy: row.deployed_by,
    comment: row.comment,
    key: row.deploy_key,
  };
}
