// Alert channels, rules and deliveries as the store keeps them: types alone.
import { type ChannelType, channelTypes } from '../../../schemas/alert-channels.ts';
import type { EpochMs } from '../reading/moments.ts';
import type { OpenedSeverity } from './incidents/incidents.ts';

export { type ChannelType, channelTypes };

export interface AlertChannel {
  readonly id: number;
  /** The project whose key made it: it hears of that alone. Null for one of the workspace. */
  readonly projectId: number | null;
  readonly name: string;
  readonly type: ChannelType;
  /** Masked: what it is told by would open it. */
  readonly target: string;
  readonly state: 'on' | 'failing' | 'paused';
  readonly stateSinceMs: EpochMs;
  readonly pausedUntilMs: EpochMs | null;
  /** In words, such as `22:00 to 07:00`; empty for one that never sleeps. */
  readonly quietHours: string;
  /** What it said last, where it failed; empty otherwise. */
  readonly lastFault: string;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  readonly rules: readonly AlertRule[];
}

export interface AlertRule {
  readonly id: number;
  /** The project whose key made it: it tells of that alone. Null for one of the workspace. */
  readonly projectId: number | null;
  readonly name: string;
  /** The rule as a sentence without its full stop. */
  readonly sentence: string;
  readonly terms: RuleTerms;
}

/** What a rule looks at, and what has to happen to it. */
export const ruleEvents = {
  issue: ['is_new', 'came_back', 'reopened', 'seen_more_than', 'first_of_release'],
  release: ['crash_free_under'],
  deploy: ['failed'],
  test_run: ['failed'],
  monitor: ['down', 'up', 'slow'],
  expiry: ['ends_within'],
  losses: ['more_than'],
} as const;
export type RuleSubject = keyof typeof ruleEvents;
export type RuleEvent = (typeof ruleEvents)[RuleSubject][number];

/** A rule by its parts, as its form shows them. */
export interface RuleTerms {
  readonly subject: RuleSubject;
  /** One of the subject's. */
  readonly event: RuleEvent;
  /** How much it takes; null where it happens or not. `withinMs` is null for any time. */
  readonly limit: {
    readonly count: number;
    readonly unit: 'events' | 'users' | 'percent' | 'days';
    readonly withinMs: number | null;
  } | null;
  /** All of them have to hold. */
  readonly filters: readonly RuleFilter[];
  /** At most one message in that time about the same thing. */
  readonly everyMs: number;
  /** More than so many in a minute are folded into one. */
  readonly foldOver: number;
  /** How bad the incident is that it opens; absent where it opens none. */
  readonly opensIncident?: OpenedSeverity;
}

export interface RuleFilter {
  readonly field: 'project' | 'environment' | 'level' | 'release' | 'tag';
  /** Of a tag, its name; empty otherwise. */
  readonly name: string;
  readonly is: 'is' | 'is_not' | 'contains' | 'at_least';
  readonly value: string;
}

/** One try to deliver. */
export interface DeliveryAttempt {
  readonly atMs: EpochMs;
  /** The status that was answered; null where nothing was. */
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly said: string;
}

export interface Delivery {
  readonly id: number;
  readonly channelId: number;
  readonly atMs: EpochMs;
  /** What it says in a line. */
  readonly subject: string;
  /** The name of the rule that sent it. */
  readonly rule: string;
  /** Why it came, one sentence. */
  readonly why: string;
  /** What it is about, as an address below the base of the pages; null where there is none. */
  readonly path: string | null;
  readonly state: 'arrived' | 'waiting' | 'given_up';
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextTryAtMs: EpochMs | null;
  /** What was sent, secrets masked. */
  readonly sent: string;
}

/** Deliveries of a channel in a day (UTC). */
export interface DeliveryDay {
  readonly atMs: EpochMs;
  readonly arrived: number;
  /** Waiting and given up. */
  readonly notArrived: number;
}
