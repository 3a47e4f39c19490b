// The issues of the demo with all that is known of them at a moment: figures are sums over their hours.
import type { Issue } from '../../../core/store/issues.ts';
import { chance, hex } from '../chance.ts';
import { demoProjects } from '../company.ts';
import type { Trouble } from '../story.ts';
import { type Acted, actedOf } from './acts.ts';
import { type Series, seriesOf } from './hours.ts';
import { type Life, lifeOf } from './lives.ts';
import { type Plan, plans } from './plans.ts';
import type { Production } from './production.ts';
import { templateOf } from './templates/all.ts';
import type { IssueTemplate } from './templates/template.ts';
import { names } from './told/names.ts';
import { groupedOf, platformOf } from './told/prepared.ts';

/** One issue by itself, whatever was merged into it. */
export interface LoneIssue extends Acted {
  readonly plan: Plan;
  readonly template: IssueTemplate;
  readonly projectId: number;
  readonly life: Life;
  readonly series: Series;
  readonly bare: BareIssue;
}

export interface WorldIssue extends LoneIssue {
  /** Its figures; of one that others were merged into, theirs included. */
  readonly issue: Issue;
  /** Itself, and what was merged into it. */
  readonly group: readonly LoneIssue[];
}

/** How an issue is grouped takes long to say, and only its own pages ask. */
type BareIssue = Omit<Issue, 'grouping'>;

/** What issues are made from. */
export interface IssueFacts {
  readonly seed: string;
  readonly nowMs: number;
  readonly trouble: Trouble;
  readonly production: Production;
}

/** All issues, by their numbers. */
export function worldIssues(facts: IssueFacts): WorldIssue[] {
  const alone = plans.map((plan) => aloneOf(plan, facts));
  const parts = Map.groupBy(alone, ({ bare }) => bare.mergedInto);
  return alone.map((each) => withParts(each, parts.get(each.bare.id) ?? []));
}

function aloneOf(plan: Plan, facts: IssueFacts): LoneIssue {
  const { seed, nowMs, production } = facts;
  const template = templateOf(plan.key);
  const projectId = demoProjects.find(({ slug }) => slug === template.slug)?.id ?? 0;
  const life = lifeOf(plan, facts);
  const hasUsers = template.hasUsers !== false;
  const series = seriesOf(seed, plan, life, hasUsers && template.slug !== 'checkout-api', nowMs);
  const users = (events: number): number => (hasUsers ? usersOf(seed, plan, events) : 0);
  const parts = plans.filter((each) => each.lives === 'merged' && each.into === plan.id);
  const acted = actedOf({
    plan,
    life,
    series,
    projectId,
    production,
    nowMs,
    parts,
    users,
    eventId: (nth) => eventIdOf(facts, plan, life, nth, series.total),
  });
  const made = { plan, template, projectId, life, series, ...acted };
  return { ...made, bare: bareOf(made, users(series.total), production) };
}

/** The id of the event that so many came before in a life of an issue; `total` came by now. */
export function eventIdOf(
  { seed, trouble }: Pick<IssueFacts, 'seed' | 'trouble'>,
  plan: Plan,
  life: Life,
  nth: number,
  total: number,
): string {
  if (plan.lives === 'trouble' && nth === total - 1) return trouble.eventId;
  return hex(32, seed, 'event', plan.id, life.number, nth);
}

/** Distinct users that are counted of an issue. */
const usersMax = 10_000;

/** The more events, the more of them are of somebody who had one before. */
function usersOf(seed: string, plan: Plan, events: number): number {
  const share = 0.55 + 0.4 * chance(seed, 'users', plan.id);
  return events === 0 ? 0 : Math.max(1, Math.min(usersMax, Math.floor(events ** 0.9 * share)));
}

function bareOf(
  { plan, template, projectId, life, series, state, acts, assignedTo }: Omit<LoneIssue, 'bare'>,
  usersCount: number,
  { versionAt }: Production,
): BareIssue {
  const [title = '', culprit = ''] = names[plan.key] ?? [];
  const [firstSeenMs] = life.starts;
  const lastSeenMs = series.momentOf(series.total - 1);
  return {
    id: plan.id,
    projectId,
    mergedInto: plan.lives === 'merged' ? plan.into : null,
    isOverflow: false,
    title,
    culprit,
    level: template.level ?? 'error',
    platform: platformOf(template),
    state,
    regressionsCount: acts.filter(({ kind }) => kind === 'regressed').length,
    eventsCount: series.total,
    usersCount,
    firstSeenMs,
    lastSeenMs,
    firstRelease: versionAt(projectId, firstSeenMs),
    lastRelease: versionAt(projectId, lastSeenMs),
    assignedTo,
  };
}

function withParts(head: LoneIssue, parts: readonly LoneIssue[]): WorldIssue {
  const group = [head, ...parts];
  const all = group.map(({ bare }) => bare);
  const sum = (figure: 'eventsCount' | 'usersCount'): number =>
    all.reduce((own, each) => own + each[figure], 0);
  const last = all.reduce((one, other) => (other.lastSeenMs > one.lastSeenMs ? other : one));
  const first = all.reduce((one, other) => (other.firstSeenMs < one.firstSeenMs ? other : one));
  const issue: Issue = {
    ...head.bare,
    eventsCount: sum('eventsCount'),
    usersCount: Math.min(usersMax, sum('usersCount')),
    firstSeenMs: first.firstSeenMs,
    firstRelease: first.firstRelease,
    lastSeenMs: last.lastSeenMs,
    lastRelease: last.lastRelease,
    get grouping() {
      return groupedOf(head.template).grouping;
    },
  };
  return { ...head, issue, group };
}
