// What alerts are made of in the store, beside what pages look at (alerts.ts): types alone.
import type { ruleKinds } from '../../../schemas/alert-channels.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { AlertChannel, AlertRule, Delivery, DeliveryAttempt, DeliveryDay, RuleTerms } from './alerts.ts';
import type { Slice, Sliced } from './page.ts';

/** A channel with what opens it: never shown whole. */
export interface KeptChannel extends AlertChannel {
  /** Where it leads: an address of the web, or mailboxes. */
  readonly address: string;
  /** What webhooks are signed with; empty for other types. */
  readonly secret: string;
}

export type NewChannel = Pick<
  KeptChannel,
  'projectId' | 'name' | 'type' | 'address' | 'target' | 'secret' | 'quietHours' | 'createdAtMs' | 'createdBy'
>;

export interface ChannelChange {
  readonly name?: string;
  /** Where it leads, and how that is shown. */
  readonly address?: string;
  readonly target?: string;
  readonly secret?: string;
  readonly quietHours?: string;
  readonly state?: AlertChannel['state'];
  readonly stateSinceMs?: EpochMs;
  readonly pausedUntilMs?: EpochMs | null;
  readonly lastFault?: string;
}

export type NewRule = Omit<AlertRule, 'id'>;

/** A rule with the channels that it tells. */
export interface KeptRule extends AlertRule {
  readonly channelIds: readonly number[];
}

/** What rules are asked of. A new one is told where it happens, in its transaction. */
export type SignalKind = (typeof ruleKinds)[number];

/** Something that happened, with what filters ask of it. */
export interface AlertSignal {
  /** Null for what belongs to no one project: a monitor of the workspace. */
  readonly projectId: number | null;
  readonly kind: SignalKind;
  readonly objectId: number;
  /** What it is in a word: that of what goes on, its number for anything else. */
  readonly object: string;
  readonly eventId: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  /** Of an issue; null for anything else. */
  readonly level: string | null;
  /** The title of an issue that is there; null for anything else. */
  readonly issueTitle: string | null;
  /** Whether it is the issue that takes what is over the cap of new ones (D-20). */
  readonly isOverflow: boolean;
  readonly atMs: EpochMs;
  /** The one rule that it is for, which has judged it already; null for all that ask for its kind. */
  readonly ruleId: number | null;
  /** Of what is no issue. */
  readonly said: SaidOfObject | null;
}

/** What is no issue, as it was when it happened. */
export interface SaidOfObject {
  /** What it is, in a line. */
  readonly title: string;
  /** What is said beside it; empty for nothing. */
  readonly detail: string;
  /** Its page, below the base of the pages. */
  readonly path: string;
}

/** A rule as a look that it asks for reads it. */
export interface AskingRule {
  readonly id: number;
  readonly projectId: number | null;
  readonly terms: RuleTerms;
}

/** A rule at a channel, as it stands when messages are made. */
export interface RuleStanding {
  readonly rule: AlertRule;
  readonly channel: Pick<KeptChannel, 'id' | 'projectId' | 'name' | 'type' | 'state' | 'quietHours'>;
  readonly closesAtMs: EpochMs;
  /** Messages that left by themselves since the window opened. */
  readonly alone: number;
}

/** Something that waits to be told at a channel. */
export interface NewGathered {
  readonly ruleId: number;
  readonly channelId: number;
  readonly projectId: number | null;
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly said?: SaidOfObject | null;
  /** The incident that was opened for it, or went on. */
  readonly incidentId?: number | null;
  /** For a figure that grows: when it is told again, after how long, and what was told of it. */
  readonly again?: { readonly dueAtMs: EpochMs; readonly waitMs: number; readonly told: number };
}

/** An issue, deploy or test run as a message names it. */
export interface ToldObject {
  readonly gatheredId: number;
  readonly projectId: number | null;
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly events: number;
  readonly users: number;
  readonly isOverflow: boolean;
  readonly waitMs: number;
  readonly told: number;
  /** The page of what is no issue; null for an issue. */
  readonly path: string | null;
  /** What was opened for it, or went on; null for none, and for one that was deleted since. */
  readonly incident: NamedIncident | null;
}

/** An incident as it is called now. */
export interface NamedIncident {
  readonly id: number;
  readonly title: string;
}

/** What waits for one rule at one channel. */
export interface Gathered {
  /** Issues that are told of, the overflow issues aside; it may be far more than are named. */
  readonly count: number;
  readonly projects: number;
  /** Whether it is all of one project, which one; null otherwise. */
  readonly projectId: number | null;
  /** The largest by events. */
  readonly largest: readonly ToldObject[];
  /** What is over the cap, of each project that has such. */
  readonly overflow: readonly ToldObject[];
  /** Incidents of the issues and things that are told of, overflow aside: how many, and the oldest. */
  readonly incidents: { readonly count: number; readonly named: readonly NamedIncident[] };
  /** Everything up to this row is in these figures. */
  readonly lastId: number;
}

export interface NewDelivery {
  readonly projectId: number | null;
  readonly channelId: number;
  readonly messageId: string;
  readonly atMs: EpochMs;
  readonly subject: string;
  readonly rule: string;
  readonly why: string;
  readonly path: string | null;
  readonly body: string;
  /** Of a mail that has an HTML part beside its text. */
  readonly html?: string;
}

/** A message that is about to be tried. */
export interface DueDelivery {
  readonly id: number;
  readonly messageId: string;
  readonly atMs: EpochMs;
  readonly subject: string;
  readonly path: string | null;
  readonly body: string;
  readonly html: string | null;
  readonly tries: number;
  readonly channel: Pick<KeptChannel, 'id' | 'type' | 'address' | 'secret' | 'state' | 'lastFault'>;
}

/** Something that a rule told of and that goes on. */
interface OngoingAlert {
  readonly ruleId: number;
  readonly projectId: number | null;
  /** What it is, in a word of the kind's own: once it is another word, it is told anew. */
  readonly object: string;
}

interface OngoingSignal {
  readonly kind: SignalKind;
  /** Its number; 0 for what has none. */
  readonly objectId: number;
  readonly atMs: EpochMs;
  readonly said: SaidOfObject | null;
}

export interface AlertStore {
  listChannels(): Promise<readonly AlertChannel[]>;
  findChannel(id: number): Promise<AlertChannel | null>;
  /** The newest first, beside a place in them. */
  listDeliveries(channelId: number, slice: Slice): Promise<Sliced<Delivery>>;
  findDelivery(channelId: number, deliveryId: number): Promise<Delivery | null>;
  /** By the id of the channel, oldest first; days without any are absent. */
  deliveryDays(fromMs: EpochMs, toMs: EpochMs): Promise<ReadonlyMap<number, readonly DeliveryDay[]>>;

  addChannel(channel: NewChannel): Promise<KeptChannel>;
  /** Those that a project's keys made, as they were made. */
  listKeptChannels(projectId: number): Promise<readonly KeptChannel[]>;
  findKeptChannel(id: number): Promise<KeptChannel | null>;
  changeChannel(id: number, change: ChannelChange): Promise<KeptChannel | null>;
  /** With its deliveries, and rules that tell nobody else. */
  deleteChannel(id: number): Promise<KeptChannel | null>;
  addRule(rule: NewRule, channelIds: readonly number[]): Promise<KeptRule>;
  findKeptRule(id: number): Promise<KeptRule | null>;
  changeRule(
    id: number,
    rule: Omit<NewRule, 'projectId'>,
    channelIds: readonly number[],
  ): Promise<KeptRule | null>;
  deleteRule(id: number): Promise<KeptRule | null>;

  /** Whether something waits: for its rules, to be told, or to be sent. Writes nothing. */
  alertsWait(nowMs: EpochMs): Promise<{
    readonly toTell: boolean;
    readonly toSend: boolean;
    /** Whether a rule asks how often issues are seen. */
    readonly hasLimits: boolean;
  }>;
  /** Rules that ask for something of this kind. */
  listAskingRules(kind: SignalKind): Promise<readonly AskingRule[]>;
  /** What rules of a kind told of and is still so. */
  listOngoing(kind: SignalKind): Promise<readonly OngoingAlert[]>;
  /** Notes that what a rule asks for has begun, and tells of it; false, and nothing, where it is known. */
  beginOngoing(begun: OngoingAlert & OngoingSignal): Promise<boolean>;
  /**
   * It is over: when it begins again it is told again. Its incident is over too where nobody sees to it, or
   * goes on where `mendedAtMs` is null, because nothing was mended.
   */
  endOngoing(at: Pick<OngoingAlert, 'ruleId' | 'object'>, mendedAtMs: EpochMs | null): Promise<void>;
  /** Within `together`: nobody else makes messages until its commit. */
  lockAlerts(): Promise<void>;
  /** Takes the oldest signals out. */
  takeSignals(limit: number): Promise<readonly AlertSignal[]>;
  listStandings(): Promise<readonly RuleStanding[]>;
  gather(rows: readonly NewGathered[]): Promise<void>;
  /** Rules at channels for which something waits and is due. */
  gatheredAt(nowMs: EpochMs): Promise<ReadonlyArray<{ readonly ruleId: number; readonly channelId: number }>>;
  readGathered(at: { readonly ruleId: number; readonly channelId: number }, named: number): Promise<Gathered>;
  /** Those of one rule at one channel, oldest first. */
  oldestGathered(
    at: { readonly ruleId: number; readonly channelId: number },
    limit: number,
  ): Promise<readonly ToldObject[]>;
  removeGathered(at: { readonly ruleId: number; readonly channelId: number }, upToId: number): Promise<void>;
  removeOneGathered(gatheredId: number): Promise<void>;
  openWindow(
    at: { readonly ruleId: number; readonly channelId: number },
    closesAtMs: EpochMs,
    alone: number,
  ): Promise<void>;
  addDelivery(delivery: NewDelivery): Promise<Delivery>;
  /** Ends pauses whose time has come. */
  endPauses(nowMs: EpochMs): Promise<void>;

  /** Takes messages that are due, at most so many a channel; nobody else tries them until the lease ends. */
  claimDeliveries(
    nowMs: EpochMs,
    lease: { readonly untilMs: EpochMs; readonly perChannel: number; readonly limit: number },
  ): Promise<readonly DueDelivery[]>;
  /** Writes a try down, if no other was written since `tries`. */
  finishTry(
    delivery: { readonly id: number; readonly tries: number },
    attempt: DeliveryAttempt,
    next: { readonly state: Delivery['state']; readonly nextTryAtMs: EpochMs | null },
  ): Promise<boolean>;
  /** Waiting messages of a channel are due at once; answers how many. */
  hurryDeliveries(channelId: number, nowMs: EpochMs): Promise<number>;
}
