// How many threads answer requests.
import type { Config } from '../../core/config/config.ts';

export interface HowMany {
  /** At the most, where `grows`. */
  readonly threads: number;
  /** Whether one answers at first, and the others are started once it is busy. */
  readonly grows: boolean;
  /** Why they are fewer than WEB_CONCURRENCY says, for the operator; null where they are not. */
  readonly warning: string | null;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** That this process may use. */
  readonly cores: number;
  /** Whether the socket was handed over. */
  readonly isHanded: boolean;
}

/** More of them wait for their turn to write, and each takes memory. */
const grownMax = 4;
/** For the disk, for what collects garbage and for heavy bodies, each of which has threads of its own. */
const coresBeside = 1;

/**
 * As many as WEB_CONCURRENCY says, where the system shares a port among threads, and they the data; where it
 * says nothing (0) one for each core but one, as load asks for them (D-234).
 */
export function howManyThreads(
  { webConcurrency, databaseUrl }: Pick<Config, 'webConcurrency' | 'databaseUrl'>,
  { platform, cores, isHanded }: Machine,
): HowMany {
  const why = whyOne(databaseUrl, platform, isHanded);
  if (webConcurrency === 0) {
    const threads = why === null ? Math.max(1, Math.min(cores - coresBeside, grownMax)) : 1;
    return { threads, grows: threads > 1, warning: null };
  }
  if (webConcurrency === 1 || why === null) return { threads: webConcurrency, grows: false, warning: null };
  const warning = `WEB_CONCURRENCY is ${webConcurrency}, and one thread answers: ${why}.`;
  return { threads: 1, grows: false, warning };
}

function whyOne(databaseUrl: string, platform: NodeJS.Platform, isHanded: boolean): string | null {
  if (isHanded) return 'the socket was handed over, and a thread cannot listen on it beside another';
  if (platform !== 'linux') return 'only Linux shares a port evenly among threads';
  if (databaseUrl === 'sqlite::memory:') return 'a database in memory belongs to one thread';
  return null;
}
