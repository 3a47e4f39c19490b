// Channels of that world, with their rules and what left by them.
import type { AlertChannel, AlertRule, Delivery } from '../../../src/core/store/alerts.ts';
import { at, hardText, hourMs, minuteMs, nowMs } from './monitors.ts';

const terms = { limit: null, filters: [], everyMs: 30 * minuteMs, foldOver: 5 } as const;

const newIssues: AlertRule = {
  id: 1,
  projectId: null,
  name: 'New issues',
  sentence: 'Tell #ops and the order desk when an issue is new, in production, at level error or worse',
  terms: {
    ...terms,
    subject: 'issue',
    event: 'is_new',
    filters: [
      { field: 'environment', name: '', is: 'is', value: 'production' },
      { field: 'level', name: '', is: 'at_least', value: 'error' },
    ],
  },
};

const down: AlertRule = {
  id: 2,
  projectId: null,
  name: 'Down',
  sentence: 'Tell the order desk when a monitor of checkout-api is down',
  terms: {
    ...terms,
    subject: 'monitor',
    event: 'down',
    filters: [{ field: 'project', name: '', is: 'is', value: 'checkout-api' }],
  },
};

const manyUsers: AlertRule = {
  id: 4,
  projectId: null,
  name: 'Many users',
  sentence:
    'Tell #ops when an issue is seen by more than 500 users within an hour, unless its zone is “test”',
  terms: {
    subject: 'issue',
    event: 'seen_more_than',
    limit: { count: 500, unit: 'users', withinMs: 45 * minuteMs },
    filters: [
      { field: 'project', name: '', is: 'is', value: 'a project that is gone' },
      { field: 'tag', name: 'zone', is: 'is_not', value: 'test' },
    ],
    everyMs: hourMs,
    foldOver: 5,
  },
};

const hardRule: AlertRule = {
  id: 5,
  projectId: null,
  name: hardText,
  sentence: hardText,
  terms: {
    ...terms,
    subject: 'losses',
    event: 'more_than',
    limit: { count: 2, unit: 'percent', withinMs: null },
    filters: [{ field: 'release', name: '', is: 'contains', value: hardText }],
  },
};

const basics = {
  projectId: null,
  state: 'on',
  stateSinceMs: at(8, 4),
  pausedUntilMs: null,
  quietHours: '',
  lastFault: '',
  createdAtMs: at(8, 4, 9),
  createdBy: 'Tomas Lindqvist',
  rules: [newIssues],
} as const satisfies Partial<AlertChannel>;

export const channels: readonly AlertChannel[] = [
  {
    ...basics,
    id: 1,
    name: '#ops',
    type: 'slack',
    target: 'hooks.slack.example/services/T02•••/••••',
    rules: [newIssues, manyUsers],
  },
  {
    ...basics,
    id: 2,
    name: 'Order desk',
    type: 'webhook',
    target: 'https://hooks.harbourpine.example/n/••••7Qd1',
    state: 'failing',
    stateSinceMs: at(11, 21, 12, 40),
    lastFault: 'returns status 500',
    rules: [newIssues, down],
  },
  {
    ...basics,
    id: 3,
    name: 'Operations',
    type: 'email',
    target: 'op•@harbourpine.example',
    quietHours: '22:00 to 07:00',
  },
  {
    ...basics,
    id: 4,
    name: 'Mara’s phone',
    type: 'ntfy',
    target: 'ntfy.harbourpine.example/mara-••••',
    state: 'paused',
    stateSinceMs: at(11, 13),
    pausedUntilMs: at(11, 28),
    rules: [],
  },
  {
    ...basics,
    id: 5,
    name: hardText,
    type: 'mattermost',
    target: hardText,
    quietHours: hardText,
    lastFault: hardText,
    createdBy: hardText,
    rules: [hardRule],
  },
];

const attempt = (atMs: number, status: number | null, durationMs: number | null, said = '') => ({
  atMs,
  status,
  durationMs,
  said,
});

/** The order desk's: four wait, one was given up, and one an hour arrived before. Newest first. */
const ofOrderDesk: readonly Delivery[] = Array.from({ length: 50 }, (_, back): Delivery => {
  const atMs = nowMs - (back + 1) * hourMs - 7 * minuteMs;
  const state = back < 4 ? 'waiting' : back === 9 ? 'given_up' : 'arrived';
  const rule = back === 0 ? 'Down' : 'New issues';
  const tries = Array.from({ length: state === 'arrived' ? 1 + (back % 2) : 6 }, (_each, nth) =>
    state === 'arrived'
      ? attempt(atMs + nth * 2_000, nth === back % 2 ? 204 : 500, 140 + back)
      : attempt(
          atMs + nth * 30_000,
          nth === 3 ? null : 500,
          nth === 3 ? 10_000 : 212,
          'queue order-desk is not accepting',
        ),
  );
  return {
    id: 500 - back,
    channelId: 2,
    atMs,
    subject: back === 0 ? 'Payments gateway is down' : `New issue #${1064 - back} in shop-web`,
    rule,
    why: 'A monitor of checkout-api was down in 2 of 2 checks',
    path: back === 0 ? '/incidents/16' : null,
    state,
    attempts: tries,
    nextTryAtMs: state === 'waiting' ? nowMs + 13 * minuteMs : null,
    sent: '{ "type": "monitor.down",\n  "monitor": "Payments gateway" }',
  };
});

const ofOps: readonly Delivery[] = Array.from({ length: 12 }, (_, back) => ({
  id: 900 - back,
  channelId: 1,
  atMs: nowMs - (back + 1) * 11 * hourMs,
  subject: `#${1061 - back} passed 500 users`,
  rule: 'Many users',
  why: 'It was seen by 518 users',
  path: `/issues/${1061 - back}`,
  state: 'arrived' as const,
  attempts: [attempt(nowMs - (back + 1) * 11 * hourMs, 200, 88)],
  nextTryAtMs: null,
  sent: '#1061 PaymentCaptureError\n518 users in 1 h',
}));

const hardOne: Delivery = {
  id: 77,
  channelId: 5,
  atMs: at(11, 20, 3),
  subject: hardText,
  rule: hardText,
  why: hardText,
  path: null,
  state: 'given_up',
  attempts: [attempt(at(11, 20, 3), null, null, hardText)],
  nextTryAtMs: null,
  sent: hardText,
};

export const allDeliveries: readonly Delivery[] = [...ofOrderDesk, ...ofOps, hardOne];
