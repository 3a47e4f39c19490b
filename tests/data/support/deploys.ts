// Deploys as the store takes them: blank but for what a test is about.

import { createVersionSortKey } from '../../../src/core/releases/version.ts';
import type { DeployChange } from '../../../src/core/store/releases.ts';
import { startMs } from './events.ts';

/** A call that records a deploy of that version in project 1, to production unless said otherwise. */
export const deployOf = (version: string, parts: Partial<DeployChange> = {}): DeployChange => ({
  projectId: 1,
  version,
  versionSort: createVersionSortKey(version),
  environment: 'production',
  name: null,
  url: null,
  status: null,
  dateStartedMs: null,
  dateFinishedMs: null,
  finishDefaultMs: startMs,
  revision: null,
  repository: null,
  deployedBy: null,
  comment: null,
  key: null,
  nowMs: startMs,
  ...parts,
});
