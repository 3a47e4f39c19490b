// Puts together what the rules are handed: configuration, store, clock, randomness, log, workers and the guarded way out.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openStore } from '../data/open-store.ts';
import { type Config, ConfigError, loadConfig } from './core/config.ts';
import type { Deps, Log } from './core/deps.ts';
import { DialectError, parseDialect } from './core/dialect.ts';
import type { DomainProber } from './core/domain-prober.ts';
import { createOutcomeCounter } from './core/outcome-counter.ts';
import { openSymbolication } from './core/symbolication.ts';
import { openHeavyReader } from './http/heavy/open-heavy-reader.ts';
import { createProber } from './outbound/prober.ts';
import { createResolver } from './outbound/resolver.ts';
import { openSymbolicator } from './symbolication/symbolicator.ts';
import { programVersion } from './version.ts';

export interface OpenedDeps {
  readonly deps: Deps;
  readonly config: Config;
  /** Ends the workers, then the store. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log: Log | ((config: Config) => Log);
  /** Milliseconds since 1970; the system's clock unless a test hands one in. */
  readonly now?: () => number;
  readonly prober?: DomainProber;
}

type Env = Readonly<Record<string, string | undefined>>;

const userHashSetting = 'user_hash_key';
const userHashBytes = 32;

/**
 * Reads the configuration and opens the store, migrated. Throws ConfigError (exit 78) for a wrong setting, SchemaMismatch
 * for a database of a newer program, and what the database says otherwise.
 */
export async function openDeps(env: Env, options: OpenOptions): Promise<OpenedDeps> {
  const readText = (path: string): string => readFileSync(path, 'utf8');
  const config = loadConfig(env, readText);
  const dialect = config.dialectPath === null ? undefined : readDialect(config.dialectPath, readText);
  const log = typeof options.log === 'function' ? options.log(config) : options.log;
  const now = options.now ?? (() => Date.now());
  const store = await openStore(config.databaseUrl, { now, log });
  const heavy = openHeavyReader();
  const symbolication = openSymbolication({ store, workers: openSymbolicator(), now, log, heavy });
  // One secret of the installation, made once: whoever comes first decides, in the database.
  const drawn = randomBytes(userHashBytes).toString('hex');
  const userHashKey = Buffer.from(
    await store.setSetting(userHashSetting, drawn, { onlyIfAbsent: true }),
    'hex',
  );
  const outcomes = createOutcomeCounter({ store, log });
  const deps: Deps = {
    config,
    store,
    now,
    randomBytes: (count) => randomBytes(count),
    log,
    prober: options.prober ?? openProber(config),
    symbolication,
    symbolicate: symbolication.symbolicate,
    userHashKey,
    heavy,
    outcomes,
    ...(dialect === undefined ? {} : { dialect }),
  };
  return {
    config,
    deps,
    async close() {
      await outcomes.close();
      await symbolication.close();
      await heavy.close();
      await store.close();
    },
  };
}

function openProber(config: Config): DomainProber {
  const allowPrivate = config.fetchAllowPrivate;
  const resolver = createResolver({ servers: config.dnsServers, allowPrivate });
  // Whoever finds us in a log can see whom to ask.
  const contact = config.baseUrl === null ? '' : `; +${config.baseUrl}`;
  const userAgent = `Notifier/${programVersion()} (domain check${contact})`;
  return createProber({ resolver, allowPrivate, userAgent });
}

/** The dialect file; ConfigError where it cannot be read or overrides what the specification fixes. */
function readDialect(path: string, readText: (path: string) => string): NonNullable<Deps['dialect']> {
  try {
    return parseDialect(readText(path));
  } catch (error) {
    const rule = error instanceof DialectError ? ` (${error.rule})` : '';
    throw new ConfigError(`NOTIFIER_DIALECT${rule}: ${error instanceof Error ? error.message : error}`);
  }
}
