import type { ActionLink, ChannelRecord, SignalKind } from '../../src/core/store/alert-records.ts';
import type { AlertChannel, AlertRule, Delivery, DeliveryAttempt } from '../../src/core/store/alerts.ts';
import { absentAs, defaulted, integer, json, named, nullable, oneOf, tableOf, text } from '../table.ts';

/** Some alert tables store 0 for "no project"; ids begin at 1. */
const projectOrNone = absentAs(0, integer);

export const channels = tableOf('alert_channels', {
  id: defaulted(integer),
  projectId: nullable(integer),
  name: text,
  type: oneOf<AlertChannel['type']>(),
  address: text,
  target: text,
  secret: text,
  settings: json<ChannelRecord['settings']>(),
  quietHours: text,
  state: oneOf<AlertChannel['state']>(),
  stateSinceMs: integer,
  pausedUntilMs: defaulted(nullable(integer)),
  lastError: text,
  createdAtMs: integer,
  createdBy: text,
});

const ruleTable = tableOf('alert_rules', {
  id: defaulted(integer),
  projectId: nullable(integer),
  name: text,
  sentence: text,
  conditions: json<AlertRule['conditions']>(),
  kind: text,
});
export const rules = ruleTable.without('kind');

export const ruleChannels = tableOf('alert_rule_channels', {
  ruleId: integer,
  channelId: integer,
  closesAtMs: integer,
  sentSeparately: integer,
});

export const signals = tableOf('alert_signals', {
  id: defaulted(integer),
  projectId: projectOrNone,
  kind: oneOf<SignalKind>(),
  objectId: integer,
  eventId: nullable(text),
  release: nullable(text),
  atMs: integer,
  ruleId: nullable(integer),
  environment: nullable(text),
  title: nullable(text),
  detail: nullable(text),
  path: nullable(text),
  object: nullable(text),
});

export const pendingNotifications = tableOf('pending_notifications', {
  id: defaulted(integer),
  ruleId: integer,
  channelId: integer,
  projectId: projectOrNone,
  objectId: integer,
  atMs: integer,
  dueAtMs: integer,
  waitMs: integer,
  notifiedEvents: integer,
  title: nullable(text),
  detail: nullable(text),
  path: nullable(text),
  incidentId: nullable(integer),
});

export const actionLinks = tableOf('alert_action_links', {
  tokenHash: text,
  projectId: integer,
  issueId: integer,
  action: oneOf<ActionLink['action']>(),
  expiresAtMs: integer,
});

export const activeAlerts = tableOf('active_alerts', {
  ruleId: integer,
  object: text,
  projectId: projectOrNone,
  sinceMs: integer,
});

const deliveryTable = tableOf('alert_deliveries', {
  id: defaulted(integer),
  projectId: nullable(integer),
  channelId: integer,
  messageId: text,
  atMs: integer,
  subject: text,
  rule: text,
  why: text,
  path: nullable(text),
  sent: named('body', text),
  html: nullable(text),
  state: oneOf<Delivery['state']>(),
  tries: integer,
  attempts: json<readonly DeliveryAttempt[]>(),
  nextTryAtMs: nullable(integer),
  recipients: nullable(text),
  threadKey: nullable(text),
  threadTs: defaulted(nullable(text)),
});
export const deliveries = deliveryTable.without(
  ...(['messageId', 'html', 'tries', 'recipients', 'threadKey', 'threadTs'] as const),
);
