// One connection to Redis, made again for as long as it is wanted. Nobody waits for it: what is asked while
// it is away is refused at once, and what is not answered in time counts as away. The client's own queue
// would hold requests for ever, and its own connection would come back only when the network gives up on it.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { type Script, takeScript } from './scripts.ts';

/** An answer that takes longer is as good as none: every request waits for one. */
const slowMs = 20;
/**
 * Whoever answers later than that is slow only where our own thread has looked so often meanwhile: a busy one
 * reads late what came in time.
 */
const turnsMin = 10;
/** The best of so many says how slow it is. */
const looks = 5;
const connectMs = 1_000;

/** Milliseconds. */
export interface Pace {
  /** What is asked is answered by then, or never. */
  readonly answerMs: number;
  /** How often it is asked how it is. */
  readonly beatMs: number;
  /** How long after it was lost it is looked for again. */
  readonly againMs: number;
}

const usualPace: Pace = { answerMs: 100, beatMs: 2_000, againMs: 1_000 };

export interface RedisConnection {
  /** Runs a script. Rejects with `RedisAway`, at once where there is no Redis, else within `answerMs`. */
  run(script: Script, keys: readonly string[], given: readonly string[]): Promise<unknown>;
  /** Whether there is one that answers. */
  isUp(): boolean;
  /** Ends it, and has `last` asked before where that is possible. */
  close(last?: (run: RedisConnection['run']) => Promise<unknown>): Promise<void>;
}

/** There is no Redis, it is too slow, or it does not do what it is asked. */
class RedisAway extends Error {}

interface RedisParts {
  /** `redis://` or `rediss://`; with a password it is told to nobody. */
  readonly url: string;
  /** Asked as soon as it is there, and with every beat from then on. */
  beat(run: RedisConnection['run']): Promise<unknown>;
  /** Told when it is there, and when it is away and why. */
  changed(isUp: boolean, why: string): void;
  readonly pace?: Pace | undefined;
}

/** Connects, now and whenever it is away. Never rejects, never throws. */
export function openRedis({ url, beat, changed, pace = usualPace }: RedisParts): RedisConnection {
  const ending = Promise.withResolvers<void>();
  let isEnding = false;
  let up: Held | null = null;
  // Nothing was said yet, so the first of either is news.
  let wasUp: boolean | null = null;
  const tell = (isUp: boolean, why = ''): void => {
    if (wasUp !== isUp && !isEnding) changed(isUp, why);
    wasUp = isUp;
  };
  async function hold(): Promise<void> {
    while (!isEnding) {
      let held: Held | null = null;
      try {
        held = heldClient(url, pace);
        await held.connect();
        await beat(held.run);
        up = held;
        tell(true);
        await Promise.race([held.lost, keepBeating(held, beat, pace.beatMs), ending.promise]);
      } catch (error) {
        tell(false, messageOf(error));
      }
      up = null;
      held?.end();
      if (!isEnding) await Promise.race([rest(pace.againMs), ending.promise]);
    }
  }
  const run: RedisConnection['run'] = (script, keys, given) =>
    up === null ? Promise.reject(new RedisAway('There is no connection.')) : up.run(script, keys, given);
  const holding = hold();
  return {
    run,
    isUp: () => up !== null,
    async close(last) {
      await last?.(run).catch(() => {});
      isEnding = true;
      ending.resolve();
      await holding;
    },
  };
}

/** Whether Redis does what is asked of it here: null, or why not. Waits a second and a half at most. */
export async function redisFault(url: string): Promise<string | null> {
  let held: Held | null = null;
  try {
    held = heldClient(url, usualPace);
    await held.connect();
    // One that only reads, or is full, answers whatever nothing is written for.
    await held.run(takeScript, ['notifier:{doctor}:probe'], ['', '1', '1', '1000000', '1000']);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    held?.end();
  }
}

async function keepBeating(held: Held, beat: RedisParts['beat'], beatMs: number): Promise<void> {
  while (!held.isLost()) {
    await Promise.race([rest(beatMs), held.lost]);
    await held.look();
    await beat(held.run);
  }
}

interface Held {
  /** Rejects where that takes too long, or Redis is too slow. */
  connect(): Promise<void>;
  /** Rejects where Redis is too slow, with a connection that is lost. */
  look(): Promise<void>;
  readonly run: RedisConnection['run'];
  /** Rejects when the connection is of no use any more. */
  readonly lost: Promise<never>;
  isLost(): boolean;
  end(): void;
}

/** One client for one connection. Throws where the client finds the address to be none. */
function heldClient(url: string, { answerMs }: Pace): Held {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  const { promise: lost, reject } = Promise.withResolvers<never>();
  let isLost = false;
  const lose = (error: unknown): RedisAway => {
    const away = asAway(error);
    isLost = true;
    reject(away);
    return away;
  };
  // It may be lost before anybody waits for that.
  lost.catch(() => {});
  client.on('error', lose);
  client.on('end', () => lose(new RedisAway('The connection was closed.')));
  const ask: Ask = async (words) => {
    try {
      return await within(client.sendCommand([...words]), answerMs);
    } catch (error) {
      // What Redis itself says it says on a connection that is well.
      throw isReply(error) ? error : lose(error);
    }
  };
  const look = async (): Promise<void> => {
    const tookMs = await slowness(ask);
    if (tookMs > 0) throw lose(new RedisAway(`Redis took ${Math.round(tookMs)} ms to respond.`));
  };
  return {
    async connect() {
      await within(client.connect(), connectMs);
      await look();
    },
    look,
    run: (script, keys, given) =>
      runScript(ask, script, [String(keys.length), ...keys, ...given]).catch((error) => {
        throw asAway(error);
      }),
    lost,
    isLost: () => isLost,
    end() {
      if (client.isOpen) client.destroy();
    },
  };
}

type Ask = (words: readonly string[]) => Promise<unknown>;

/** How many milliseconds it takes to answer where that is too slow; 0 where it is not. */
async function slowness(ask: Ask): Promise<number> {
  let quickestMs = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < looks; tried += 1) {
    const askedAtMs = performance.now();
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 1);
    try {
      await ask(['PING']);
    } finally {
      clearInterval(turning);
    }
    const tookMs = performance.now() - askedAtMs;
    if (tookMs <= slowMs || turns < turnsMin) return 0;
    quickestMs = Math.min(quickestMs, tookMs);
  }
  return quickestMs;
}

/** By its hash; with its text where Redis does not know it, as after it was started anew. */
async function runScript(ask: Ask, { text, sha1 }: Script, words: readonly string[]): Promise<unknown> {
  try {
    return await ask(['EVALSHA', sha1, ...words]);
  } catch (error) {
    if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
  }
  return ask(['EVAL', text, ...words]);
}

/** What Redis answers where it refuses: such as `NOSCRIPT No matching script` or `LOADING ...`. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z]{3,} /.test(error.message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function asAway(error: unknown): RedisAway {
  return error instanceof RedisAway ? error : new RedisAway(messageOf(error), { cause: error });
}

/** What is asked, or `RedisAway` where it takes longer. */
async function within<Value>(asked: Promise<Value>, milliseconds: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const give = (): void => late.reject(new RedisAway(`Redis did not respond within ${milliseconds} ms.`));
  // Where our own thread stood still the answer may be there and not read yet: it is read before that.
  const timer = setTimeout(() => setImmediate(() => setImmediate(give)), milliseconds);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
    // Nobody waits for what comes later.
    asked.catch(() => {});
    late.promise.catch(() => {});
  }
}

/** Keeps no process from its end. */
function rest(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}
