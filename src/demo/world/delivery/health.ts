// Release health: sessions of each hour, shared among the releases that were live then, and how many of them
// ended badly. The sum of an hour is its project's own; it does not know of releases.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { Deploy } from '../../../core/store/releases.ts';
import { weekdayOf } from '../calendar.ts';
import { chance, hashOf } from '../chance.ts';
import { backAndForth, type PlannedRelease } from '../plan.ts';
import {
  checkoutApi,
  lastMarkOf,
  mobileShell,
  rememberedFromMs,
  shopWeb,
  type Trouble,
  wpSite,
} from '../story.ts';

/** Sessions of one release in one hour. */
export interface HealthHour {
  readonly hourMs: number;
  readonly version: string;
  readonly sessions: number;
  readonly crashed: number;
  readonly errored: number;
  readonly abnormal: number;
}

/** A version, and since when it is in production. */
export interface Arrived {
  readonly version: string;
  readonly fromMs: number;
}

interface Traffic {
  /** Sessions of an ordinary day. */
  readonly daily: number;
  /** Of a million sessions so many crash, and of a bad release. */
  readonly crashes: number;
  readonly badCrashes: number;
  /** Time in which two thirds come over to a new release. */
  readonly comingOverMs: number;
}

const traffic: Readonly<Record<number, Traffic>> = {
  [shopWeb]: { daily: 17_600, crashes: 3_800, badCrashes: 28_800, comingOverMs: 11 * hourMs },
  [checkoutApi]: { daily: 6_200, crashes: 900, badCrashes: 61_000, comingOverMs: 12 * minuteMs },
  [wpSite]: { daily: 2_900, crashes: 1_200, badCrashes: 1_200, comingOverMs: 4 * minuteMs },
  [mobileShell]: { daily: 1_900, crashes: 2_600, badCrashes: 2_600, comingOverMs: 3 * dayMs },
};

/** Versions of a project that came to an environment, the newest first. */
export function arrivedIn(deploys: readonly Deploy[], projectId: number, environment: string): Arrived[] {
  return deploys
    .filter(
      (each) => each.projectId === projectId && each.environment === environment && each.status === 'success',
    )
    .map(({ version, createdAtMs }) => ({ version, fromMs: createdAtMs }));
}

/** Each hour of a project since the demo remembers, with the releases that had sessions in it. */
export function healthOf(
  seed: string,
  projectId: number,
  world: {
    readonly nowMs: number;
    readonly trouble: Trouble;
    readonly planned: readonly PlannedRelease[];
    readonly arrived: readonly Arrived[];
  },
): HealthHour[] {
  const of = traffic[projectId];
  if (of === undefined) return [];
  const spells = badSpells(projectId, world);
  const hours: HealthHour[] = [];
  for (let atMs = rememberedFromMs(world.nowMs); atMs <= world.nowMs; atMs += hourMs) {
    const whole = sessionsOf(seed, projectId, of, atMs);
    // Of the running hour what has passed.
    const sessions = Math.floor((whole * Math.min(hourMs, world.nowMs - atMs)) / hourMs);
    for (const { version, count } of shared(sessions, of, world.arrived, atMs + hourMs / 2)) {
      const spell = spells.get(version);
      const isBad = spell !== undefined && atMs + hourMs > spell.fromMs && atMs < spell.toMs;
      // One throw for an hour of a release, ten bits of it for each count.
      const luck = hashOf(seed, 'health', projectId, version, atMs);
      const share = (perMillion: number, bits: number): number =>
        Math.min(count, Math.floor((count * perMillion) / 1e6 + ((luck >>> bits) & 1023) / 1024));
      const crashed = share(isBad ? of.badCrashes : of.crashes, 0);
      const errored = Math.min(count, crashed + share(11_000, 10));
      const abnormal = share(1_000, 20);
      hours.push({ hourMs: atMs, version, sessions: count, crashed, errored, abnormal });
    }
  }
  return hours;
}

function sessionsOf(seed: string, projectId: number, { daily }: Traffic, atMs: number): number {
  const hour = (atMs % dayMs) / hourMs;
  // Least at four in the morning, most in the afternoon.
  const rhythm = 1 - 0.75 * Math.cos(((hour - 4) / 24) * 2 * Math.PI);
  const weekend = weekdayOf(atMs) > 4 ? 1.15 : 0.95;
  const noise = 0.9 + 0.2 * chance(seed, 'sessions', projectId, atMs);
  return Math.round((daily / 24) * rhythm * weekend * noise);
}

/** Releases that an hour is shared among, and the share below which nobody is left on an older one. */
const liveAtOnce = 3;
const nobody = 0.004;

function shared(sessions: number, of: Traffic, arrived: readonly Arrived[], atMs: number) {
  const counts = new Map<string, number>();
  const first = arrived.findIndex(({ fromMs }) => fromMs <= atMs);
  let left = sessions;
  for (let nth = 0; first >= 0 && nth < liveAtOnce && left > 0; nth += 1) {
    const live = arrived[first + nth];
    if (live === undefined) break;
    const staying = Math.exp((live.fromMs - atMs) / of.comingOverMs);
    const isLast = nth === liveAtOnce - 1 || arrived[first + nth + 1] === undefined || staying < nobody;
    const part = isLast ? left : Math.floor(left * (1 - staying));
    if (part > 0) counts.set(live.version, (counts.get(live.version) ?? 0) + part);
    left -= part;
  }
  return [...counts].map(([version, count]) => ({ version, count }));
}

interface Spell {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When each bad release was bad: the trouble's until it is over, the others' until they are mended. */
function badSpells(
  projectId: number,
  { nowMs, trouble, planned }: Parameters<typeof healthOf>[2],
): Map<string, Spell> {
  const bad = planned.filter((release) => release.projectId === projectId && release.isBad);
  return new Map(bad.map((release) => [release.version, spellOf(release, trouble, nowMs)]));
}

function spellOf(release: PlannedRelease, trouble: Trouble, nowMs: number): Spell {
  if (release.isTrouble) return { fromMs: trouble.firstEventAtMs, toMs: nowMs };
  if (release.projectId !== checkoutApi) {
    return { fromMs: release.deployedAtMs, toMs: release.deployedAtMs + 9 * dayMs };
  }
  const toMs = release.isTakenBack
    ? backAndForth(release).backAtMs
    : lastMarkOf(release.week) + 100 * minuteMs;
  return { fromMs: release.deployedAtMs + 4 * minuteMs, toMs };
}

/** Sums over some hours, beginning with whole ones. */
export function sumOf(hours: readonly HealthHour[]): Omit<HealthHour, 'hourMs' | 'version'> {
  const sum = { sessions: 0, crashed: 0, errored: 0, abnormal: 0 };
  for (const hour of hours) {
    sum.sessions += hour.sessions;
    sum.crashed += hour.crashed;
    sum.errored += hour.errored;
    sum.abnormal += hour.abnormal;
  }
  return sum;
}
