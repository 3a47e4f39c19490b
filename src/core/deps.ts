// Dependencies of core functions. Time and randomness are among them so that tests can fix them.

import type { CompatibilityProfile } from '../../schemas/compatibility-profile.ts';
import type { Config } from './config/config.ts';
import type { DomainCheckClient } from './ports/domain-check-client.ts';
import type { EventFeed } from './ports/event-feed.ts';
import type { LargeBodyReader } from './ports/large-body-reader.ts';
import type { SharedLimitStore } from './ports/limit-store.ts';
import type { Log } from './ports/log.ts';
import type { MetricsRegistry, OutcomeCounter } from './ports/metrics.ts';
import type { MonitorCheckClient, PrivateAddressRules } from './ports/monitor-check-client.ts';
import type { NotificationSender } from './ports/notification-sender.ts';
import type { SymbolicateEvent, Symbolicator } from './ports/symbolication-workers.ts';
import type { TestReportReader } from './ports/test-report-reader.ts';
import type { Store } from './store/store.ts';

export interface Deps {
  /** The compatibility profile (NOTIFIER_DIALECT). */
  readonly dialect?: CompatibilityProfile | undefined;
  readonly config: Config;
  readonly store: Store;
  /** Unix time in milliseconds. */
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
  randomBytes(count: number): Buffer;
  /** 0 to below 1; default Math.random. */
  readonly random?: () => number;
  readonly log: Log;
  /** Which private addresses monitors and alert channels may connect to (NOTIFIER_FETCH_ALLOW). */
  readonly reach: PrivateAddressRules;
  /** SSRF-safe DNS and HTTP client for domain checks. */
  readonly domainCheckClient: DomainCheckClient;
  /** SSRF-safe client for sign-in providers; without it nobody signs in by them. */
  readonly identityClient?: IdentityClient;
  /** SSRF-safe client that sends notifications; without it they stay in the queue. */
  readonly notificationSender?: NotificationSender;
  /** SSRF-safe client for monitor checks; without it monitors are not checked. */
  readonly checker?: MonitorCheckClient;
  /** Symbolicates an event before it is grouped; without it events are grouped as sent. */
  readonly mapEvent?: SymbolicateEvent;
  /** Assigns a new issue to its owner and never rejects; without it new issues are not assigned. */
  readonly assignNewIssue?: (projectId: number, issueId: number, eventId: string) => Promise<void>;
  /** Reads large bodies in worker threads. */
  readonly largeBodyReader: LargeBodyReader;
  /** Reads large test reports in worker threads. */
  readonly reports: TestReportReader;
  /** The installation's secret for hashing user ids; without it users are not counted. */
  readonly userHashKey?: Uint8Array;
  readonly eventMapping: Symbolicator;
  /** Counts outcomes of sent items; `recordEvent` counts those of events. */
  readonly outcomes: OutcomeCounter;
  readonly measures?: MetricsRegistry;
  /** Rate limit counters shared by several servers; without it this server counts alone. */
  readonly limitStore?: SharedLimitStore;
  /** Notifies live views of new events; without it they poll. */
  readonly feed?: EventFeed;
}

// Interface of the SSRF-safe client that asks sign-in providers, implemented in src/net.

interface IdentityRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface IdentityResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

interface IdentityClient {
  /** Any status is a result; follows no redirects. Rejects with a short text without internal addresses. */
  send(request: IdentityRequest): Promise<IdentityResponse>;
}
