// Whom Harbour & Pine tells, and by which rules. Tables alone.
import { dayMs, minuteMs } from '../../../core/reading/spans.ts';
import type { AlertRule, ChannelType, RuleFilter, RuleTerms } from '../../../core/store/alerts.ts';
import { home } from '../company.ts';

/** What somebody is told of. */
export type News =
  | 'incident'
  | 'critical'
  | 'payments'
  | 'new_issue'
  | 'regressed'
  | 'run_failed'
  | 'running_out'
  | 'report';

interface RuleRow extends Omit<AlertRule, 'projectId'> {
  readonly news: News;
  /** Projects whose news it sends; empty means all. */
  readonly projectIds: readonly number[];
}

export interface ChannelRow {
  readonly id: number;
  readonly name: string;
  readonly type: ChannelType;
  readonly target: string;
  readonly quietHours: string;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly rules: readonly RuleRow[];
  /** Whether the report of each week goes there. */
  readonly hasReports?: true;
}

const usual: RuleTerms = {
  subject: 'issue',
  event: 'is_new',
  limit: null,
  filters: [],
  everyMs: 30 * minuteMs,
  foldOver: 5,
};
const down: RuleTerms = { ...usual, subject: 'monitor', event: 'down' };
const is = (field: RuleFilter['field'], value: string, name = ''): RuleFilter => ({
  field,
  name,
  is: 'is',
  value,
});

const rule = {
  down: { id: 1, name: 'Down', sentence: 'a monitor is down', news: 'incident', projectIds: [], terms: down },
  wake: {
    id: 2,
    name: 'Wake somebody',
    sentence: 'a monitor whose wake is yes is down',
    news: 'critical',
    projectIds: [],
    terms: { ...down, filters: [is('tag', 'yes', 'wake')] },
  },
  payments: {
    id: 3,
    name: 'Payments',
    sentence: 'a monitor of checkout-api is down',
    news: 'payments',
    projectIds: [],
    terms: { ...down, filters: [is('project', 'checkout-api')] },
  },
  newOfShop: {
    id: 4,
    name: 'New issues of the shop',
    sentence: 'an issue is new, in shop-web',
    news: 'new_issue',
    projectIds: [1],
    terms: { ...usual, filters: [is('project', 'shop-web')] },
  },
  newOfCheckout: {
    id: 5,
    name: 'New issues of the checkout',
    sentence: 'an issue is new, in checkout-api',
    news: 'new_issue',
    projectIds: [2],
    terms: { ...usual, filters: [is('project', 'checkout-api')] },
  },
  cameBack: {
    id: 6,
    name: 'Came back',
    sentence: 'a resolved issue comes back, in any project',
    news: 'regressed',
    projectIds: [],
    terms: { ...usual, event: 'came_back' },
  },
  tests: {
    id: 7,
    name: 'Tests',
    sentence: 'a test run fails, in any project',
    news: 'run_failed',
    projectIds: [],
    terms: { ...usual, subject: 'test_run', event: 'failed' },
  },
  runningOut: {
    id: 8,
    name: 'Running out',
    sentence: 'a certificate, a proof or a key ends within 14 days',
    news: 'running_out',
    projectIds: [],
    terms: {
      ...usual,
      subject: 'expiry',
      event: 'ends_within',
      limit: { count: 14, unit: 'days', withinMs: null },
      everyMs: dayMs,
    },
  },
} as const satisfies Record<string, RuleRow>;

const made = (day: number): number => Date.UTC(2025, 10, 4, 10) + day * dayMs;

export const channelRows: readonly ChannelRow[] = [
  {
    id: 1,
    name: '#ops',
    type: 'slack',
    target: 'hooks.slack.example/services/T02•••/••••',
    quietHours: '',
    createdAtMs: made(0),
    createdBy: 'Tomas Lindqvist',
    rules: [rule.down, rule.cameBack, rule.tests],
  },
  {
    id: 2,
    name: 'On call',
    type: 'ntfy',
    target: `ntfy.${home}/on-call-••••`,
    quietHours: '',
    createdAtMs: made(1),
    createdBy: 'Tomas Lindqvist',
    rules: [rule.wake],
  },
  {
    id: 3,
    name: 'Operations',
    type: 'email',
    target: `op•@${home}`,
    quietHours: '22:00 to 07:00',
    createdAtMs: made(1),
    createdBy: 'Mara Feld',
    rules: [rule.wake, rule.tests],
  },
  {
    id: 4,
    name: '#shop',
    type: 'mattermost',
    target: `chat.${home}/hooks/••••`,
    quietHours: '',
    createdAtMs: made(6),
    createdBy: 'Ines Okafor',
    rules: [rule.newOfShop, rule.tests],
  },
  {
    id: 5,
    name: 'Order desk',
    type: 'webhook',
    target: `https://hooks.${home}/n/••••7Qd1`,
    quietHours: '',
    createdAtMs: made(20),
    createdBy: 'Tomas Lindqvist',
    rules: [rule.payments, rule.newOfCheckout, rule.cameBack],
  },
  {
    id: 6,
    name: 'Weekly report',
    type: 'email',
    target: `te••@${home}, 4 more`,
    quietHours: '',
    createdAtMs: made(30),
    createdBy: 'Mara Feld',
    rules: [rule.runningOut],
    hasReports: true,
  },
  {
    id: 7,
    name: 'Warehouse',
    type: 'teams',
    target: 'prod-11.westeurope.logic.example/workflows/••••',
    quietHours: '',
    createdAtMs: made(44),
    createdBy: 'Jun Park',
    rules: [rule.down],
  },
];

/** The channel that does not answer, and for how long before the trouble it has not. */
export const failing = {
  channelId: 5,
  beforeTroubleMs: 78 * minuteMs,
  fault: 'queue order-desk is not accepting',
} as const;

export const pausedChannel = {
  channelId: 7,
  sinceMs: Date.UTC(2026, 10, 13, 8, 30),
} as const;
