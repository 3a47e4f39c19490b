// How many threads answer requests.
import type { Config } from '../../core/config/config.ts';

export interface HowMany {
  readonly threads: number;
  /** Why they are fewer than WEB_CONCURRENCY says, for the operator; null where they are not. */
  readonly warning: string | null;
}

/** As many as WEB_CONCURRENCY says, where the system shares a port among threads, and they the data. */
export function howManyThreads(
  { webConcurrency, databaseUrl }: Pick<Config, 'webConcurrency' | 'databaseUrl'>,
  { platform, isHanded }: { readonly platform: NodeJS.Platform; readonly isHanded: boolean },
): HowMany {
  const why = whyOne(databaseUrl, platform, isHanded);
  if (webConcurrency === 1 || why === null) return { threads: webConcurrency, warning: null };
  return { threads: 1, warning: `WEB_CONCURRENCY is ${webConcurrency}, and one thread answers: ${why}.` };
}

function whyOne(databaseUrl: string, platform: NodeJS.Platform, isHanded: boolean): string | null {
  if (isHanded) return 'the socket was handed over, and a thread cannot listen on it beside another';
  if (platform !== 'linux') return 'only Linux shares a port evenly among threads';
  if (databaseUrl === 'sqlite::memory:') return 'a database in memory belongs to one thread';
  return null;
}
