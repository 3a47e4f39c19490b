// Opens the dependencies of services: configuration, store, log, workers, HTTP clients.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectFile, lookAtDatabase, openStore, type StoreOptions } from '../../data/open-store.ts';
import { type Config, ConfigError, loadConfig } from '../core/config/config.ts';
import { NotReadyYet } from '../core/config/start-errors.ts';
import { printable } from '../core/config/values.ts';
import type { Deps } from '../core/deps.ts';
import { measuredProber } from '../core/domains/measured-prober.ts';
import { localEventFeed } from '../core/events/feed.ts';
import { createOutcomeCounter } from '../core/outcomes/counter.ts';
import { measuredOutcomes } from '../core/outcomes/measured.ts';
import type { Checker } from '../core/ports/checker.ts';
import type { LimitStoreOfServers } from '../core/ports/limit-store.ts';
import type { Log } from '../core/ports/log.ts';
import type { Meter } from '../core/ports/measures.ts';
import type { Messenger } from '../core/ports/messenger.ts';
import type { DomainProber } from '../core/ports/prober.ts';
import { openEventMapping } from '../core/source-maps/mapping.ts';
import type { Store } from '../core/store/store.ts';
import { DialectError, parseDialect } from '../dialect/words.ts';
import { memoryLimitStore } from '../http/limits/limit-store.ts';
import { allowedOf } from '../outbound/allowed.ts';
import { createChecker } from '../outbound/checker.ts';
import { createMessenger } from '../outbound/messenger.ts';
import { createProber } from '../outbound/prober.ts';
import { createResolver } from '../outbound/resolver.ts';
import { databaseFailure } from './database-failure.ts';
import { withinDisk } from './disk/quota.ts';
import { openReaders, type Readers } from './readers.ts';
import { readSettingFile } from './setting-files.ts';
import { createTally } from './sight/tally.ts';
import { programVersion } from './version.ts';

interface Waiting {
  /** Called at once and every five seconds while waiting. */
  tell(line: string): void;
  readonly clock?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const waitMsMax = 30_000;
const tellEveryMs = 5_000;
const pauseMs = 500;

export interface OpenedDeps {
  readonly deps: Deps;
  readonly config: Config;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log: Log | ((config: Config) => Log);
  readonly now?: () => number;
  readonly prober?: DomainProber;
  readonly messenger?: Messenger;
  readonly readers?: Readers;
  /** Time limit for symbolication before an event is stored. */
  readonly eventMappingMs?: number | undefined;
  readonly tell?: (line: string) => void;
  /** False refuses to create a missing SQLite file. */
  readonly makesFile?: boolean;
  readonly isUnsynced?: boolean | undefined;
  /** Whether requests are served, with rate limits shared through Redis. */
  readonly serves?: boolean;
}

export interface Setup {
  readonly config: Config;
  readonly dialect: Deps['dialect'];
}

type Env = Readonly<Record<string, string | undefined>>;

const userHashSetting = 'user_hash_key';
const userHashBytes = 32;

/** Opens and migrates the store. @throws {ConfigError} (exit 78), {NotReadyYet} (75) */
export async function openDeps(env: Env, options: OpenOptions): Promise<OpenedDeps> {
  const setup = readSetup(env);
  await awaitDatabase(setup, options);
  if (options.makesFile === false) expectFile(setup.config.databaseUrl);
  return openSetup(setup, options);
}

/** Reads the configuration with its files. @throws {ConfigError} */
export function readSetup(env: Env): Setup {
  const config = withinDisk(loadConfig(env, readSettingFile), env);
  return { config, dialect: config.dialectPath === null ? undefined : readDialect(config.dialectPath) };
}

/** Waits for the database without changing it. Throws as `openDeps` does. */
export function awaitDatabase(
  { config }: Setup,
  { tell = unheard }: Pick<OpenOptions, 'tell'>,
): Promise<void> {
  const { databaseUrl } = config;
  return whenDatabaseAnswers(() => lookAtDatabase(databaseUrl), databaseUrl, { tell });
}

/** Like `openDeps`, for a configuration that was read already. */
export async function openSetup({ config, dialect }: Setup, options: OpenOptions): Promise<OpenedDeps> {
  const log = typeof options.log === 'function' ? options.log(config) : options.log;
  const now = options.now ?? (() => Date.now());
  const { databaseUrl } = config;
  const measures = createTally();
  const ways = {
    now,
    log,
    meter: measures,
    ...storeOptions(config),
    isUnsynced: options.isUnsynced,
  };
  const { store, userHashKey } = await whenDatabaseAnswers(
    () => openInstallation(databaseUrl, ways),
    databaseUrl,
    { tell: options.tell ?? unheard },
  );
  const { heavy, reports, maps: workers } = options.readers ?? openReaders();
  const budgetMs = options.eventMappingMs;
  const eventMapping = openEventMapping({ store, workers, now, log, heavy, budgetMs });
  const outcomes = measuredOutcomes(createOutcomeCounter({ store, log }), measures);
  const feed = localEventFeed();
  const limitStore = await openLimits({ ...ways, config, userHashKey }, options);
  const deps: Deps = {
    config,
    store,
    now,
    randomBytes: (count) => randomBytes(count),
    log,
    ...waysOut(config, options, measures),
    eventMapping,
    mapEvent: eventMapping.mapEvent,
    userHashKey,
    heavy,
    reports,
    outcomes,
    measures,
    feed,
    dialect,
    ...(limitStore === null ? {} : { limitStore }),
  };
  return {
    config,
    deps,
    async close() {
      await limitStore?.close();
      await outcomes.close();
      await eventMapping.close();
      await heavy.close();
      await reports.close();
      await store.close();
    },
  };
}

function unheard(): void {}

/** Without rate limits there is no limit of new issues either. */
function storeOptions({
  rateLimits,
  databasePoolMax: connectionsMax,
  databaseStatements: statements,
}: Config): Pick<StoreOptions, 'statements' | 'connectionsMax' | 'limits'> {
  if (rateLimits.enabled) return { statements, connectionsMax };
  return { statements, connectionsMax, limits: { newIssuesPerHourMax: Number.POSITIVE_INFINITY } };
}

interface Installation {
  readonly store: Store;
  readonly userHashKey: Buffer;
}

/** The store and the installation's secret. The database decides which of several first starts sets it. */
async function openInstallation(databaseUrl: string, options: StoreOptions): Promise<Installation> {
  let store: Store | null = null;
  try {
    store = await openStore(databaseUrl, options);
    const drawn = randomBytes(userHashBytes).toString('hex');
    const kept = await store.setSetting(userHashSetting, drawn, { onlyIfAbsent: true });
    return { store, userHashKey: Buffer.from(kept, 'hex') };
  } catch (error) {
    await store?.close();
    throw error;
  }
}

function openProber(config: Config): DomainProber {
  const allowPrivate = config.fetchAllowPrivate;
  const resolver = createResolver({ servers: config.dnsServers, allowPrivate });
  // The User-Agent tells site owners whom to contact.
  const contact = config.baseUrl === null ? '' : `; +${config.baseUrl}`;
  const userAgent = `Notifier/${programVersion()} (domain check${contact})`;
  return createProber({ resolver, allowPrivate, userAgent });
}

function waysOut(
  config: Config,
  { prober = openProber(config), messenger }: Pick<OpenOptions, 'prober' | 'messenger'>,
  measures: Meter,
): Pick<Deps, 'prober' | 'messenger' | 'checker' | 'reach'> {
  const way = wayOut(config);
  return {
    reach: way.allowed,
    prober: measuredProber(prober, measures),
    messenger: messenger ?? openMessenger(config, way),
    checker: openChecker(config, way),
  };
}

/** DNS and address rules, the same for notifications and monitors. */
function wayOut({ dnsServers, fetchAllow }: Config) {
  const { addresses: resolve, records } = createResolver({
    servers: dnsServers,
    allowPrivate: fetchAllow.length > 0,
  });
  return { resolve, records, allowed: allowedOf(fetchAllow) };
}

function openMessenger(config: Config, way: ReturnType<typeof wayOut>): Messenger {
  const { smtpUrl, smtpFrom } = config;
  const userAgent = `Notifier/${programVersion()} (alerts)`;
  return createMessenger({ ...way, userAgent, smtpUrl, smtpFrom });
}

function openChecker({ baseUrl }: Config, way: ReturnType<typeof wayOut>): Checker {
  const contact = baseUrl === null ? '' : `; +${baseUrl}`;
  return createChecker({ ...way, userAgent: `Notifier/${programVersion()} (monitor${contact})` });
}

/** @throws {ConfigError} if the file is unreadable or overrides what the specification fixes. */
function readDialect(path: string): NonNullable<Deps['dialect']> {
  try {
    return parseDialect(readSettingFile(path));
  } catch (error) {
    const rule = error instanceof DialectError ? ` (${error.rule})` : '';
    const said = printable(error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    throw new ConfigError(
      `NOTIFIER_DIALECT${rule}: ${said}. The file is "${printable(path)}": correct it, or remove the setting.`,
      { cause: error },
    );
  }
}

interface LimitParts {
  readonly config: Config;
  readonly userHashKey: Uint8Array;
  readonly log: Log;
  readonly now: () => number;
  readonly meter: Meter;
}

interface LimitOptions {
  readonly serves?: boolean;
}

/** Null without REDIS_URL or rate limits: the client is not loaded then. */
export async function openLimits(
  { config, userHashKey: secret, log, now, meter }: LimitParts,
  { serves = false }: LimitOptions,
): Promise<(LimitStoreOfServers & { close(): Promise<void> }) | null> {
  const { redisUrl: url } = config;
  if (!serves || url === null || !config.rateLimits.enabled) return null;
  const { redisLimitStore } = await import('../redis/redis-limit-store.ts');
  return redisLimitStore({
    url,
    secret,
    // In containers, host names and process ids may be equal.
    server: `${hostname()} ${process.pid} ${randomBytes(8).toString('hex')}`,
    local: memoryLimitStore(now),
    failed: () => meter.count('limitStoreErrors', []),
    changed(isUp, why) {
      if (isUp) log.info({}, 'rate limits are counted in Redis');
      else log.warn({ error: why }, 'rate limits are counted by this server only, without Redis');
    },
  });
}

/** Retries for 30 s. @throws {ConfigError} where waiting cannot help, {NotReadyYet} after that time. */
export async function whenDatabaseAnswers<T>(
  attempt: () => Promise<T>,
  databaseUrl: string,
  waiting: Waiting,
): Promise<T> {
  const clock = waiting.clock ?? (() => performance.now());
  const pause = waiting.sleep ?? sleep;
  const beganAtMs = clock();
  let toldAtMs: number | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const failure = databaseFailure(error, databaseUrl);
      if (!(failure instanceof NotReadyYet)) throw failure;
      const waitedMs = clock() - beganAtMs;
      if (waitedMs + pauseMs > waitMsMax) {
        throw new NotReadyYet(`${failure.message} Gave up after ${waitMsMax / 1000} s.`, {
          cause: error,
        });
      }
      if (toldAtMs === null) {
        waiting.tell(`${failure.message} Waiting up to ${waitMsMax / 1000} s.`);
      } else if (waitedMs - toldAtMs >= tellEveryMs) {
        waiting.tell(`Still waiting for the database (${Math.round(waitedMs / 1000)} s).`);
      }
      if (toldAtMs === null || waitedMs - toldAtMs >= tellEveryMs) toldAtMs = waitedMs;
      await pause(pauseMs);
    }
  }
}
