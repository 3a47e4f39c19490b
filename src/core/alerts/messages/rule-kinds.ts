import { type RuleName, storedRuleKind } from '../../../../schemas/alert-channels.ts';
import { dayMs, hourMs, minuteMs, slotMs } from '../../parsing/durations.ts';
import type { SignalKind } from '../../store/alert-records.ts';
import type { RuleConditions } from '../../store/alerts.ts';

type Limit = NonNullable<RuleConditions['limit']>;

interface RuleKindText {
  readonly name: string;
  sentence(limit: Limit | null): string;
  verbs(limit: Limit | null): readonly [one: string, many: string];
  /** In front of a title that does not read as a subject; then `verbs` are for many only. */
  readonly label?: string;
  readonly noun: string;
  readonly path: string;
  readonly limit: Limit | null;
}

type Subject = Pick<RuleKindText, 'noun' | 'path'>;

const issue: Subject = { noun: 'issue', path: '/issues' };
const maintenance: Subject = { noun: 'maintenance window', path: '/incidents' };
const monitor: Subject = { noun: 'monitor', path: '/monitors' };

/** A rule without a limit. `one` and `many` are its verbs. */
function withoutLimit(
  subject: Subject,
  name: string,
  sentence: string,
  one: string,
  many = one,
): RuleKindText {
  return { ...subject, name, sentence: () => sentence, verbs: () => [one, many], limit: null };
}

export const ruleKindTexts: Readonly<Record<SignalKind, RuleKindText>> = {
  'issue.is_new': withoutLimit(issue, 'New issues', 'an issue is new', 'is new', 'are new'),
  'issue.came_back': withoutLimit(issue, 'Regressed', 'a resolved issue regresses', 'regressed'),
  'issue.reopened': withoutLimit(issue, 'Reopened', 'an issue is reopened', 'was reopened', 'were reopened'),
  'issue.first_of_release': withoutLimit(
    issue,
    'New in a release',
    'an issue is new in a release',
    'is new in a release',
    'are new in a release',
  ),
  'issue.seen_more_than': {
    ...issue,
    name: 'Many events',
    sentence: (limit) => `an issue is ${describeThreshold(limit)}`,
    verbs: (limit) => [`was ${describeThreshold(limit)}`, `were ${describeThreshold(limit)}`],
    limit: { count: 100, unit: 'events', withinMs: hourMs },
  },
  'issue.resolved': withoutLimit(issue, 'Resolved', 'an issue is resolved', 'was resolved', 'were resolved'),
  'issue.assigned': withoutLimit(issue, 'Assigned', 'an issue is assigned', 'was assigned', 'were assigned'),
  'issue.commented': {
    ...withoutLimit(issue, 'Comments', 'somebody comments on an issue', 'has a new comment', 'were written'),
    noun: 'comment',
  },
  'issue.mentioned': {
    ...withoutLimit(issue, 'Mentions', 'a comment mentions a member', 'has a new mention', 'were written'),
    noun: 'mention',
  },
  'feedback.created': {
    ...withoutLimit(
      { noun: 'bug report', path: '/feedback' },
      'Bug reports',
      'a bug report arrives',
      'arrived',
    ),
    label: 'New bug report',
  },
  'deploy.failed': withoutLimit({ noun: 'deploy', path: '/deploys' }, 'Deploys', 'a deploy fails', 'failed'),
  'test_run.failed': withoutLimit(
    { noun: 'test run', path: '/test-runs' },
    'Tests',
    'a test run fails',
    'failed',
  ),
  'expiry.ends_within': {
    name: 'Expiring',
    sentence: (limit) => `a certificate, a domain verification or a key expires within ${daysText(limit)}`,
    verbs: (limit) => [`expires within ${daysText(limit)}`, `expire within ${daysText(limit)}`],
    noun: 'thing',
    path: '/projects',
    limit: { count: 14, unit: 'days', withinMs: null },
  },
  'losses.more_than': {
    name: 'Discarded events',
    sentence: (limit) => `a project discards ${describeDiscardRate(limit)}`,
    verbs: (limit) => [`discarded ${describeDiscardRate(limit)}`, `discarded ${describeDiscardRate(limit)}`],
    noun: 'project',
    path: '/projects',
    limit: { count: 5, unit: 'percent', withinMs: hourMs },
  },
  'release.crash_free_under': {
    name: 'Crash-free',
    sentence: (limit) => `the crash-free rate of a release is below ${percentText(limit)}`,
    verbs: (limit) => [
      `has a crash-free rate below ${percentText(limit)}`,
      `have a crash-free rate below ${percentText(limit)}`,
    ],
    noun: 'release',
    path: '/releases',
    limit: { count: 99, unit: 'percent', withinMs: null },
  },
  'monitor.down': withoutLimit(monitor, 'Down', 'a monitor is down', 'is down', 'are down'),
  'monitor.up': withoutLimit(monitor, 'Recovered', 'a monitor recovers', 'recovered'),
  'monitor.slow': withoutLimit(monitor, 'Degraded', 'a monitor is degraded', 'is degraded', 'are degraded'),
  'maintenance.scheduled': {
    ...withoutLimit(
      maintenance,
      'Maintenance scheduled',
      'maintenance is scheduled',
      'was scheduled',
      'were scheduled',
    ),
    label: 'Maintenance scheduled',
  },
  'maintenance.started': {
    ...withoutLimit(maintenance, 'Maintenance started', 'maintenance starts', 'started'),
    label: 'Maintenance started',
  },
  'maintenance.ended': {
    ...withoutLimit(maintenance, 'Maintenance ended', 'maintenance ends', 'ended'),
    label: 'Maintenance ended',
  },
};

export function usualRuleLimit(on: RuleName): Limit | null {
  const { limit } = ruleKindTexts[storedRuleKind(on)];
  return limit !== null && on === 'users.above' ? { ...limit, unit: 'users' } : limit;
}

/** Fills in defaults. Returns an error sentence for an invalid limit. */
export function parseRuleLimit(
  kind: SignalKind,
  { count, unit, withinMs }: { readonly count: number; readonly unit?: string; readonly withinMs?: number },
): Limit | string {
  const usual = ruleKindTexts[kind].limit;
  if (usual === null) return `${kind} has no limit.`;
  const units: readonly Limit['unit'][] =
    kind === 'issue.seen_more_than' ? ['events', 'users'] : [usual.unit];
  const known = units.find((each) => each === (unit ?? usual.unit));
  if (known === undefined) return `The unit of ${kind} is ${units.join(' or ')}.`;
  const { max, isWhole } = limitBounds[known];
  if (!(count > 0 && count <= max) || (isWhole && !Number.isInteger(count))) {
    return `Enter the number of ${known}: ${isWhole ? 'a whole number from 1' : 'more than 0, up'} to ${max}.`;
  }
  if (usual.withinMs === null) return { count, unit: known, withinMs: null };
  const within = withinMs ?? usual.withinMs;
  const step = kind === 'losses.more_than' ? hourMs : slotMs;
  const isValid = within % step === 0 && within >= step && within <= dayMs;
  if (isValid) return { count, unit: known, withinMs: within };
  return `Enter the time in minutes: up to 1440, in steps of ${step / minuteMs}.`;
}

const limitBounds = {
  events: { max: 100_000, isWhole: true },
  users: { max: 100_000, isWhole: true },
  percent: { max: 100, isWhole: false },
  days: { max: 365, isWhole: true },
} as const;

function describeThreshold(limit: Limit | null): string {
  if (limit === null) return 'seen more often, or by more users, than a number';
  const { count, unit, withinMs } = limit;
  const countText = count.toLocaleString('en-US');
  const often =
    unit === 'users'
      ? `by more than ${countText} user${count === 1 ? '' : 's'}`
      : `more than ${count === 1 ? 'once' : `${countText} times`}`;
  return `seen ${often}${withinMs === null ? '' : ` within ${durationText(withinMs)}`}`;
}

function daysText(limit: Limit | null): string {
  if (limit === null) return 'a number of days';
  return limit.count === 1 ? 'a day' : `${limit.count} days`;
}

function percentText(limit: Limit | null): string {
  return limit === null ? 'a share' : `${limit.count}%`;
}

function describeDiscardRate(limit: Limit | null): string {
  const within = limit === null || limit.withinMs === null ? '' : ` within ${durationText(limit.withinMs)}`;
  return `more than ${percentText(limit)} of its events${within}`;
}

function durationText(ms: number): string {
  if (ms % hourMs !== 0) return `${ms / minuteMs} minutes`;
  return ms === hourMs ? 'an hour' : `${ms / hourMs} hours`;
}

/** Monitors open their own; the others are no fault, or the end of one. */
const opensNone: readonly SignalKind[] = [
  'monitor.down',
  'monitor.up',
  'issue.resolved',
  'issue.assigned',
  'issue.commented',
  'issue.mentioned',
  'feedback.created',
  'maintenance.scheduled',
  'maintenance.started',
  'maintenance.ended',
];

export function canOpenIncidents(kind: SignalKind): boolean {
  return !opensNone.includes(kind);
}

export function isIssueRule(kind: SignalKind): boolean {
  return kind.startsWith('issue.');
}
