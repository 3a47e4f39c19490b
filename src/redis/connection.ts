// A reconnecting Redis connection that fails fast, since requests wait; node-redis' own queue would hold them.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { consumeScript, type Script } from './scripts.ts';

/** Slower answers count as an outage, since every request waits for one. */
const slowMs = 20;
/** Slowness counts only with this many turns of our event loop meanwhile: a blocked one reads late. */
const attemptsMin = 10;
/** The fastest of this many PINGs counts. */
const looks = 5;
const connectMs = 1_000;

export interface RedisTimings {
  /** Time limit of a command. */
  readonly answerMs: number;
  /** Interval of heartbeats. */
  readonly beatMs: number;
  /** Delay before reconnecting. */
  readonly againMs: number;
}

const usualInterval: RedisTimings = { answerMs: 100, beatMs: 2_000, againMs: 1_000 };

export interface RedisConnection {
  /** Rejects with `RedisUnavailable`, at once without a connection, else within `answerMs`. */
  run(script: Script, keys: readonly string[], given: readonly string[]): Promise<unknown>;
  isUp(): boolean;
  close(last?: (run: RedisConnection['run']) => Promise<unknown>): Promise<void>;
}

/** Redis is down, too slow, or refuses commands. */
class RedisUnavailable extends Error {}

interface RedisOptions {
  /** `redis://` or `rediss://`; may have a password: do not log it. */
  readonly url: string;
  /** Called on connecting and with every heartbeat. */
  beat(run: RedisConnection['run']): Promise<unknown>;
  /** Called when Redis becomes available, or unavailable with the reason. */
  changed(isUp: boolean, why: string): void;
  readonly pace?: RedisTimings | undefined;
}

/** Connects and reconnects. Never throws or rejects. */
export function openRedis({ url, beat, changed, pace = usualInterval }: RedisOptions): RedisConnection {
  const ending = Promise.withResolvers<void>();
  let isEnding = false;
  let up: Held | null = null;
  // Null: the first state is reported in any case.
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
    up === null
      ? Promise.reject(new RedisUnavailable('There is no connection.'))
      : up.run(script, keys, given);
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

/** Why Redis cannot be used, or null. Takes at most a second and a half. */
export async function findRedisProblem(url: string): Promise<string | null> {
  let held: Held | null = null;
  try {
    held = heldClient(url, usualInterval);
    await held.connect();
    // A write: a read-only or full Redis answers everything else.
    await held.run(consumeScript, ['notifier:{doctor}:probe'], ['', '1', '1', '1000000', '1000']);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    held?.end();
  }
}

async function keepBeating(held: Held, beat: RedisOptions['beat'], beatMs: number): Promise<void> {
  while (!held.isLost()) {
    await Promise.race([rest(beatMs), held.lost]);
    await held.look();
    await beat(held.run);
  }
}

interface Held {
  connect(): Promise<void>;
  look(): Promise<void>;
  readonly run: RedisConnection['run'];
  readonly lost: Promise<never>;
  isLost(): boolean;
  end(): void;
}

/** Throws where the URL is invalid. */
function heldClient(url: string, { answerMs }: RedisTimings): Held {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  const { promise: lost, reject } = Promise.withResolvers<never>();
  let isLost = false;
  const lose = (error: unknown): RedisUnavailable => {
    const away = asAway(error);
    isLost = true;
    reject(away);
    return away;
  };
  lost.catch(() => {});
  client.on('error', lose);
  client.on('end', () => lose(new RedisUnavailable('The connection was closed.')));
  const ask: Ask = async (words) => {
    try {
      return await within(client.sendCommand([...words]), answerMs);
    } catch (error) {
      // An error reply of Redis does not mean that the connection is broken.
      throw isReply(error) ? error : lose(error);
    }
  };
  const look = async (): Promise<void> => {
    const tookMs = await slowness(ask);
    if (tookMs > 0) throw lose(new RedisUnavailable(`Redis took ${Math.round(tookMs)} ms to respond.`));
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

/** Response time in milliseconds if too slow, else 0. */
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
    if (tookMs <= slowMs || turns < attemptsMin) return 0;
    quickestMs = Math.min(quickestMs, tookMs);
  }
  return quickestMs;
}

/** EVALSHA; EVAL where Redis does not know the script, as after a restart. */
async function runScript(ask: Ask, { text, sha1 }: Script, words: readonly string[]): Promise<unknown> {
  try {
    return await ask(['EVALSHA', sha1, ...words]);
  } catch (error) {
    if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
  }
  return ask(['EVAL', text, ...words]);
}

/** Whether it is an error reply, such as `NOSCRIPT No matching script`. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z]{3,} /.test(error.message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function asAway(error: unknown): RedisUnavailable {
  return error instanceof RedisUnavailable ? error : new RedisUnavailable(messageOf(error), { cause: error });
}

async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const give = (): void =>
    late.reject(new RedisUnavailable(`Redis did not respond within ${milliseconds} ms.`));
  // If our event loop was blocked, the answer may be pending in the socket: read it first.
  const timer = setTimeout(() => setImmediate(() => setImmediate(give)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
    late.promise.catch(() => {});
  }
}

function rest(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}
