import type { EpochMs } from '../parsing/timestamps.ts';
import type { AutomaticSeverity } from './incidents.ts';

export interface AlertChannel {
  readonly id: number;
  /** The project whose key created it; it gets notifications of that project only. Null: of the workspace. */
  readonly projectId: number | null;
  readonly name: string;
  readonly type: string;
  /** Masked: the full address would let anyone post to it. */
  readonly target: string;
  readonly state: 'on' | 'failing' | 'paused';
  readonly stateSinceMs: EpochMs;
  readonly pausedUntilMs: EpochMs | null;
  /** Text such as `22:00 to 07:00`; empty for none. */
  readonly quietHours: string;
  readonly lastError: string;
  readonly createdAtMs: EpochMs;
  readonly createdBy: string;
  readonly rules: readonly AlertRule[];
}

export interface AlertRule {
  readonly id: number;
  /** The project whose key created it; it covers that project only. Null: of the workspace. */
  readonly projectId: number | null;
  readonly name: string;
  readonly sentence: string;
  readonly conditions: RuleConditions;
}

const ruleEvents = {
  issue: [
    'is_new',
    'came_back',
    'reopened',
    'seen_more_than',
    'first_of_release',
    'resolved',
    'assigned',
    'commented',
    'mentioned',
  ],
  feedback: ['created'],
  release: ['crash_free_under'],
  deploy: ['failed'],
  test_run: ['failed'],
  monitor: ['down', 'up', 'slow'],
  maintenance: ['scheduled', 'started', 'ended'],
  expiry: ['ends_within'],
  losses: ['more_than'],
} as const;
export type RuleSubject = keyof typeof ruleEvents;
type RuleEvent = (typeof ruleEvents)[RuleSubject][number];

export interface RuleConditions {
  readonly subject: RuleSubject;
  readonly event: RuleEvent;
  /** The threshold; null for events that either happen or not. `withinMs` null: over any time. */
  readonly limit: {
    readonly count: number;
    readonly unit: 'events' | 'users' | 'percent' | 'days';
    readonly withinMs: number | null;
  } | null;
  readonly filters: readonly RuleFilter[];
  /** At most one message about the same object in this time. */
  readonly everyMs: number;
  /** More messages than this in a minute are grouped into one. */
  readonly groupThreshold: number;
  readonly opensIncident?: AutomaticSeverity;
}

export interface RuleFilter {
  /** An assignee or mentioned member is a name or e-mail address, a team `#payments`; `none` for nobody. */
  readonly field: 'project' | 'environment' | 'level' | 'release' | 'tag' | 'assignee' | 'mentioned';
  readonly name: string;
  readonly is: 'is' | 'is_not' | 'contains' | 'at_least';
  readonly value: string;
}

export interface DeliveryAttempt {
  readonly atMs: EpochMs;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly response: string;
}

export interface Delivery {
  readonly id: number;
  /** Null where it is about the whole workspace, or of several projects. */
  readonly projectId: number | null;
  readonly channelId: number;
  readonly atMs: EpochMs;
  readonly subject: string;
  readonly rule: string;
  readonly why: string;
  /** Page path below the base URL of the pages; null where there is none. */
  readonly path: string | null;
  readonly state: 'arrived' | 'waiting' | 'given_up';
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextTryAtMs: EpochMs | null;
  /** What was sent, with secrets masked. */
  readonly sent: string;
}

export interface DeliveryDay {
  readonly atMs: EpochMs;
  readonly arrived: number;
  readonly notArrived: number;
}
