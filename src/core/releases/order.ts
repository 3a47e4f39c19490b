// Which of two releases is later, as the states of issues need it. Pure: the rows are handed in.
import type { EpochMs } from '../reading/moments.ts';
import { otherName } from '../store/bounds.ts';
import { compareVersions, parseReleaseVersion, type ReleaseVersion } from './version.ts';

/** A release of the project as the order needs it. */
export interface KnownRelease {
  readonly version: string;
  /** When it was created, or first named by an event or a session, whichever came first. */
  readonly firstSeenMs: EpochMs;
  /** The number of its row: of two first seen in one millisecond the smaller was first. */
  readonly id: number;
}

/**
 * The order of a project's releases (docs/releases.md, "Order"): within one package two versions of one kind
 * by their numbers, created or not; otherwise, and where the numbers are equal, by first sight. Releases of
 * two packages have no order, nor has the name that those without a place share. What is compared with counts
 * as first seen at `unseenMs` where it is not among them, as does null, the time before any release.
 */
export function releaseOrderOf(releases: readonly KnownRelease[], unseenMs: EpochMs): ReleaseOrder {
  const known = new Map(releases.map((release) => [release.version, release]));
  return (release, than) => {
    if (release === otherName || than === otherName) return 'unknown';
    if (release === than) return 'same';
    const ours = parseReleaseVersion(release);
    const theirs = than === null ? null : parseReleaseVersion(than);
    if (theirs !== null && ours.packageName !== theirs.packageName) return 'unknown';
    const byNumbers = theirs === null ? null : compareVersions(ours, theirs);
    if (byNumbers !== null && byNumbers !== 0) return byNumbers > 0 ? 'later' : 'older';
    const sight = known.get(release);
    if (sight === undefined) return 'unknown';
    const sightBefore = than === null ? undefined : known.get(than);
    // Never seen by this very name: whoever says 2.0.0 of what comes as 2.0.0+91 means that version.
    if (byNumbers === 0 && sightBefore === undefined && theirs?.build === '') return 'same';
    return compareSights(sight, sightBefore ?? { firstSeenMs: unseenMs, id: 0 }) > 0 ? 'later' : 'older';
  };
}

/**
 * The newest of releases of one package; null when there is none. The newest of each kind (version numbers,
 * calendar versions, names such as hashes) is found first and the one seen last of these taken: an old line's
 * hotfix hides neither its own line's newest nor the calendar versions that came after it.
 */
export function newestRelease(releases: readonly KnownRelease[]): string | null {
  const newest = new Map<string, Placed>();
  for (const known of releases) {
    if (known.version === otherName) continue;
    const placed = { known, parsed: parseReleaseVersion(known.version) };
    const kind = kindOf(placed.parsed);
    const before = newest.get(kind);
    if (before === undefined || compareOfOneKind(placed, before) > 0) newest.set(kind, placed);
  }
  const [last] = [...newest.values()].sort((left, right) => compareSights(right.known, left.known));
  return last?.known.version ?? null;
}

/** Where one release stands against another (null: the time before any release). */
export type ReleaseOrder = (release: string, than: string | null) => 'older' | 'same' | 'later' | 'unknown';

interface Placed {
  readonly known: KnownRelease;
  readonly parsed: ReleaseVersion;
}

function kindOf({ numbers, isCalendar }: ReleaseVersion): string {
  if (numbers === null) return 'name';
  return isCalendar ? 'calendar' : 'numbers';
}

function compareOfOneKind(left: Placed, right: Placed): number {
  return compareVersions(left.parsed, right.parsed) || compareSights(left.known, right.known);
}

type Sight = Pick<KnownRelease, 'firstSeenMs' | 'id'>;

function compareSights(left: Sight, right: Sight): number {
  if (left.firstSeenMs === right.firstSeenMs) return left.id - right.id;
  return left.firstSeenMs < right.firstSeenMs ? -1 : 1;
}
