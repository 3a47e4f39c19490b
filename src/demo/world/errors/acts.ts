// What happened to an issue and what people did about it, up to a moment: laid out by its plan and its life,
// by the rules of src/core/issues/life.ts.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { Comment } from '../../../core/store/issue-pages.ts';
import type { Activity, IgnoreEnd, IssueState, Resolution } from '../../../core/store/issues.ts';
import { weekMs } from '../calendar.ts';
import { demoMembers } from '../company.ts';
import type { Series } from './hours.ts';
import { beganAtMs, type Life, resolvedBefore } from './lives.ts';
import type { Plan } from './plans.ts';
import type { Production } from './production.ts';
import { said } from './said.ts';

/** An issue is new, or back, for a week. */
const freshMs = 7 * dayMs;

/** What acts are laid out from. */
export interface ActFacts {
  readonly plan: Plan;
  readonly life: Life;
  readonly series: Series;
  readonly projectId: number;
  readonly production: Production;
  readonly nowMs: number;
  /** The id of one of its events. */
  eventId(nth: number): string;
  /** How many users so many events are of. */
  users(events: number): number;
  /** Issues that were merged into it. */
  readonly parts: readonly Plan[];
}

/** What is known of an issue through its acts. */
export interface Acted {
  readonly state: IssueState;
  /** The oldest first. */
  readonly acts: readonly Activity[];
  readonly comments: readonly Comment[];
  readonly assignedTo: number | null;
  /** Events that acts name, by how many came before each. */
  readonly namedEvents: readonly number[];
}

/** An act before the states around it are known. */
interface Step {
  readonly atMs: number;
  readonly kind: Activity['kind'];
  readonly actor: string;
  /** Absent where the state stays. */
  readonly state?: IssueState;
  /** How many events came before the one that brought it about. */
  readonly nth?: number;
  readonly release?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Lays out all that happened. */
export function actedOf(facts: ActFacts): Acted {
  const { plan, nowMs } = facts;
  const steps = [...eventSteps(facts), ...peopleSteps(facts), ...mergeSteps(facts)]
    .filter(({ atMs }) => atMs <= nowMs)
    .sort((one, other) => one.atMs - other.atMs);
  let state = open('new', facts.life.starts[0]);
  let before = '';
  const acts = steps.map((step): Activity => {
    const from = before;
    state = step.state ?? state;
    before = wordOf(state);
    const isAssigned = step.kind === 'assigned';
    return {
      id: idOf(plan, step.atMs),
      issueId: plan.id,
      kind: step.kind,
      actor: step.actor,
      atMs: step.atMs,
      from: isAssigned ? '' : from,
      to: isAssigned ? '' : before,
      eventId: step.nth === undefined ? null : facts.eventId(step.nth),
      release: step.release ?? null,
      detail: step.detail ?? {},
    };
  });
  const isGiven = acts.some(({ kind }) => kind === 'assigned');
  return {
    state,
    acts,
    comments: commentsOf(facts),
    assignedTo: isGiven ? (plan.to ?? null) : null,
    namedEvents: steps.flatMap(({ nth }) => nth ?? []),
  };
}

/** No two acts of one issue fall into one second, and no two issues share a number. */
function idOf(plan: Plan, atMs: number): number {
  return Math.floor(atMs / 1000) * 100 + (plan.id % 100);
}

function open(substatus: 'new' | 'ongoing' | 'regressed', changedAtMs: number): IssueState {
  return { status: 'unresolved', substatus, resolution: null, ignore: null, changedAtMs };
}

function wordOf({ status, substatus }: IssueState): string {
  return substatus === null ? status : `${status}/${substatus}`;
}

/** What events brought about: it was seen, came back, and got old. */
function eventSteps({ life, series, production, projectId, plan }: ActFacts): Step[] {
  return life.starts.flatMap((atMs, index): Step[] => {
    const of = (at: number) => ({ actor: 'event', release: production.versionAt(projectId, at) });
    const substatus = index === 0 ? 'new' : 'regressed';
    const began: Step = {
      ...of(atMs),
      atMs,
      kind: index === 0 ? 'first_seen' : 'regressed',
      state: open(substatus, atMs),
      nth: series.before(atMs),
    };
    const nth = series.before(atMs + freshMs);
    const oldAtMs = nth < series.total ? series.momentOf(nth) : Number.POSITIVE_INFINITY;
    const ends = endOf(plan, life, index);
    if (oldAtMs >= ends) return [began];
    const state = open('ongoing', oldAtMs);
    return [began, { ...of(oldAtMs), atMs: oldAtMs, kind: 'ongoing', state, nth }];
  });
}

/** When somebody decided about an issue that had begun or come back for the so manieth time. */
function endOf(plan: Plan, life: Life, index: number): number {
  if (plan.lives === 'ignored') return ignoredAt(plan);
  if (plan.lives === 'done') return resolvedAt(life);
  if (plan.lives === 'returning') return life.spans[index]?.[1] ?? Number.POSITIVE_INFINITY;
  return Number.POSITIVE_INFINITY;
}

function ignoredAt(plan: Plan & { readonly lives: 'ignored' }): number {
  return beganAtMs - plan.since * dayMs + 9 * hourMs + (plan.id % 50) * minuteMs;
}

function resolvedAt({ spans }: Life): number {
  return (spans.at(-1)?.[1] ?? 0) + 2 * hourMs;
}

/** Who resolved it, ignored it, and gave it to somebody. */
function peopleSteps(facts: ActFacts): Step[] {
  const { plan, life } = facts;
  const actor = actorOf(plan.by ?? 1);
  const given: Step[] =
    plan.to === undefined
      ? []
      : [
          {
            atMs: givenAt(plan, life),
            kind: 'assigned',
            actor,
            detail: { member_id: plan.to, name: nameOf(plan.to) },
          },
        ];
  if (plan.lives === 'ignored') return [...given, ...ignoreSteps(plan, facts, actor)];
  const ends =
    plan.lives === 'done'
      ? [resolvedAt(life)]
      : plan.lives === 'returning'
        ? [...life.starts.slice(1).map(resolvedBefore), life.spans.at(-1)?.[1] ?? Number.POSITIVE_INFINITY]
        : [];
  return [...given, ...[...new Set(ends)].map((atMs) => resolveStep(facts, atMs, actor))];
}

/** New things are given to somebody at once, others when there is time. */
function givenAt({ lives }: Plan, { starts: [firstMs] }: Life): number {
  if (lives === 'trouble') return firstMs + 37 * minuteMs;
  return firstMs + (lives === 'weekly' ? 50 * minuteMs : 20 * hourMs);
}

function resolveStep({ plan, production, projectId }: ActFacts, atMs: number, actor: string): Step {
  const version = production.versionAt(projectId, Math.min(atMs, Number.MAX_SAFE_INTEGER));
  const within = 'within' in plan ? plan.within : 'now';
  const resolution: Resolution =
    within === 'release'
      ? { in: 'release', release: version }
      : within === 'next_release'
        ? { in: 'next_release', after: version }
        : { in: 'now' };
  const state: IssueState = {
    status: 'resolved',
    substatus: null,
    resolution,
    ignore: null,
    changedAtMs: atMs,
  };
  const release = within === 'release' ? version : null;
  return { atMs, kind: 'resolved', actor, state, release, detail: { ...resolution } };
}

const asksAgainMs = 4 * weekMs;

/** One that is ignored until a day is ignored anew before that day comes. */
function ignoreSteps(
  plan: Plan & { readonly lives: 'ignored' },
  { series, users, nowMs }: ActFacts,
  actor: string,
): Step[] {
  const firstMs = ignoredAt(plan);
  const again = plan.until === 'date' ? Math.max(0, Math.floor((nowMs - firstMs) / asksAgainMs)) : 0;
  return Array.from({ length: again + 1 }, (_, time): Step => {
    const atMs = firstMs + time * asksAgainMs;
    const events = series.before(atMs);
    const ends: Readonly<Record<typeof plan.until, IgnoreEnd>> = {
      forever: { until: 'forever' },
      date: { until: 'date', atMs: atMs + asksAgainMs + weekMs },
      count: { until: 'count', count: 2_000, windowMs: dayMs, eventsBefore: events },
      users: { until: 'users', users: 10_000, usersBefore: users(events) },
    };
    const ignore = ends[plan.until];
    const state: IssueState = {
      status: 'ignored',
      substatus: null,
      resolution: null,
      ignore,
      changedAtMs: atMs,
    };
    return { atMs, kind: 'ignored', actor, state, detail: { ...ignore } };
  });
}

/** When issues were merged into another, and which at once. */
export function mergesInto(parts: readonly Plan[]): Array<{
  readonly id: number;
  readonly atMs: number;
  readonly issueIds: readonly number[];
  readonly actor: string;
}> {
  const merged = parts.flatMap((plan) => (plan.lives === 'merged' ? [plan] : []));
  return [...Map.groupBy(merged, ({ into, since }) => `${into} ${since}`).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const atMs = beganAtMs - first.since * dayMs + 11 * hourMs + (first.into % 50) * minuteMs;
    const issueIds = same.map(({ id }) => id);
    return [{ id: first.into, atMs, issueIds, actor: actorOf(first.by ?? 1) }];
  });
}

function mergeSteps({ parts }: ActFacts): Step[] {
  return mergesInto(parts).map(({ id, atMs, issueIds, actor }) => ({
    atMs,
    kind: 'merged',
    actor,
    detail: { merge_id: id, issue_ids: issueIds },
  }));
}

function commentsOf({ plan, life, nowMs }: ActFacts): Comment[] {
  const begins = plan.lives === 'returning' ? life.starts.slice(1) : life.starts;
  return begins
    .flatMap((beganMs, time) =>
      (said[plan.id] ?? []).map(({ hours, by, texts }): Comment => {
        const atMs = beganMs + Math.round(hours * hourMs);
        const body = texts[time % texts.length] ?? '';
        return {
          id: idOf(plan, atMs),
          issueId: plan.id,
          memberId: by,
          author: nameOf(by),
          atMs,
          body,
        };
      }),
    )
    .filter(({ atMs }) => atMs <= nowMs);
}

function nameOf(memberId: number): string {
  return demoMembers.find(({ id }) => id === memberId)?.name ?? '';
}

function actorOf(memberId: number): string {
  return `member ${nameOf(memberId)}`;
}
