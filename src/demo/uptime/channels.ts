import type { AlertChannelRequest } from '../../core/alerts/channel-schemas.ts';
import { createChannel, updateChannel } from '../../core/alerts/channels.ts';
import { createRule, type RuleInput } from '../../core/alerts/rules.ts';
import type { RuleFilter } from '../../core/store/alerts.ts';
import { type Colleague, ines, jun, mara, siteHost, tomas } from '../shared/company.ts';
import { type DemoContext, type Step, stepAgo } from '../shared/context.ts';
import { auditActor } from '../shared/people.ts';

type Channel = AlertChannelRequest & { readonly days: number; readonly by: Colleague };

/** `days` is the age. */
const channels: readonly Channel[] = [
  {
    days: 200,
    by: tomas,
    type: 'slack',
    name: '#ops',
    url: 'https://hooks.slack.example/services/T02/B7/xw8',
  },
  { days: 199, by: tomas, type: 'ntfy', name: 'On call', url: `https://ntfy.${siteHost}/on-call-7Qd1` },
  {
    days: 199,
    by: mara,
    type: 'email',
    name: 'Operations',
    to: `ops@${siteHost}`,
    quiet_hours: '22:00 to 07:00',
  },
  {
    days: 194,
    by: ines,
    type: 'mattermost',
    name: '#shop',
    url: `https://chat.${siteHost}/hooks/8kq3xw1x7b8z3nq5hd`,
  },
  {
    days: 180,
    by: tomas,
    type: 'webhook',
    name: 'Order desk',
    url: `https://hooks.${siteHost}/n/order-desk`,
  },
  { days: 170, by: mara, type: 'email', name: 'Weekly report', to: `team@${siteHost}, board@${siteHost}` },
  {
    days: 156,
    by: jun,
    type: 'teams',
    name: 'Warehouse',
    url: 'https://prod-11.westeurope.logic.example/workflows/5e1',
  },
];
/** The channel whose deliveries fail, since how many hours, and with which status. */
export const failingChannel = {
  host: `hooks.${siteHost}`,
  hours: 3.5,
  status: 503,
  detail: 'order-desk is not accepting',
};
const pausedChannel = { name: 'Warehouse', days: 8, by: jun } as const;

const is = (field: RuleFilter['field'], value: string): RuleFilter => ({ field, name: '', is: 'is', value });

interface Rule extends Pick<RuleInput, 'kind' | 'name'>, Partial<Pick<RuleInput, 'filters' | 'limit'>> {
  readonly channels: readonly string[];
}

const rules: readonly Rule[] = [
  { kind: 'monitor.down', name: 'Down', channels: ['#ops', 'Warehouse'] },
  {
    kind: 'monitor.down',
    name: 'Wake somebody',
    filters: [is('project', 'checkout-api')],
    channels: ['On call', 'Operations'],
  },
  {
    kind: 'monitor.down',
    name: 'Payments',
    filters: [is('project', 'checkout-api')],
    channels: ['Order desk'],
  },
  {
    kind: 'issue.is_new',
    name: 'New issues of the shop',
    filters: [is('project', 'shop-web')],
    channels: ['#shop'],
  },
  {
    kind: 'issue.is_new',
    name: 'New issues of the checkout',
    filters: [is('project', 'checkout-api')],
    channels: ['Order desk'],
  },
  { kind: 'issue.came_back', name: 'Regressed', channels: ['#ops', 'Order desk'] },
  { kind: 'test_run.failed', name: 'Tests', channels: ['#ops', 'Operations', '#shop'] },
  {
    kind: 'expiry.ends_within',
    name: 'Running out',
    limit: { count: 14, unit: 'days', withinMs: null },
    channels: ['Weekly report'],
  },
];
const rulesMadeDays = 155;

export function channelSteps(demo: DemoContext): Step[] {
  const { drawing } = demo;
  const ids = new Map<string, number>();
  const createSteps = channels.map(({ days, by, ...request }) =>
    stepAgo(demo, { days }, async () => {
      const input = { ...request, rules: [] };
      const { channel } = await createChannel(drawing, null, input, auditActor(demo, by));
      ids.set(channel.name, channel.id);
    }),
  );
  const named = (name: string): number => ids.get(name) ?? 0;
  return [
    ...createSteps,
    stepAgo(demo, { days: rulesMadeDays }, async () => {
      for (const { channels: channelNames, ...rule } of rules) {
        const defaults = { limit: null, filters: [], groupThreshold: 5, opensIncident: null };
        await createRule(demo.deps, { ...defaults, ...rule, channelIds: channelNames.map(named) });
      }
    }),
    stepAgo(demo, pausedChannel, () => {
      const by = auditActor(demo, pausedChannel.by);
      return updateChannel(drawing, null, named(pausedChannel.name), { paused: true }, by);
    }),
  ];
}
