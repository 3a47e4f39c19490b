import type { EpochMs } from '../parsing/timestamps.ts';
import { overLimitName } from '../store/projects.ts';
import { compareVersions, parseReleaseVersion, type ReleaseVersion } from './version.ts';

export interface KnownRelease {
  readonly version: string;
  /** Creation, or the first event or session, whichever was earlier. */
  readonly firstSeenMs: EpochMs;
  /** Row id; the order of releases first seen in the same millisecond. */
  readonly id: number;
}

/** To compare releases by version; `unknown` across packages, null if only the time first seen decides. */
export function compareReleases(release: string, than: string | null): ReleaseComparison | null {
  if (release === overLimitName || than === overLimitName) return 'unknown';
  if (release === than) return 'same';
  if (than === null) return null;
  const [left, right] = [parseReleaseVersion(release), parseReleaseVersion(than)];
  if (left.packageName !== right.packageName) return 'unknown';
  const order = compareVersions(left, right) ?? 0;
  return order === 0 ? null : comparisonOf(order);
}

/** docs/releases.md, "Order". `than` counts as first seen at `unseenMs` if null or not in `releases`. */
export function createReleaseOrder(releases: readonly KnownRelease[], unseenMs: EpochMs): ReleaseOrder {
  const byFirstSeen = createFirstSeenOrder(releases, unseenMs);
  return (release, than) => compareReleases(release, than) ?? byFirstSeen(release, than);
}

export function createFirstSeenOrder(releases: readonly KnownRelease[], unseenMs: EpochMs): ReleaseOrder {
  const known = new Map(releases.map((release) => [release.version, release]));
  return (release, than) => {
    const seen = known.get(release);
    if (seen === undefined) return 'unknown';
    const seenBefore = than === null ? undefined : known.get(than);
    if (than !== null && seenBefore === undefined && isAnyBuildOf(release, than)) return 'same';
    return comparisonOf(compareFirstSeen(seen, seenBefore ?? { firstSeenMs: unseenMs, id: 0 }));
  };
}

/** The newest release of one package. First the newest of each kind (numbers, calendar, names), then of these the one
 * seen last, so that a hotfix of an old version does not hide newer ones. */
export function findNewestRelease(releases: readonly KnownRelease[]): string | null {
  return newestOf(releases.map(toVersioned))?.known.version ?? null;
}

export interface ReleaseWithEvents extends KnownRelease {
  readonly events: number;
}

/** The release with the most events; on a tie the lowest, or across packages the one seen first. */
export function findMostFrequentRelease(releases: readonly ReleaseWithEvents[]): string | null {
  const maxEvents = Math.max(...releases.map(({ events }) => events));
  const [first, ...others] = releases.filter(({ events }) => events === maxEvents).map(toVersioned);
  return others.reduce((low, each) => (isLower(each, low) ? each : low), first)?.known.version ?? null;
}

function isLower(one: VersionedRelease, other: VersionedRelease | undefined): boolean {
  if (other === undefined) return true;
  const isOfOne = one.parsed.packageName === other.parsed.packageName;
  return (isOfOne ? compareVersioned(one, other) : compareFirstSeen(one.known, other.known)) < 0;
}

/** The newest of `created` that is older than the release; null for none. */
export function findPreviousRelease(release: KnownRelease, created: readonly KnownRelease[]): string | null {
  const current = toVersioned(release);
  return (
    newestOf(created.map(toVersioned).filter((other) => compareVersioned(other, current) < 0))?.known
      .version ?? null
  );
}

/** Of the bases of "resolved in the next release", those whose next release is `release`. */
export function listBasesOfNextRelease(
  release: KnownRelease,
  created: readonly KnownRelease[],
  bases: readonly KnownRelease[],
): string[] {
  const current = toVersioned(release);
  const before = newestOf(created.map(toVersioned).filter((other) => compareVersioned(other, current) < 0));
  const order = createReleaseOrder([release, ...created, ...bases], -Infinity);
  const isNext = (base: string): boolean =>
    order(release.version, base) === 'later' &&
    (before === null || base === before.known.version || order(base, before.known.version) === 'later');
  return bases.map((base) => base.version).filter(isNext);
}

export type ReleaseComparison = 'older' | 'same' | 'later' | 'unknown';

/** `than` null is the time before any release. */
export type ReleaseOrder = (release: string, than: string | null) => ReleaseComparison;

type VersionedRelease = ReturnType<typeof toVersioned>;

function toVersioned(known: KnownRelease) {
  return { known, parsed: parseReleaseVersion(known.version) };
}

function newestOf(releases: readonly VersionedRelease[]): VersionedRelease | null {
  const newest = new Map<string, VersionedRelease>();
  for (const each of releases) {
    if (each.known.version === overLimitName) continue;
    const kind = kindOf(each.parsed);
    const before = newest.get(kind);
    if (before === undefined || compareVersioned(each, before) > 0) newest.set(kind, each);
  }
  const [last] = [...newest.values()].sort((left, right) => compareFirstSeen(right.known, left.known));
  return last ?? null;
}

function kindOf({ numbers, isCalendar }: ReleaseVersion): string {
  if (numbers === null) return 'name';
  return isCalendar ? 'calendar' : 'numbers';
}

/** Both of the same package. */
function compareVersioned(left: VersionedRelease, right: VersionedRelease): number {
  return compareVersions(left.parsed, right.parsed) || compareFirstSeen(left.known, right.known);
}

type FirstSeen = Pick<KnownRelease, 'firstSeenMs' | 'id'>;

function compareFirstSeen(left: FirstSeen, right: FirstSeen): number {
  if (left.firstSeenMs === right.firstSeenMs) return left.id - right.id;
  return left.firstSeenMs < right.firstSeenMs ? -1 : 1;
}

function isAnyBuildOf(release: string, version: string): boolean {
  const [built, named] = [parseReleaseVersion(release), parseReleaseVersion(version)];
  return named.build === '' && compareVersions(built, named) === 0;
}

function comparisonOf(order: number): ReleaseComparison {
  return order > 0 ? 'later' : 'older';
}
