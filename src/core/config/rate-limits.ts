// Rate limit settings (docs/limits.md), and the Redis URL that shares the counters.
import {
  ConfigError,
  type Env,
  readChoiceSetting,
  readIntegerSetting,
  readUrlSetting,
} from './parse-values.ts';

const mebibyte = 1_048_576;

export type RateLimits = ReturnType<typeof readRateLimits>;

export function readRateLimits(env: Env) {
  const limit = (name: string, fallback: number): number =>
    readIntegerSetting(env, `RATE_LIMIT_${name}`, fallback, 1, 1e9);
  return {
    enabled: readChoiceSetting(env, 'RATE_LIMITS', ['on', 'off'] as const, 'on') === 'on',
    eventsPerMinute: limit('EVENTS_PER_MINUTE', 1200),
    eventsPerAddressPerMinute: limit('EVENTS_PER_ADDRESS_PER_MINUTE', 300),
    /** Inflated bytes of bodies with a public key: per key, per address, per project. */
    bytesPerMinute: limit('BYTES_PER_MINUTE', 64 * mebibyte),
    bytesPerAddressPerMinute: limit('BYTES_PER_ADDRESS_PER_MINUTE', 16 * mebibyte),
    bytesPerProjectPerMinute: limit('BYTES_PER_PROJECT_PER_MINUTE', 128 * mebibyte),
    feedbackPerAddressPerMinute: limit('FEEDBACK_PER_ADDRESS_PER_MINUTE', 5),
    feedbackPerHour: limit('FEEDBACK_PER_HOUR', 100),
    verifyPerAddressPerMinute: limit('VERIFY_PER_ADDRESS_PER_MINUTE', 30),
    serverPerMinute: limit('SERVER_PER_MINUTE', 120),
    chunksPerMinute: limit('CHUNKS_PER_MINUTE', 600),
    proofsPerHour: limit('PROOFS_PER_HOUR', 20),
    checksPerMinute: limit('CHECKS_PER_MINUTE', 6),
    badCredentialsPerMinute: limit('BAD_CREDENTIALS_PER_MINUTE', 60),
    pagesPerMinute: limit('PAGES_PER_MINUTE', 120),
    signInPerMinute: limit('SIGN_IN_PER_MINUTE', 5),
  };
}

/** `REDIS_URL`; its path may be a database number. Throws ConfigError. */
export function readRedisUrl(env: Env): string | null {
  const url = readUrlSetting(env, 'REDIS_URL', ['redis:', 'rediss:']);
  if (url === null || /^(?:\/\d{0,4})?$/.test(new URL(url).pathname)) return url;
  throw new ConfigError('REDIS_URL must contain a host, optionally followed by a database number.');
}
