// Dependencies of core functions. Time and randomness are among them so that tests can fix them.

import type { Dialect } from '../../schemas/dialect.ts';
import type { Config } from './config/config.ts';
import type { Checker } from './ports/checker.ts';
import type { OutcomeCounter } from './ports/counter.ts';
import type { EventFeed } from './ports/event-feed.ts';
import type { HeavyReader } from './ports/heavy-reader.ts';
import type { LimitStoreOfServers } from './ports/limit-store.ts';
import type { Log } from './ports/log.ts';
import type { EventMapping, MapEvent } from './ports/mapping.ts';
import type { Measures } from './ports/measures.ts';
import type { Messenger } from './ports/messenger.ts';
import type { DomainProber } from './ports/prober.ts';
import type { Reach } from './ports/reach.ts';
import type { ReportReader } from './ports/report-reader.ts';
import type { Store } from './store/store.ts';

export interface Deps {
  /** The compatibility profile (NOTIFIER_DIALECT). */
  readonly dialect?: Dialect | undefined;
  readonly config: Config;
  readonly store: Store;
  /** Unix time in milliseconds. */
  now(): number;
  randomBytes(count: number): Buffer;
  /** 0 to below 1; default Math.random. */
  readonly random?: () => number;
  readonly log: Log;
  /** Which private addresses monitors and alert channels may connect to (NOTIFIER_FETCH_ALLOW). */
  readonly reach: Reach;
  /** SSRF-safe DNS and HTTP client for domain checks. */
  readonly prober: DomainProber;
  /** SSRF-safe client that sends notifications; without it they stay in the queue. */
  readonly messenger?: Messenger;
  /** SSRF-safe client for monitor checks; without it monitors are not checked. */
  readonly checker?: Checker;
  /** Symbolicates an event before it is grouped; without it events are grouped as sent. */
  readonly mapEvent?: MapEvent;
  /** Reads large bodies in worker threads; without it on the main thread. */
  readonly heavy?: HeavyReader;
  /** Reads large test reports in worker threads; without it on the main thread. */
  readonly reports?: ReportReader;
  /** The installation's secret for hashing user ids; without it users are not counted. */
  readonly userHashKey?: Uint8Array;
  readonly eventMapping: EventMapping;
  /** Counts outcomes of sent items; `recordEvent` counts those of events. */
  readonly outcomes: OutcomeCounter;
  readonly measures?: Measures;
  /** Rate limit counters shared by several servers; without it this server counts alone. */
  readonly limitStore?: LimitStoreOfServers;
  /** Notifies live views of new events; without it they poll. */
  readonly feed?: EventFeed;
}
