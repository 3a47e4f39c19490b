import type { DeployView } from '../../../schemas/deploys.ts';
import { eachReleaseText, type ReleaseView, type WholeReleaseView } from '../../../schemas/releases.ts';
import type { Deps } from '../deps.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Deploy, Release } from '../store/releases.ts';
import { parseReleaseVersion } from './version.ts';

/** With current counts of issues, sessions, deploys, artifacts and test runs. */
export async function viewRelease(deps: Deps, release: Release): Promise<ReleaseView> {
  const stats = await deps.store.releaseFigures(release);
  const { sessions, crashedSessions } = stats;
  return {
    release_id: release.id,
    version: release.version,
    package: parseReleaseVersion(release.version).packageName,
    ...eachReleaseText((name) => release[name]),
    status: release.status,
    date_created: formatTime(release.createdAtMs),
    date_started: formatTime(release.dateStartedMs),
    date_released: formatTime(release.dateReleasedMs),
    commit_count: release.commitCount,
    last_commit: release.lastCommit,
    metadata: release.metadata === null ? null : JSON.parse(release.metadata),
    issues: {
      new: stats.newIssues,
      regressed: stats.regressedIssues,
      resolved: stats.resolvedIssues,
    },
    sessions: {
      total: sessions,
      crashed: crashedSessions,
      errored: stats.erroredSessions,
      abnormal: stats.abnormalSessions,
      crash_free_share: sessions === 0 ? null : (sessions - crashedSessions) / sessions,
    },
    deploy_count: stats.deploys,
    artifact_count: stats.artifacts,
    test_run_count: stats.testRuns,
  };
}

/** With commits, refs and at most 100 issue ids of each kind. */
export async function viewReleaseDetails(deps: Deps, release: Release): Promise<WholeReleaseView> {
  const issueIds = await deps.store.releaseIssueIds(release, 100);
  return {
    ...(await viewRelease(deps, release)),
    issue_ids: issueIds,
    commits: release.commits === null ? [] : JSON.parse(release.commits),
    refs: release.refs === null ? [] : JSON.parse(release.refs),
  };
}

export function viewDeploy(deploy: Deploy): DeployView {
  return {
    deploy_id: deploy.id,
    release_id: deploy.releaseId,
    version: deploy.version,
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    status: deploy.status,
    date_created: formatTime(deploy.createdAtMs),
    date_started: formatTime(deploy.dateStartedMs),
    date_finished: formatTime(deploy.dateFinishedMs),
    revision: deploy.revision,
    repository: deploy.repository,
    deployed_by: deploy.deployedBy,
    comment: deploy.comment,
    key: deploy.key,
  };
}
