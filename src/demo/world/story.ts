// What is going on in the demo right now: card payments fail since the last of four marks of the day, because
// of a release. Everything that belongs to it has its time and its number here, so that whoever makes a
// release, an issue, a test run, a check or an incident means the same. A day later another mark is the last
// one, and this trouble is gone, but for the one that a week ends with: that one stays, resolved
// (`pastWeeks`).
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import { floorTo, momentOf, weekOf } from './calendar.ts';
import { hex } from './chance.ts';

/** Marks lie 23 minutes after midnight, six, noon and eighteen. */
const markMs = 6 * hourMs;
const markMinuteMs = 23 * minuteMs;

/** Weeks of history that the demo shows: 90 days, begun weeks whole. */
export const weeksShown = 13;

/** The trouble under way. Times in milliseconds since 1970. */
export interface Trouble {
  /** Counted marks: the number of this one. */
  readonly mark: number;
  /** When the monitor saw it, which opened the incident: at most six hours ago. */
  readonly startedAtMs: number;
  /** The suite was red when the release was made; nobody stopped it. */
  readonly testRunAtMs: number;
  readonly releasedAtMs: number;
  readonly deployedAtMs: number;
  /** The first event of the issue. */
  readonly firstEventAtMs: number;
  readonly projectSlug: 'checkout-api';
  readonly monitorSlug: 'payments-gateway';
  readonly incidentId: number;
  readonly issueId: number;
  /** Of its newest event. */
  readonly eventId: string;
  readonly testRunId: number;
  readonly releaseId: number;
  readonly deployId: number;
  readonly version: string;
  /** The version before it, which it will be taken back to. */
  readonly versionBefore: string;
}

/** The trouble that is under way at `nowMs`. */
export function troubleAt(seed: string, nowMs: number): Trouble {
  const startedAtMs = floorTo(nowMs - markMinuteMs, markMs) + markMinuteMs;
  const mark = Math.floor(startedAtMs / markMs);
  const week = weekOf(startedAtMs);
  // In a week without a planned release it was a hotfix of the last one.
  const planned = plannedWeekOf(checkoutApi, week);
  const patch = planned === week ? 0 : 1;
  const releaseId = releaseIdOf(checkoutApi, planned, patch);
  return {
    mark,
    startedAtMs,
    testRunAtMs: startedAtMs - 57 * minuteMs,
    releasedAtMs: startedAtMs - 49 * minuteMs,
    deployedAtMs: startedAtMs - 38 * minuteMs,
    firstEventAtMs: startedAtMs - 34 * minuteMs,
    projectSlug: 'checkout-api',
    monitorSlug: 'payments-gateway',
    incidentId: incidentIdOf(week),
    issueId: paymentsIssueId,
    eventId: hex(32, seed, 'event', paymentsIssueId, mark),
    testRunId: testRunIdOf(startedAtMs - 57 * minuteMs),
    releaseId,
    deployId: deployIdOf(releaseId, 2),
    version: versionOf(checkoutApi, planned, patch),
    versionBefore: versionOf(checkoutApi, patch === 1 ? planned : plannedWeekOf(checkoutApi, planned - 1)),
  };
}

/** When the trouble that a past week ended with began: at its last mark. */
export function lastMarkOf(week: number): number {
  return momentOf(week, 6, 18, 23);
}

/** The weeks before that of `nowMs` whose last trouble stands in history, the newest first. */
export function pastWeeks(nowMs: number): number[] {
  const week = weekOf(nowMs - markMinuteMs);
  return Array.from({ length: weeksShown }, (_, back) => week - 1 - back);
}

/** Numbers of projects, as the company has them. */
export const shopWeb = 1;
export const checkoutApi = 2;
export const wpSite = 3;
export const mobileShell = 4;
export const workerQueue = 5;

export const paymentsIssueId = 1061;

/** Weeks are counted from 2000: what is numbered by them keeps its number for ever. */
export function releaseIdOf(projectId: number, week: number, nth = 0): number {
  return week * 20 + projectId * 3 + nth;
}

/** `nth` of a release: 1 and up. */
export function deployIdOf(releaseId: number, nth: number): number {
  return releaseId * 10 + nth;
}

/** Test runs begin in minutes that no other begins in. */
export function testRunIdOf(atMs: number): number {
  return Math.floor((atMs - Date.UTC(2000, 0, 1)) / minuteMs);
}

/** The incident that a week has at its last mark, or now. */
export function incidentIdOf(week: number): number {
  return week * 3;
}

/** The last week up to `week` that a project releases in. */
export function plannedWeekOf(projectId: number, week: number): number {
  const { everyWeeks, offset } = plans[projectId] ?? lastPlan;
  const since = week - weekThen - offset;
  return week - (((since % everyWeeks) + everyWeeks) % everyWeeks);
}

/**
 * The version that a project released in a planned week. In the week of 16 November 2026 shop-web is at
 * 4.18.0 and checkout-api at 2.31.0.
 */
export function versionOf(projectId: number, plannedWeek: number, patch = 0): string {
  if (projectId === wpSite) {
    const monday = new Date(momentOf(plannedWeek, 0, 0, 0));
    return `${monday.getUTCFullYear()}.${monday.getUTCMonth() + 1}.${patch}`;
  }
  const { major, minor, everyWeeks, offset } = plans[projectId] ?? lastPlan;
  const releases = Math.round((plannedWeek - weekThen - offset) / everyWeeks);
  const minors = Math.max(0, major * minorsOfMajor + minor + releases);
  return `${Math.floor(minors / minorsOfMajor)}.${minors % minorsOfMajor}.${patch}`;
}

/** A major version has so many minor ones. */
const minorsOfMajor = 60;
const weekThen = weekOf(Date.UTC(2026, 10, 16));

/** How often a project releases, and which version it had in the week of 16 November 2026. */
interface ReleasePlan {
  readonly everyWeeks: number;
  /** Of the week of 16 November 2026. */
  readonly offset: number;
  readonly major: number;
  readonly minor: number;
}

const lastPlan: ReleasePlan = { everyWeeks: 8, offset: 0, major: 0, minor: 1 };
const plans: Readonly<Record<number, ReleasePlan>> = {
  [shopWeb]: { everyWeeks: 2, offset: 0, major: 4, minor: 18 },
  [checkoutApi]: { everyWeeks: 2, offset: 0, major: 2, minor: 31 },
  [wpSite]: { everyWeeks: 5, offset: -1, major: 0, minor: 0 },
  [mobileShell]: { everyWeeks: 5, offset: -2, major: 7, minor: 9 },
  [workerQueue]: lastPlan,
};

/** The 90 days that the demo remembers, whole ones, with the running one. */
export function rememberedFromMs(nowMs: number): number {
  return floorTo(nowMs, dayMs) - 89 * dayMs;
}
