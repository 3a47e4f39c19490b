// When what was planned is made and comes to its places: releases by their weeks, and the one that the
// trouble under way came with.
import { dayMs, hourMs, minuteMs } from '../../core/reading/spans.ts';
import { momentOf, weekOf } from './calendar.ts';
import { between } from './chance.ts';
import { demoProjects } from './company.ts';
import {
  checkoutApi,
  lastMarkOf,
  mobileShell,
  plannedWeekOf,
  releaseIdOf,
  shopWeb,
  type Trouble,
  troubleAt,
  versionOf,
  workerQueue,
  wpSite,
} from './story.ts';

/** A release before anything is told of it. */
export interface PlannedRelease {
  readonly id: number;
  readonly projectId: number;
  /** The week that it is numbered by. */
  readonly week: number;
  readonly version: string;
  readonly versionBefore: string;
  readonly idBefore: number;
  readonly madeAtMs: number;
  readonly stagedAtMs: number;
  readonly deployedAtMs: number;
  /** It came with the trouble that is under way. */
  readonly isTrouble: boolean;
  /** It was taken back for a while. */
  readonly isTakenBack: boolean;
  /** Sessions crash that ran well before. */
  readonly isBad: boolean;
}

/** Weeks that are looked back: what was there 90 days ago had something before it. */
const weeksBack = 40;

/** Weekday and hour of a release; checkout-api's is that of the last mark of its week. */
const habits: Readonly<Record<number, readonly [day: number, hour: number]>> = {
  [shopWeb]: [3, 10],
  [wpSite]: [1, 13],
  [mobileShell]: [2, 14],
  [workerQueue]: [2, 9],
};

/** All releases that were made in the last weeks, the newest first. */
export function plannedReleases(seed: string, nowMs: number): PlannedRelease[] {
  const trouble = troubleAt(seed, nowMs);
  const weeks = Array.from({ length: weeksBack }, (_, back) => weekOf(nowMs) - back);
  return demoProjects
    .flatMap(({ id, madeAtMs }) =>
      weeks
        .filter((week) => plannedWeekOf(id, week) === week)
        .map((week) => plannedRelease(seed, id, week, trouble))
        .filter((release) => release.madeAtMs >= madeAtMs),
    )
    .concat(hotfixOf(trouble))
    .filter((release) => release.madeAtMs <= nowMs)
    .sort((one, other) => other.madeAtMs - one.madeAtMs || other.id - one.id);
}

/** The release that a project plans for a week which it releases in. */
export function plannedRelease(
  seed: string,
  projectId: number,
  week: number,
  trouble: Trouble,
): PlannedRelease {
  const id = releaseIdOf(projectId, week);
  const weekBefore = plannedWeekOf(projectId, week - 1);
  const minor = Number(versionOf(projectId, week).split('.')[1]);
  const facts = {
    id,
    projectId,
    week,
    version: versionOf(projectId, week),
    versionBefore: versionOf(projectId, weekBefore),
    idBefore: releaseIdOf(projectId, weekBefore),
    isTrouble: id === trouble.releaseId,
  };
  if (facts.isTrouble) return { ...facts, ...timesOf(trouble), isTakenBack: false, isBad: true };
  if (projectId === checkoutApi) {
    const isTakenBack = minor % 6 === 0;
    return { ...facts, ...timesAt(lastMarkOf(week)), isTakenBack, isBad: true };
  }
  const [day, hour] = habits[projectId] ?? [2, 11];
  const madeAtMs = momentOf(week, day, hour, between(2, 50, seed, 'release', id));
  const stagedAtMs = madeAtMs + between(14, 40, seed, 'staged', id) * minuteMs;
  return {
    ...facts,
    madeAtMs,
    stagedAtMs,
    deployedAtMs: stagedAtMs + between(25, 90, seed, 'deployed', id) * minuteMs,
    isTakenBack: projectId === shopWeb && minor % 6 === 4,
    isBad: projectId === shopWeb && minor % 2 === 0,
  };
}

/** In a week without a planned release the trouble came with a hotfix. */
function hotfixOf(trouble: Trouble): PlannedRelease[] {
  const week = plannedWeekOf(checkoutApi, weekOf(trouble.startedAtMs));
  if (trouble.releaseId === releaseIdOf(checkoutApi, week)) return [];
  return [
    {
      id: trouble.releaseId,
      projectId: checkoutApi,
      week,
      version: trouble.version,
      versionBefore: trouble.versionBefore,
      idBefore: releaseIdOf(checkoutApi, week),
      ...timesOf(trouble),
      isTrouble: true,
      isTakenBack: false,
      isBad: true,
    },
  ];
}

function timesOf({ releasedAtMs, deployedAtMs }: Pick<Trouble, 'releasedAtMs' | 'deployedAtMs'>) {
  return { madeAtMs: releasedAtMs, stagedAtMs: releasedAtMs + 4 * minuteMs, deployedAtMs };
}

/** The same distances from a mark of the past. */
function timesAt(markMs: number) {
  return timesOf({ releasedAtMs: markMs - 49 * minuteMs, deployedAtMs: markMs - 38 * minuteMs });
}

/** When a release that was taken back was taken back, and when it came again. */
export function backAndForth({ projectId, week, deployedAtMs }: PlannedRelease): {
  readonly backAtMs: number;
  readonly againAtMs: number;
} {
  return projectId === checkoutApi
    ? { backAtMs: lastMarkOf(week) + 44 * minuteMs, againAtMs: lastMarkOf(week) + 15 * hourMs }
    : { backAtMs: deployedAtMs + 47 * minuteMs, againAtMs: deployedAtMs + dayMs };
}
