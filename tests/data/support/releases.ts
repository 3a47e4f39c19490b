// Releases as the store takes them: blank but for what a test is about.

import { eachReleaseText } from '../../../schemas/releases.ts';
import { createVersionSortKey } from '../../../src/core/releases/version.ts';
import type { ReleaseChange } from '../../../src/core/store/releases.ts';
import { startMs } from './events.ts';

/** A call that makes or changes the release of that version in project 1. */
export const releaseOf = (version: string, parts: Partial<ReleaseChange> = {}): ReleaseChange => ({
  projectId: 1,
  version,
  versionSort: createVersionSortKey(version),
  ...eachReleaseText(() => null),
  status: null,
  dateStartedMs: null,
  dateReleasedMs: null,
  finalizedAtMs: null,
  commits: null,
  commitCount: null,
  lastCommit: null,
  refs: null,
  metadata: null,
  nowMs: startMs,
  ...parts,
});
