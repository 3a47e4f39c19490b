// Which of two releases is later, as the states of issues need it. Pure: the rows are handed in.
import type { EpochMs } from '../reading/moments.ts';
import { compareVersions, isSemver } from './version.ts';

/**
 * A release of the project as the order needs it. `registeredAtMs` is null while only events have named it.
 */
interface KnownRelease {
  readonly version: string;
  readonly registeredAtMs: EpochMs | null;
}

/**
 * The order of a project's releases: the time they were created, then their numbers (docs/releases.md,
 * "Order"). A release that nobody created is unknown beside one that was created. A release is always the
 * same as itself, known or not.
 */
export function releaseOrderOf(releases: readonly KnownRelease[]): ReleaseOrder {
  const registered = new Map(releases.map((release) => [release.version, release.registeredAtMs]));
  return (release, than) => {
    if (release === than) return 'same';
    const ours = registered.get(release) ?? null;
    // `than` is the time before any release: every release that was created is later.
    if (than === null) return ours === null ? 'unknown' : 'later';
    const theirs = registered.get(than) ?? null;
    if (ours !== null && theirs !== null && ours !== theirs) return ours > theirs ? 'later' : 'older';
    if (ours === null && theirs !== null) return 'unknown';
    if (!isSemver(release) || !isSemver(than)) return 'unknown';
    const byNumber = compareVersions(release, than);
    return byNumber > 0 ? 'later' : byNumber < 0 ? 'older' : 'same';
  };
}

/** The newest release of a project, by the same order; null when it has none that can be ordered. */
export function newestRelease(releases: readonly KnownRelease[]): string | null {
  const order = releaseOrderOf(releases);
  const created = releases.filter((release) => release.registeredAtMs !== null);
  const candidates = created.length > 0 ? created : releases.filter((release) => isSemver(release.version));
  let newest: string | null = null;
  for (const { version } of candidates) {
    if (newest === null || order(version, newest) === 'later') newest = version;
  }
  return newest;
}

/** Where one release stands against another (null: the time before any release). */
export type ReleaseOrder = (release: string, than: string | null) => 'older' | 'same' | 'later' | 'unknown';
