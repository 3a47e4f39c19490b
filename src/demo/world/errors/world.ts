// The errors of the demo at a moment, and what others ask of them: a pure function of seed and time.

import type { IssueTagValue } from '../../../core/store/issue-pages.ts';
import type { Activity } from '../../../core/store/issues.ts';
import { demoTime } from '../calendar.ts';
import { type Trouble, troubleAt } from '../story.ts';
import { type LoneIssue, type WorldIssue, worldIssues } from './issues.ts';
import { type Production, productionOf } from './production.ts';
import { spokenOf, type WorldReport, worldReports } from './reports.ts';
import { type StoredPlace, storedEvents } from './stored.ts';
import { tagsOf } from './tags.ts';

export interface ErrorsWorld {
  readonly seed: string;
  /** Floored to five minutes: nothing happened after it. */
  readonly nowMs: number;
  readonly trouble: Trouble;
  readonly production: Production;
  /** All of them, those that were merged too, by their numbers. */
  readonly issues: readonly WorldIssue[];
  issueById(issueId: number): WorldIssue | null;
  /** Issues of a project that stand for themselves. */
  issuesOf(projectId: number): readonly WorldIssue[];
  /** Events of an issue, and of what was merged into it, from a moment up to, not including, another. */
  eventsOf(issueId: number, fromMs: number, toMs: number): number;
  /** Events of a project that named a release. */
  eventsIn(version: string, projectId: number): number;
  /** Numbers of issues that a release brought, brought back and is told to mend, the highest first. */
  newIn(version: string, projectId: number): readonly number[];
  regressedIn(version: string, projectId: number): readonly number[];
  resolvedIn(version: string, projectId: number): readonly number[];
  /** Events that are kept whole, the oldest first. */
  readonly stored: readonly StoredPlace[];
  storedOf(issueId: number): readonly StoredPlace[];
  storedById(eventId: string): StoredPlace | null;
  /** The tags of one issue by itself. */
  tagsOf(own: LoneIssue): readonly IssueTagValue[];
  /** What visitors wrote, the newest first. */
  readonly reports: readonly WorldReport[];
}

/** The errors of the demo as they stand at `nowMs`. */
export function errorsWorld(seed: string, nowMs: number): ErrorsWorld {
  const atMs = demoTime(nowMs);
  const trouble = troubleAt(seed, atMs);
  const production = productionOf(seed, trouble);
  const facts = { seed, nowMs: atMs, trouble, production };
  const issues = worldIssues(facts);
  const byId = new Map(issues.map((each) => [each.issue.id, each]));
  const heads = Map.groupBy(
    issues.filter(({ issue }) => issue.mergedInto === null),
    ({ projectId }) => projectId,
  );
  const stored = storedEvents(facts, issues, spokenOf(facts));
  const ofIssue = Map.groupBy(stored, ({ issueId }) => issueId);
  const byEventId = new Map(stored.map((place) => [place.eventId, place]));
  const tags = new Map<number, readonly IssueTagValue[]>();
  const issuesOf = (projectId: number): readonly WorldIssue[] => heads.get(projectId) ?? [];
  return {
    ...facts,
    issues,
    issuesOf,
    stored,
    issueById: (issueId) => byId.get(issueId) ?? null,
    eventsOf(issueId, fromMs, toMs) {
      const group = byId.get(issueId)?.group ?? [];
      return group.reduce((sum, { series }) => sum + series.before(toMs) - series.before(fromMs), 0);
    },
    eventsIn(version, projectId) {
      return issuesOf(projectId)
        .flatMap(({ group }) => group)
        .reduce((sum, own) => sum + eventsOfRelease(own, production, version, atMs), 0);
    },
    newIn: (version, projectId) =>
      numbersOf(issuesOf(projectId).filter(({ issue }) => issue.firstRelease === version)),
    regressedIn: (version, projectId) => actedIn(issuesOf(projectId), 'regressed', version),
    resolvedIn: (version, projectId) => actedIn(issuesOf(projectId), 'resolved', version),
    storedOf: (issueId) => ofIssue.get(issueId) ?? [],
    storedById: (eventId) => byEventId.get(eventId) ?? null,
    tagsOf(own) {
      const id = own.plan.id;
      const known = tags.get(id);
      if (known !== undefined) return known;
      const kept = (ofIssue.get(own.bare.mergedInto ?? id) ?? []).filter((place) => place.own.plan.id === id);
      const made = tagsOf(own, kept, production);
      tags.set(id, made);
      return made;
    },
    reports: worldReports(facts, ({ issueId, atMs: beforeMs }) => {
      const kept = ofIssue.get(byId.get(issueId)?.issue.mergedInto ?? issueId) ?? [];
      return kept.findLast((place) => place.atMs < beforeMs && place.own.plan.id === issueId) ?? null;
    }),
  };
}

function actedIn(issues: readonly WorldIssue[], kind: Activity['kind'], version: string): number[] {
  return numbersOf(
    issues.filter(({ acts }) => acts.some((act) => act.kind === kind && act.release === version)),
  );
}

function numbersOf(issues: readonly WorldIssue[]): number[] {
  return issues.map(({ issue }) => issue.id).sort((one, other) => other - one);
}

/** Events of an issue by itself that named a release. */
function eventsOfRelease(
  { series, life, projectId }: LoneIssue,
  production: Production,
  version: string,
  nowMs: number,
): number {
  const bounds = [life.starts[0], ...production.changes(projectId, life.starts[0], nowMs), nowMs + 1];
  let sum = 0;
  for (let at = 0; at + 1 < bounds.length; at += 1) {
    const [fromMs = 0, toMs = 0] = bounds.slice(at, at + 2);
    const isOf = production.versionAt(projectId, fromMs) === version;
    sum += isOf ? series.before(toMs) - series.before(fromMs) : 0;
  }
  return sum;
}

/** What a release is told of its issues, as the world of releases asks for it. */
export interface ReleaseIssues {
  newIn(projectId: number, version: string): readonly number[];
  regressedIn(projectId: number, version: string): readonly number[];
  resolvedIn(projectId: number, version: string): readonly number[];
  eventsIn(projectId: number, version: string): number;
}

/** The same figures with the project named first. */
export function releaseIssues(world: ErrorsWorld): ReleaseIssues {
  return {
    newIn: (projectId, version) => world.newIn(version, projectId),
    regressedIn: (projectId, version) => world.regressedIn(version, projectId),
    resolvedIn: (projectId, version) => world.resolvedIn(version, projectId),
    eventsIn: (projectId, version) => world.eventsIn(version, projectId),
  };
}
