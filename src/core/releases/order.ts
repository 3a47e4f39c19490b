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
 * Where a release stands against another by their texts alone: within one package two versions of one kind by
 * their numbers, created or not; releases of two packages have no order, nor has the name that those without
 * a place share. Null where only their first sight can say.
 */
export function placeByText(release: string, than: string | null): ReleasePlace | null {
  if (release === otherName || than === otherName) return 'unknown';
  if (release === than) return 'same';
  if (than === null) return null;
  const [ours, theirs] = [parseReleaseVersion(release), parseReleaseVersion(than)];
  if (ours.packageName !== theirs.packageName) return 'unknown';
  const order = compareVersions(ours, theirs) ?? 0;
  return order === 0 ? null : placeOf(order);
}

/**
 * The order of a project's releases (docs/releases.md, "Order"): by their texts, else by first sight. What is
 * compared with counts as first seen at `unseenMs` where it is not among the releases handed in, as does
 * null, the time before any release.
 */
export function releaseOrderOf(releases: readonly KnownRelease[], unseenMs: EpochMs): ReleaseOrder {
  const bySight = sightOrderOf(releases, unseenMs);
  return (release, than) => placeByText(release, than) ?? bySight(release, than);
}

/** The same for releases whose texts were asked and say nothing. */
export function sightOrderOf(releases: readonly KnownRelease[], unseenMs: EpochMs): ReleaseOrder {
  const known = new Map(releases.map((release) => [release.version, release]));
  return (release, than) => {
    const sight = known.get(release);
    if (sight === undefined) return 'unknown';
    const sightBefore = than === null ? undefined : known.get(than);
    if (than !== null && sightBefore === undefined && isAnyBuildOf(release, than)) return 'same';
    return placeOf(compareSights(sight, sightBefore ?? { firstSeenMs: unseenMs, id: 0 }));
  };
}

/**
 * The newest of releases of one package; null when there is none. The newest of each kind (version numbers,
 * calendar versions, names such as hashes) is found first and the one seen last of these taken: an old line's
 * hotfix hides neither its own line's newest nor the calendar versions that came after it.
 */
export function newestRelease(releases: readonly KnownRelease[]): string | null {
  return newestOf(releases.map(placed))?.known.version ?? null;
}

/** A release with how many events carry it. */
export interface CarriedRelease extends KnownRelease {
  readonly events: number;
}

/** The release that most events carry, of several the lowest; of two packages the one that was seen first. */
export function mostCarried(releases: readonly CarriedRelease[]): string | null {
  const most = Math.max(...releases.map(({ events }) => events));
  const [first, ...others] = releases.filter(({ events }) => events === most).map(placed);
  return others.reduce((low, each) => (isLower(each, low) ? each : low), first)?.known.version ?? null;
}

function isLower(one: Placed, other: Placed | undefined): boolean {
  if (other === undefined) return true;
  const isOfOne = one.parsed.packageName === other.parsed.packageName;
  return (isOfOne ? comparePlaced(one, other) : compareSights(one.known, other.known)) < 0;
}

/** The newest of the `created` of its package that stands before a release; null where none does. */
export function previousRelease(release: KnownRelease, created: readonly KnownRelease[]): string | null {
  const own = placed(release);
  return (
    newestOf(created.map(placed).filter((other) => comparePlaced(other, own) < 0))?.known.version ?? null
  );
}

/**
 * Of the bases that "the next release" of issues counts from, those whose next is `release`: it is later, and
 * none of the `created`, which are all of its package, stands between.
 */
export function basesOfNext(
  release: KnownRelease,
  created: readonly KnownRelease[],
  bases: readonly KnownRelease[],
): string[] {
  const own = placed(release);
  const before = newestOf(created.map(placed).filter((other) => comparePlaced(other, own) < 0));
  const order = releaseOrderOf([release, ...created, ...bases], -Infinity);
  const isNext = (base: string): boolean =>
    order(release.version, base) === 'later' &&
    (before === null || base === before.known.version || order(base, before.known.version) === 'later');
  return bases.map((base) => base.version).filter(isNext);
}

export type ReleasePlace = 'older' | 'same' | 'later' | 'unknown';

/** Where one release stands against another (null: the time before any release). */
export type ReleaseOrder = (release: string, than: string | null) => ReleasePlace;

interface Placed {
  readonly known: KnownRelease;
  readonly parsed: ReleaseVersion;
}

function placed(known: KnownRelease): Placed {
  return { known, parsed: parseReleaseVersion(known.version) };
}

function newestOf(releases: readonly Placed[]): Placed | null {
  const newest = new Map<string, Placed>();
  for (const each of releases) {
    if (each.known.version === otherName) continue;
    const kind = kindOf(each.parsed);
    const before = newest.get(kind);
    if (before === undefined || comparePlaced(each, before) > 0) newest.set(kind, each);
  }
  const [last] = [...newest.values()].sort((left, right) => compareSights(right.known, left.known));
  return last ?? null;
}

function kindOf({ numbers, isCalendar }: ReleaseVersion): string {
  if (numbers === null) return 'name';
  return isCalendar ? 'calendar' : 'numbers';
}

/** Of one package. */
function comparePlaced(left: Placed, right: Placed): number {
  return compareVersions(left.parsed, right.parsed) || compareSights(left.known, right.known);
}

type Sight = Pick<KnownRelease, 'firstSeenMs' | 'id'>;

function compareSights(left: Sight, right: Sight): number {
  if (left.firstSeenMs === right.firstSeenMs) return left.id - right.id;
  return left.firstSeenMs < right.firstSeenMs ? -1 : 1;
}

/** Whoever says 2.0.0 of what comes as 2.0.0+91 means that version, whatever its build. */
function isAnyBuildOf(release: string, version: string): boolean {
  const [built, asked] = [parseReleaseVersion(release), parseReleaseVersion(version)];
  return asked.build === '' && compareVersions(built, asked) === 0;
}

function placeOf(order: number): ReleasePlace {
  return order > 0 ? 'later' : 'older';
}
