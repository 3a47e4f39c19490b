import type { ChannelFields } from '../../../schemas/alert-channel-fields.ts';
import type { ruleKinds } from '../../../schemas/alert-channels.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { AlertChannel, AlertRule, Delivery, DeliveryAttempt, DeliveryDay } from './alerts.ts';
import type { Incident } from './incidents.ts';
import type { CursorPage, CursorWindow } from './pagination.ts';

export interface ChannelRecord extends AlertChannel {
  readonly address: string;
  readonly secret: string;
  /** Fields of its type other than address and secret; keys of services are among them. */
  readonly settings: ChannelFields;
}

export type NewChannel = Omit<
  ChannelRecord,
  'id' | 'state' | 'stateSinceMs' | 'pausedUntilMs' | 'lastError' | 'rules'
>;

/** `address` is set together with `target`, its masked form. */
export type ChannelChange = Partial<
  Omit<ChannelRecord, 'id' | 'projectId' | 'type' | 'createdAtMs' | 'createdBy' | 'rules'>
>;

export type NewRule = Omit<AlertRule, 'id'>;

export interface RuleRecord extends AlertRule {
  readonly channelIds: readonly number[];
}

/** A signal is added in the transaction of the change that causes it. */
export type SignalKind = (typeof ruleKinds)[number];

/** Something that happened, with the values that rule filters compare. */
export interface AlertSignal {
  readonly projectId: number | null;
  readonly kind: SignalKind;
  readonly objectId: number;
  /** Key of an ongoing alert; of an assignment `member 3` or `team 4`; of a comment the ids of the members it
   * mentions, `3,5`; otherwise the id of the object as text. */
  readonly object: string;
  readonly eventId: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly level: string | null;
  readonly issueTitle: string | null;
  readonly isOverflow: boolean;
  readonly atMs: EpochMs;
  /** The only rule that this is for, already evaluated; null: every rule of this kind is evaluated. */
  readonly ruleId: number | null;
  readonly summary: ObjectSummary | null;
}

export interface ObjectSummary {
  /** Null for an issue, which is named as it is when the message is made; `detail` says what happened to it. */
  readonly title: string | null;
  readonly detail: string;
  /** Page path below the base URL of the pages. */
  readonly path: string;
}

export type ScheduledRule = Pick<AlertRule, 'id' | 'projectId' | 'conditions'>;

export interface RuleDeliveryState {
  readonly rule: AlertRule;
  readonly channel: Pick<
    ChannelRecord,
    'id' | 'projectId' | 'name' | 'type' | 'address' | 'settings' | 'state' | 'quietHours'
  >;
  readonly closesAtMs: EpochMs;
  /** Messages sent one by one, not grouped, since the window opened. */
  readonly sentSeparately: number;
}

type RuleChannel = Pick<NewPendingNotification, 'ruleId' | 'channelId'>;

export interface NewPendingNotification {
  readonly ruleId: number;
  readonly channelId: number;
  readonly projectId: number | null;
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly summary?: ObjectSummary | null;
  readonly incidentId?: number | null;
  /** For a growing count: when to notify again, the interval, and the count last reported. */
  readonly again?: { readonly dueAtMs: EpochMs; readonly waitMs: number; readonly notifiedEvents: number };
}

export interface NotifiedSubject {
  readonly pendingNotificationId: number;
  readonly projectId: number | null;
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly title: string;
  readonly culprit: string;
  /** What happened to the issue, such as the text of a comment; empty for none. */
  readonly note: string;
  readonly level: string;
  readonly events: number;
  readonly users: number;
  readonly isOverflow: boolean;
  readonly waitMs: number;
  readonly notifiedEvents: number;
  readonly path: string | null;
  readonly incident: NamedIncident | null;
}

export type NamedIncident = Pick<Incident, 'id' | 'title'>;

export interface PendingNotifications {
  /** Without overflow issues. May be far more than are listed in `largest`. */
  readonly count: number;
  readonly projects: number;
  readonly projectId: number | null;
  readonly largest: readonly NotifiedSubject[];
  /** Overflow issues, one for each affected project. */
  readonly overflow: readonly NotifiedSubject[];
  readonly incidents: { readonly count: number; readonly named: readonly NamedIncident[] };
  /** The highest pending row that is included here. */
  readonly lastId: number;
}

/** What a message is about, at channels that answer in threads. */
export interface MessageThread {
  /** At most ten, such as `monitor-7`. A message about one waits a few tries for earlier ones about it. */
  readonly keys: readonly string[];
  /** Earlier threads about them are over: what follows does not go there. */
  readonly isNew: boolean;
}

export interface NewDelivery extends Omit<Delivery, 'id' | 'state' | 'attempts' | 'nextTryAtMs' | 'sent'> {
  readonly messageId: string;
  readonly body: string;
  readonly html?: string;
  /** Null for the address of the channel. */
  readonly recipients?: string | null;
  readonly thread?: MessageThread;
}

export interface DueDelivery extends Pick<Delivery, 'id' | 'atMs' | 'subject' | 'path'> {
  readonly messageId: string;
  readonly body: string;
  readonly html: string | null;
  /** Of this message alone: e-mail addresses, or the id of a push subscription. Null for the address of the channel. */
  readonly recipients: string | null;
  /** The thread that an earlier message about the same thing began; null for none. */
  readonly threadTs: string | null;
  readonly tries: number;
  readonly channel: Pick<
    ChannelRecord,
    'id' | 'type' | 'address' | 'secret' | 'settings' | 'state' | 'lastError'
  >;
}

/** A browser that gets what a channel of type `webpush` sends. */
export interface PushSubscription {
  readonly id: number;
  readonly channelId: number;
  readonly memberId: number;
  readonly endpoint: string;
  /** In base64url: public key of the browser, and secret of the subscription. */
  readonly p256dh: string;
  readonly auth: string;
  readonly device: string;
  readonly createdAtMs: EpochMs;
}

/** A link in a message that resolves or ignores an issue, or ignores it for a day, once. */
export interface ActionLink {
  readonly tokenHash: string;
  readonly projectId: number;
  readonly issueId: number;
  readonly action: 'resolve' | 'ignore' | 'mute';
  readonly expiresAtMs: EpochMs;
}

/** A condition that a rule has reported and that is still true. */
interface ActiveAlert {
  readonly ruleId: number;
  readonly projectId: number | null;
  /** Key chosen by the kind of rule. Another key is a new alert. */
  readonly object: string;
}

interface ActiveAlertSignal {
  readonly kind: SignalKind;
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly summary: ObjectSummary | null;
}

export interface AlertStore {
  listChannels(): Promise<readonly AlertChannel[]>;
  listDeliveries(channelId: number, slice: CursorWindow): Promise<CursorPage<Delivery>>;
  findDelivery(channelId: number, deliveryId: number): Promise<Delivery | null>;
  /** By channel id, oldest first; days without deliveries are absent. */
  deliveryDays(fromMs: EpochMs, toMs: EpochMs): Promise<ReadonlyMap<number, readonly DeliveryDay[]>>;

  addChannel(channel: NewChannel): Promise<ChannelRecord>;
  listChannelRecords(projectId: number): Promise<readonly ChannelRecord[]>;
  findChannelRecord(id: number): Promise<ChannelRecord | null>;
  /** A mail channel with this address among its recipients, in any case; null if it has not. */
  findChannelOfRecipient(id: number, address: string): Promise<ChannelRecord | null>;
  changeChannel(id: number, change: ChannelChange): Promise<ChannelRecord | null>;
  /** Deletes its deliveries and push subscriptions too, and rules that have no other channel. */
  deleteChannel(id: number): Promise<ChannelRecord | null>;
  /** Replaces the one of the channel that has the same endpoint. */
  addPushSubscription(subscription: Omit<PushSubscription, 'id'>): Promise<PushSubscription>;
  listPushSubscriptions(channelId: number): Promise<readonly PushSubscription[]>;
  findPushSubscription(channelId: number, id: number): Promise<PushSubscription | null>;
  countPushSubscriptions(memberId: number): Promise<number>;
  removePushSubscription(channelId: number, id: number): Promise<boolean>;
  addRule(rule: NewRule, channelIds: readonly number[]): Promise<RuleRecord>;
  findRuleRecord(id: number): Promise<RuleRecord | null>;
  changeRule(
    id: number,
    rule: Omit<NewRule, 'projectId'>,
    channelIds: readonly number[],
  ): Promise<RuleRecord | null>;
  deleteRule(id: number): Promise<RuleRecord | null>;

  /** Whether there are signals to evaluate, notifications due or messages to send. Writes nothing. */
  findAlertWork(nowMs: EpochMs): Promise<{
    readonly toNotify: boolean;
    readonly toSend: boolean;
    readonly hasLimits: boolean;
  }>;
  listScheduledRules(kind: SignalKind): Promise<readonly ScheduledRule[]>;
  listActiveAlerts(kind: SignalKind): Promise<readonly ActiveAlert[]>;
  /** Records an ongoing alert and adds its signal; false, with no change, when it is ongoing already. */
  beginActiveAlert(alert: ActiveAlert & ActiveAlertSignal): Promise<boolean>;
  /** The incident is resolved too, unless a person works on it or `mitigatedAtMs` is null. */
  endActiveAlert(at: Pick<ActiveAlert, 'ruleId' | 'object'>, mitigatedAtMs: EpochMs | null): Promise<void>;
  /** Call within a transaction: no other process makes messages until it commits. */
  lockAlerts(): Promise<void>;
  takeSignals(limit: number): Promise<readonly AlertSignal[]>;
  listRuleDeliveryStates(): Promise<readonly RuleDeliveryState[]>;
  addPendingNotifications(rows: readonly NewPendingNotification[]): Promise<void>;
  listDueNotifications(nowMs: EpochMs): Promise<readonly RuleChannel[]>;
  readPendingNotifications(at: RuleChannel, named: number): Promise<PendingNotifications>;
  oldestPendingNotifications(at: RuleChannel, limit: number): Promise<readonly NotifiedSubject[]>;
  removePendingNotifications(at: RuleChannel, upToId: number): Promise<void>;
  removePendingNotification(pendingNotificationId: number): Promise<void>;
  openWindow(at: RuleChannel, closesAtMs: EpochMs, sentSeparately: number): Promise<void>;
  addDelivery(delivery: NewDelivery): Promise<Delivery>;
  endPauses(nowMs: EpochMs): Promise<void>;
  /** Expired links are deleted too. */
  addActionLink(link: ActionLink, nowMs: EpochMs): Promise<void>;
  /** Null if it is unknown, used or expired. */
  findActionLink(tokenHash: string, nowMs: EpochMs): Promise<ActionLink | null>;
  deleteActionLink(tokenHash: string): Promise<boolean>;

  /** Claims due messages, at most `perChannel` a channel. No other process sends them before the lease ends. */
  claimDeliveries(
    nowMs: EpochMs,
    lease: { readonly untilMs: EpochMs; readonly perChannel: number; readonly limit: number },
  ): Promise<readonly DueDelivery[]>;
  /** Records an attempt; false when another one was recorded since `tries` was read. */
  finishTry(
    delivery: { readonly id: number; readonly tries: number },
    attempt: DeliveryAttempt,
    next: {
      readonly state: Delivery['state'];
      readonly nextTryAtMs: EpochMs | null;
      readonly threadTs: string | null;
    },
  ): Promise<boolean>;
  /** Makes waiting messages due now, and returns how many. Not what is due within `leaseMs`, the length of a
   * claim: it may be being sent at this moment, and would be sent twice. */
  retryDeliveriesNow(channelId: number, nowMs: EpochMs, leaseMs: number): Promise<number>;
}
