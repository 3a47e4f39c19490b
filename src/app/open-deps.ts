import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, probeDatabase, requireDatabaseFile, type StoreOptions } from '../../data/open-store.ts';
import { InvalidProfileError, parseProfile } from '../compatibility/profile-lookup.ts';
import { type Config, ConfigError, loadConfig } from '../core/config/config.ts';
import { toPrintable } from '../core/config/parse-values.ts';
import { DependencyNotReadyError } from '../core/config/start-errors.ts';
import type { Deps } from '../core/deps.ts';
import { withProberMetrics } from '../core/domains/checks.ts';
import { assignToOwner } from '../core/issues/owners.ts';
import { createOutcomeCounter, withOutcomeMetrics } from '../core/outcomes/outcomes.ts';
import type { DomainCheckClient } from '../core/ports/domain-check-client.ts';
import { localEventFeed } from '../core/ports/event-feed.ts';
import type { Log } from '../core/ports/log.ts';
import type { Meter } from '../core/ports/metrics.ts';
import type { NotificationSender } from '../core/ports/notification-sender.ts';
import { createSymbolicator } from '../core/source-maps/symbolicator.ts';
import type { Store } from '../core/store/store.ts';
import { openLargeBodyReader } from '../http/large-bodies/open-reader.ts';
import { createMemoryLimitStore } from '../http/limits/limit-store.ts';
import { openReportReader } from '../http/uploads/test-report/open-report-reader.ts';
import { createChecker } from '../net/checker.ts';
import { createResolver } from '../net/dns-resolver.ts';
import { createIdentityClient } from '../net/identity-client.ts';
import { createNotificationSender } from '../net/notification-sender.ts';
import { createProber } from '../net/prober.ts';
import { parseAllowedTargets } from '../net/ssrf-guard.ts';
import { openSymbolicator } from '../symbolication/symbolicator.ts';
import { describeDatabaseError } from './database-errors.ts';
import { limitQuotaToDisk } from './disk.ts';
import { readSettingFile } from './environment.ts';
import { programVersion } from './layers/version.ts';
import { createMeter } from './metrics/meter.ts';

interface Waiting {
  /** Called at once and every five seconds while waiting. */
  warn(line: string): void;
  readonly clock?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const waitMsMax = 30_000;
const warnEveryMs = 5_000;
const pauseMs = 500;

export type OpenedDeps = Awaited<ReturnType<typeof openSetup>>;

export interface OpenOptions {
  readonly log: Log | ((config: Config) => Log);
  readonly now?: () => number;
  readonly domainCheckClient?: DomainCheckClient;
  readonly notificationSender?: NotificationSender;
  readonly readers?: ReturnType<typeof openWorkerPools>;
  readonly eventMappingMs?: number | undefined;
  readonly warn?: (line: string) => void;
  /** False refuses to create a missing SQLite file. */
  readonly makesFile?: boolean;
  readonly isUnsynced?: boolean | undefined;
  /** Whether requests are served, with rate limits shared through Redis. */
  readonly serves?: boolean;
}

export type Setup = ReturnType<typeof readSetup>;

type Env = Readonly<Record<string, string | undefined>>;

const userHashSetting = 'user_hash_key';
const userHashBytes = 32;

/** Opens and migrates the store. @throws {ConfigError} (exit 78), {DependencyNotReadyError} (75) */
export async function openDeps(env: Env, options: OpenOptions) {
  const setup = readSetup(env);
  await waitForDatabase(setup, options);
  if (options.makesFile === false) requireDatabaseFile(setup.config.databaseUrl);
  return openSetup(setup, options);
}

/** Reads the configuration with its files. @throws {ConfigError} */
export function readSetup(env: Env) {
  const config = limitQuotaToDisk(loadConfig(env, readSettingFile), env);
  return { config, profile: config.dialectPath === null ? undefined : readProfile(config.dialectPath) };
}

/** Waits for the database without changing it. Throws as `openDeps` does. */
export function waitForDatabase(
  { config }: Setup,
  { warn = noop }: Pick<OpenOptions, 'warn'>,
): Promise<void> {
  const { databaseUrl } = config;
  return retryUntilDatabaseAnswers(() => probeDatabase(databaseUrl), databaseUrl, { warn });
}

/** Like `openDeps`, for a configuration that was read already. */
export async function openSetup({ config, profile }: Setup, options: OpenOptions) {
  const log = typeof options.log === 'function' ? options.log(config) : options.log;
  const now = options.now ?? (() => Date.now());
  const { databaseUrl } = config;
  const meter = createMeter();
  const openOptions = { now, log, meter, ...storeOptions(config), isUnsynced: options.isUnsynced };
  const { store, userHashKey } = await retryUntilDatabaseAnswers(
    () => openInstallation(databaseUrl, openOptions),
    databaseUrl,
    { warn: options.warn ?? noop },
  );
  const { largeBodyReader, reports, maps: workers } = options.readers ?? openWorkerPools();
  const budgetMs = options.eventMappingMs;
  const eventMapping = createSymbolicator({ store, workers, now, log, largeBodyReader, budgetMs });
  const outcomes = withOutcomeMetrics(createOutcomeCounter({ store, log }), meter);
  const feed = localEventFeed();
  const { serves } = options;
  const limitStore = await openSharedLimits({ ...openOptions, config, userHashKey, serves });
  const deps: Deps = {
    config,
    store,
    now,
    sleep,
    randomBytes: (count) => randomBytes(count),
    log,
    ...outboundClients(config, options, meter),
    eventMapping,
    mapEvent: eventMapping.mapEvent,
    assignNewIssue: (...of) => assignToOwner({ store, now, log }, ...of),
    userHashKey,
    largeBodyReader,
    reports,
    outcomes,
    measures: meter,
    feed,
    dialect: profile,
    ...(limitStore === null ? {} : { limitStore }),
  };
  return {
    config,
    deps,
    async close() {
      await limitStore?.close();
      await outcomes.close();
      await eventMapping.close();
      await largeBodyReader.close();
      await reports.close();
      await store.close();
    },
  };
}

function noop(): void {}

/** Without rate limits there is no limit of new issues either. */
function storeOptions({
  rateLimits,
  databasePoolMax: connectionsMax,
  databaseStatements: statements,
}: Config): Pick<StoreOptions, 'statements' | 'connectionsMax' | 'limits'> {
  if (rateLimits.enabled) return { statements, connectionsMax };
  return { statements, connectionsMax, limits: { newIssuesPerHourMax: Number.POSITIVE_INFINITY } };
}

/** The store and the installation's secret. The database decides which of several first starts sets it. */
async function openInstallation(databaseUrl: string, options: StoreOptions) {
  let store: Store | null = null;
  try {
    store = await openStore(databaseUrl, options);
    const drawn = randomBytes(userHashBytes).toString('hex');
    const stored = await store.setSetting(userHashSetting, drawn, { onlyIfAbsent: true });
    // In memory of its own: workers get it with each task, and a slice of Node's pool would be sent with all 64 KiB.
    return { store, userHashKey: new Uint8Array(Buffer.from(stored, 'hex')) };
  } catch (error) {
    await store?.close();
    throw error;
  }
}

function outboundClients(
  config: Config,
  options: Pick<OpenOptions, 'domainCheckClient' | 'notificationSender'>,
  meter: Meter,
): Pick<Deps, 'domainCheckClient' | 'notificationSender' | 'checker' | 'reach' | 'identityClient'> {
  const { dnsServers: servers, fetchAllow, fetchAllowPrivate: allowPrivate, baseUrl } = config;
  // DNS and address rules, the same for notifications and monitors.
  const { addresses: resolve, records } = createResolver({ servers, allowPrivate: fetchAllow.length > 0 });
  const access = { resolve, records, allowed: parseAllowedTargets(fetchAllow) };
  const userAgent = (purpose: string): string => `Notifier/${programVersion()} (${purpose})`;
  // The User-Agent tells site owners whom to contact.
  const contact = baseUrl === null ? '' : `; +${baseUrl}`;
  const domainCheckClient =
    options.domainCheckClient ??
    createProber({
      resolver: createResolver({ servers, allowPrivate }),
      allowPrivate,
      userAgent: userAgent(`domain check${contact}`),
    });
  const { smtpUrl, smtpFrom } = config;
  return {
    reach: access.allowed,
    domainCheckClient: withProberMetrics(domainCheckClient, meter),
    notificationSender:
      options.notificationSender ??
      createNotificationSender({ ...access, userAgent: userAgent('alerts'), smtpUrl, smtpFrom }),
    checker: createChecker({ ...access, userAgent: userAgent(`monitor${contact}`) }),
    identityClient: createIdentityClient({ ...access, userAgent: userAgent('sign-in') }),
  };
}

/** @throws {ConfigError} if the file is unreadable or overrides what the specification fixes. */
function readProfile(path: string): NonNullable<Deps['dialect']> {
  try {
    return parseProfile(readSettingFile(path));
  } catch (error) {
    const rule = error instanceof InvalidProfileError ? ` (${error.rule})` : '';
    const message = toPrintable(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    throw new ConfigError(
      `NOTIFIER_DIALECT${rule}: ${message}. The file is "${toPrintable(path)}": correct it, or remove the setting.`,
      { cause: error },
    );
  }
}

interface LimiterOptions extends Pick<Deps, 'config' | 'log' | 'now'> {
  readonly userHashKey: Uint8Array;
  readonly meter: Meter;
  readonly serves?: boolean | undefined;
}

/** Null without REDIS_URL or rate limits: the client is not loaded then. */
export async function openSharedLimits({
  config,
  userHashKey: secret,
  log,
  now,
  meter,
  serves,
}: LimiterOptions) {
  const { redisUrl: url } = config;
  if (serves !== true || url === null || !config.rateLimits.enabled) return null;
  const { openRedisLimitStore: redisLimitStore } = await import('../redis/redis-limit-store.ts');
  return redisLimitStore({
    url,
    secret,
    // In containers, host names and process ids may be equal.
    server: `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`,
    local: createMemoryLimitStore(now),
    failed: () => meter.count('limitStoreErrors', []),
    changed(isUp, reason) {
      if (isUp) log.info({}, 'rate limits are counted in Redis');
      else log.warn({ error: reason }, 'rate limits are counted by this server only, without Redis');
    },
  });
}

/** Retries for 30 s. @throws {ConfigError} where waiting cannot help, {DependencyNotReadyError} after that time. */
export async function retryUntilDatabaseAnswers<T>(
  attempt: () => Promise<T>,
  databaseUrl: string,
  waiting: Waiting,
): Promise<T> {
  const clock = waiting.clock ?? (() => performance.now());
  const pause = waiting.sleep ?? sleep;
  const beganAtMs = clock();
  let loggedAtMs: number | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const failure = describeDatabaseError(error, databaseUrl);
      if (!(failure instanceof DependencyNotReadyError)) throw failure;
      const waitedMs = clock() - beganAtMs;
      if (waitedMs + pauseMs > waitMsMax) {
        throw new DependencyNotReadyError(`${failure.message} Gave up after ${waitMsMax / 1000} s.`, {
          cause: error,
        });
      }
      if (loggedAtMs === null) {
        waiting.warn(`${failure.message} Waiting up to ${waitMsMax / 1000} s.`);
      } else if (waitedMs - loggedAtMs >= warnEveryMs) {
        waiting.warn(`Still waiting for the database (${Math.round(waitedMs / 1000)} s).`);
      }
      if (loggedAtMs === null || waitedMs - loggedAtMs >= warnEveryMs) loggedAtMs = waitedMs;
      await pause(pauseMs);
    }
  }
}

/** A thread starts with its first task. `taskMsMax` replaces the default time limits of all tasks. */
export function openWorkerPools(taskMsMax?: number) {
  return {
    largeBodyReader: openLargeBodyReader({ waitMsMax: taskMsMax, taskMsMax }),
    reports: openReportReader({ taskMsMax }),
    maps: openSymbolicator({ mapMsMax: taskMsMax, uploadMsMax: taskMsMax }),
  };
}
