// What every rule is handed. Time, identity and randomness come from here, so that tests can fix them.

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
  /**
   * How answers are worded where the specification leaves it open (NOTIFIER_DIALECT); absent: as we decided.
   */
  readonly dialect?: Dialect | undefined;
  readonly config: Config;
  readonly store: Store;
  /** The time now, integer milliseconds since 1970. */
  now(): number;
  /** `count` random bytes from the system's generator. */
  randomBytes(count: number): Buffer;
  /** 0 to below 1, for what is spread over time; absent: as it falls. */
  readonly random?: () => number;
  readonly log: Log;
  /** Which private addresses monitors and alert channels may lead to (NOTIFIER_FETCH_ALLOW). */
  readonly reach: Reach;
  /** The guarded way out, for domain checks (`createProber` of src/outbound/prober.ts). */
  readonly prober: DomainProber;
  /** The guarded way out for messages of alert channels; absent: they wait. */
  readonly messenger?: Messenger;
  /** The guarded way out to see how something answers; absent: monitors are not asked. */
  readonly checker?: Checker;
  /** Maps frames before an event is grouped (D-30); absent: events are grouped as they were sent. */
  readonly mapEvent?: MapEvent;
  /** Reads heavy bodies in threads (D-84); absent: all is read in place. */
  readonly heavy?: HeavyReader;
  /** Reads big test reports in threads; absent: all is read in place. */
  readonly reports?: ReportReader;
  /** The installation's own secret bytes for counting users (D-21); absent: users are not counted. */
  readonly userHashKey?: Uint8Array;
  /**
   * Mapping of stacks, and the workers that read uploads (`openEventMapping` of
   * src/core/source-maps/mapping.ts).
   */
  readonly eventMapping: EventMapping;
  /** Counts what became of what was sent; what `recordEvent` counts itself aside. */
  readonly outcomes: OutcomeCounter;
  /** Counts for whoever watches the server (docs/metrics.md); absent: nobody does. */
  readonly measures?: Measures;
  /** Where rate limits are counted together with other servers; absent: this one counts alone. */
  readonly limitStore?: LimitStoreOfServers;
  /** Tells who follows the events that one was stored; absent: followers look by themselves. */
  readonly feed?: EventFeed;
}
