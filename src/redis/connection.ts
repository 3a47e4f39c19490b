// A reconnecting Redis connection that fails fast, since requests wait; node-redis' own queue would hold them.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { consumeScript, type Script } from './scripts.ts';

/** Slower answers count as an outage, since every request waits for one. */
const slowMs = 20;
/** Slowness counts only with this many turns of our event loop meanwhile: a blocked one reads late. */
const ticksMin = 10;
/** The fastest of this many PINGs counts. */
const pingsMax = 5;
const connectMs = 1_000;

export interface RedisTimings {
  /** Time limit of a command. */
  readonly answerMs: number;
  /** Interval of heartbeats. */
  readonly heartbeatMs: number;
  /** Delay before reconnecting. */
  readonly reconnectMs: number;
}

const defaultTimings: RedisTimings = { answerMs: 100, heartbeatMs: 2_000, reconnectMs: 1_000 };

export interface RedisConnection {
  /** Rejects with `RedisUnavailable`, at once without a connection, else within `answerMs`. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  isUp(): boolean;
  close(last?: (run: RedisConnection['run']) => Promise<unknown>): Promise<void>;
}

/** Redis is down, too slow, or refuses commands. */
class RedisUnavailable extends Error {}

interface RedisOptions {
  /** `redis://` or `rediss://`; may have a password: do not log it. */
  readonly url: string;
  /** Called on connecting and with every heartbeat. */
  heartbeat(run: RedisConnection['run']): Promise<unknown>;
  /** Called when Redis becomes available, or unavailable with the reason. */
  changed(isUp: boolean, reason: string): void;
  readonly timings?: RedisTimings | undefined;
}

/** Connects and reconnects. Never throws or rejects. */
export function openRedis({
  url,
  heartbeat,
  changed,
  timings = defaultTimings,
}: RedisOptions): RedisConnection {
  const ending = Promise.withResolvers<void>();
  let isEnding = false;
  let current: RedisSession | null = null;
  // Null: the first state is reported in any case.
  let wasUp: boolean | null = null;
  const reportState = (isUp: boolean, reason = ''): void => {
    if (wasUp !== isUp && !isEnding) changed(isUp, reason);
    wasUp = isUp;
  };
  async function stayConnected(): Promise<void> {
    while (!isEnding) {
      let session: RedisSession | null = null;
      try {
        session = createSession(url, timings);
        await session.connect();
        await heartbeat(session.run);
        current = session;
        reportState(true);
        await Promise.race([
          session.lost,
          sendHeartbeats(session, heartbeat, timings.heartbeatMs),
          ending.promise,
        ]);
      } catch (error) {
        reportState(false, messageOf(error));
      }
      current = null;
      session?.end();
      if (!isEnding) await Promise.race([delay(timings.reconnectMs), ending.promise]);
    }
  }
  const run: RedisConnection['run'] = (script, keys, args) =>
    current === null
      ? Promise.reject(new RedisUnavailable('There is no connection.'))
      : current.run(script, keys, args);
  const running = stayConnected();
  return {
    run,
    isUp: () => current !== null,
    async close(last) {
      await last?.(run).catch(() => {});
      isEnding = true;
      ending.resolve();
      await running;
    },
  };
}

/** Why Redis cannot be used, or null. Takes at most a second and a half. */
export async function findRedisProblem(url: string): Promise<string | null> {
  let session: RedisSession | null = null;
  try {
    session = createSession(url, defaultTimings);
    await session.connect();
    // A write: a read-only or full Redis answers everything else.
    await session.run(consumeScript, ['notifier:{doctor}:probe'], ['', '1', '1', '1000000', '1000']);
    return null;
  } catch (error) {
    return messageOf(error);
  } finally {
    session?.end();
  }
}

async function sendHeartbeats(
  session: RedisSession,
  heartbeat: RedisOptions['heartbeat'],
  heartbeatMs: number,
): Promise<void> {
  while (!session.isLost()) {
    await Promise.race([delay(heartbeatMs), session.lost]);
    await session.checkLatency();
    await heartbeat(session.run);
  }
}

type RedisSession = ReturnType<typeof createSession>;

/** Throws where the URL is invalid. */
function createSession(url: string, { answerMs }: RedisTimings) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  });
  const { promise: lost, reject } = Promise.withResolvers<never>();
  let isLost = false;
  const markLost = (error: unknown): RedisUnavailable => {
    const unavailable = toUnavailable(error);
    isLost = true;
    reject(unavailable);
    return unavailable;
  };
  lost.catch(() => {});
  client.on('error', markLost);
  client.on('end', () => markLost(new RedisUnavailable('The connection was closed.')));
  const sendCommand: SendCommand = async (args) => {
    try {
      return await withTimeout(client.sendCommand([...args]), answerMs);
    } catch (error) {
      // An error reply of Redis does not mean that the connection is broken.
      throw isReply(error) ? error : markLost(error);
    }
  };
  const checkLatency = async (): Promise<void> => {
    const tookMs = await measureLatency(sendCommand);
    if (tookMs > 0) throw markLost(new RedisUnavailable(`Redis took ${Math.round(tookMs)} ms to respond.`));
  };
  const run: RedisConnection['run'] = (script, keys, args) =>
    runScript(sendCommand, script, [String(keys.length), ...keys, ...args]).catch((error) => {
      throw toUnavailable(error);
    });
  return {
    async connect() {
      await withTimeout(client.connect(), connectMs);
      await checkLatency();
    },
    checkLatency,
    run,
    lost,
    isLost: () => isLost,
    end() {
      if (client.isOpen) client.destroy();
    },
  };
}

type SendCommand = (args: readonly string[]) => Promise<unknown>;

/** Response time in milliseconds if too slow, else 0. */
async function measureLatency(sendCommand: SendCommand): Promise<number> {
  let quickestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < pingsMax; attempt += 1) {
    const sentAtMs = performance.now();
    let ticks = 0;
    const ticker = setInterval(() => {
      ticks += 1;
    }, 1);
    try {
      await sendCommand(['PING']);
    } finally {
      clearInterval(ticker);
    }
    const tookMs = performance.now() - sentAtMs;
    if (tookMs <= slowMs || ticks < ticksMin) return 0;
    quickestMs = Math.min(quickestMs, tookMs);
  }
  return quickestMs;
}

/** EVALSHA; EVAL where Redis does not know the script, as after a restart. */
async function runScript(
  sendCommand: SendCommand,
  { text, sha1 }: Script,
  args: readonly string[],
): Promise<unknown> {
  try {
    return await sendCommand(['EVALSHA', sha1, ...args]);
  } catch (error) {
    if (!isReply(error) || !error.message.startsWith('NOSCRIPT')) throw error;
  }
  return sendCommand(['EVAL', text, ...args]);
}

/** Whether it is an error reply, such as `NOSCRIPT No matching script`. */
function isReply(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z]{3,} /.test(error.message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function toUnavailable(error: unknown): RedisUnavailable {
  return error instanceof RedisUnavailable ? error : new RedisUnavailable(messageOf(error), { cause: error });
}

async function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const rejectLate = (): void =>
    late.reject(new RedisUnavailable(`Redis did not respond within ${milliseconds} ms.`));
  // If our event loop was blocked, the answer may be pending in the socket: read it first.
  const timer = setTimeout(() => setImmediate(() => setImmediate(rejectLate)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
    late.promise.catch(() => {});
  }
}

function delay(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}
