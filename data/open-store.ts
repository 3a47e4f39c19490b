import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../src/core/ports/log.ts';
import type { Meter } from '../src/core/ports/metrics.ts';
import { type ProjectLimits, projectLimits } from '../src/core/store/projects.ts';
import type { Store, StoreLoad, StoreParts, StoreSizes } from '../src/core/store/store.ts';
import { alertStore } from './alerts/alerts.ts';
import { artifactStore } from './artifacts/artifacts.ts';
import { auditStore } from './audit/audit.ts';
import { watchDb } from './counts/health.ts';
import { outcomeStore } from './counts/outcomes.ts';
import { sdkStatisticsStore } from './counts/sdk-statistics.ts';
import { sessionStore } from './counts/sessions.ts';
import { cleanupStore } from './counts/sweep.ts';
import type { Db, Transaction } from './db.ts';
import type { StatementNaming } from './drivers/postgres-connections.ts';
import { openSqlite } from './drivers/sqlite.ts';
import { checkDatabaseFile, copyBeforeMigration } from './drivers/sqlite-file.ts';
import { type WriteQueueLimits, writeQueueLimits } from './drivers/write-queue.ts';
import { createEventBatcher, type EventBatcher, insertEvent } from './events/event-batcher.ts';
import { createInsertContext, type EventLimits } from './events/insert-context.ts';
import { pendingRegroupingStore } from './events/pending-regroupings.ts';
import { mappingStore } from './events/pending-symbolications.ts';
import { eventReads } from './events/reads.ts';
import { feedbackStore } from './feedback/feedback.ts';
import { incidentStore } from './incidents/incidents.ts';
import { bulkActionStore } from './issues/bulk-actions.ts';
import { changeIssue } from './issues/changes.ts';
import { issueDeletionStore } from './issues/deletion.ts';
import { issueImportStore } from './issues/import-issues.ts';
import { searchNameStore } from './issues/listing/search-names.ts';
import { issueListStore } from './issues/listing/store.ts';
import { mergeStore } from './issues/merge-issues.ts';
import { issueReads } from './issues/reads.ts';
import { issueActivityStore } from './issues/recent-counts.ts';
import { issueSplitStore } from './issues/split-hashes.ts';
import { memberStore } from './members/members.ts';
import { personalTokenStore } from './members/personal-tokens.ts';
import { signInStore } from './members/sign-in.ts';
import { teamStore } from './members/teams.ts';
import { migrate, programMigrations } from './migrate.ts';
import { monitorStore } from './monitors/monitors.ts';
import { windowStore } from './monitors/windows.ts';
import { projectDeletionStore } from './projects/deletion.ts';
import { domainStore, domainVerificationStore } from './projects/domains.ts';
import { keyStore } from './projects/keys.ts';
import { projectStore } from './projects/projects.ts';
import { settingStore } from './projects/settings.ts';
import { regroupWrites } from './regroup/applying.ts';
import { regroupReads } from './regroup/reading.ts';
import { deployStore } from './releases/deploys.ts';
import { releaseStore } from './releases/releases.ts';
import { reportFigures } from './reports/figures.ts';
import { reportScheduleStore, savedReportStore } from './reports/saved.ts';
import { retentionStore } from './retention/retention.ts';
import { savedViewStore } from './saved-views/saved-views.ts';
import { statusPageStore } from './status-pages/status-pages.ts';
import { subscriberStore } from './status-pages/subscribers.ts';
import { testRunStore } from './test-runs/record.ts';
import { triageStore } from './triage/triage.ts';
import { userErasureStore } from './users/erasing.ts';
import { userStore } from './users/users.ts';
import { placeCountReads } from './workspace/counts.ts';
import { issueHistory } from './workspace/issue-history.ts';
import { issuePageReads } from './workspace/issue-reads.ts';
import { liveReads } from './workspace/live.ts';
import { overviewReads } from './workspace/overview.ts';
import { searchReads } from './workspace/search.ts';

const sqliteVersion = 'SELECT sqlite_version() AS version';

export interface StoreOptions {
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
  readonly limits?: Partial<EventLimits & ProjectLimits & WriteQueueLimits>;
  readonly meter?: Meter | undefined;
  /** SQLite: opened read-only; see `SqliteOptions` for what follows. */
  readonly isReadOnly?: boolean | undefined;
  readonly isUnsynced?: boolean | undefined;
  readonly fileCheckMs?: number | undefined;
  /** PostgreSQL: connections of the pool. */
  readonly connectionsMax?: number | undefined;
  /** PostgreSQL: how statements are prepared; default `auto`. */
  readonly statements?: StatementNaming | undefined;
  /** PostgreSQL: factor for all timeouts; default 1. */
  readonly timeoutFactor?: number | undefined;
}

/** Writes nothing. @throws {DatabaseFileFault} or an error of PostgreSQL or the network. */
export async function probeDatabase(databaseUrl: string): Promise<void> {
  if (isPostgresUrl(databaseUrl)) return (await postgresDriver()).probePostgres(databaseUrl);
  const path = sqlitePath(databaseUrl);
  if (path !== ':memory:') await checkDatabaseFile(path);
}

/** @throws where the SQLite file does not exist; does not create it. */
export function requireDatabaseFile(databaseUrl: string): void {
  if (isPostgresUrl(databaseUrl)) return;
  const path = sqlitePath(databaseUrl);
  if (path === ':memory:' || existsSync(path)) return;
  throw new Error(
    `There is no database at ${path}, and none was made: a server makes it at its first start. DATABASE_URL says where it is.`,
  );
}

/** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`; applies migrations. @throws {SchemaMismatch} */
export async function openStore(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const db = await openDb(databaseUrl, { ...options, onlyOurs: true });
  try {
    const file = isPostgresUrl(databaseUrl) ? null : sqlitePath(databaseUrl);
    const applied = await migrate(db, options.now(), undefined, (first) =>
      backUpBeforeMigration(file, first, options.log),
    );
    logMigrations(applied, options.log);
    if (options.isReadOnly === true) await db.run('PRAGMA query_only = ON', []);
    return storeOf(db, options);
  } catch (error) {
    await db.close();
    throw error;
  }
}

type PoolOptions = Pick<StoreOptions, 'connectionsMax' | 'statements' | 'timeoutFactor'>;

interface DbOptions
  extends Pick<StoreOptions, 'limits' | 'meter' | 'isUnsynced' | 'fileCheckMs'>,
    PoolOptions {
  readonly log?: Log;
  readonly onlyOurs?: boolean;
}

/** Without migrations. */
export async function openDb(databaseUrl: string, options: DbOptions): Promise<Db> {
  const { limits = {}, meter, isUnsynced, fileCheckMs, log, onlyOurs = false, ...pool } = options;
  if (!isPostgresUrl(databaseUrl)) {
    return openSqlite(sqlitePath(databaseUrl), { limits, onlyOurs, isUnsynced, fileCheckMs, meter });
  }
  const onIdleError = ({ message: error }: Error): void =>
    log?.warn({ error }, 'a database connection broke');
  return (await postgresDriver()).openPostgres(databaseUrl, { limits, onIdleError, meter, ...pool });
}

/** Loaded on demand: most installations use SQLite. */
function postgresDriver() {
  return import('./drivers/postgres.ts');
}

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:/.test(databaseUrl);
}

/** An absolute path, or `:memory:`. */
export function sqlitePath(databaseUrl: string): string {
  const path = /^sqlite:(.+)$/.exec(databaseUrl)?.[1];
  if (path === undefined) throw new Error('DATABASE_URL names no database: sqlite:PATH or postgres://….');
  return path === ':memory:' ? path : resolve(path);
}

function storeOf(opened: Db, options: StoreOptions): Store {
  const { db, health } = watchDb(opened, options.meter);
  const limits = { ...projectLimits, ...options.limits };
  const insertContext = createInsertContext(limits);
  const queueLimits = { ...writeQueueLimits, ...options.limits };
  const eventBatcher = createEventBatcher(db, insertContext, queueLimits, options.meter);
  const facts = {
    health: () => health(options.now()),
    load: () => loadOf(opened, eventBatcher, queueLimits),
    figures: createSizesReader(opened),
  };
  return {
    ...partsOf(db, limits, insertContext),
    ...facts,
    recordEvent: eventBatcher.record,
    transaction: (job) =>
      db.write((tx) => {
        const within: Store = {
          ...partsOf(withinTransaction(db, tx), limits, insertContext),
          ...facts,
          transaction: (inner) => inner(within),
          close: async () => {},
        };
        return job(within);
      }),
    close: async () => {
      await eventBatcher.close();
      await db.close();
    },
  };
}

/** The fuller of the event queue and the write queue. */
function loadOf(db: Db, eventBatcher: EventBatcher, limits: WriteQueueLimits): StoreLoad {
  const queues = [db.waiting?.() ?? { jobs: 0, bytes: 0 }, eventBatcher.waiting()];
  const shares = queues.map(({ jobs, bytes }) =>
    Math.max(jobs / limits.waitingJobsMax, bytes / limits.waitingBytesMax),
  );
  const sum = (of: 'jobs' | 'bytes'): number => queues.reduce((total, queue) => total + queue[of], 0);
  return { waitingItems: sum('jobs'), waitingBytes: sum('bytes'), share: Math.max(...shares) };
}

function partsOf(
  db: Db,
  limits: Partial<EventLimits & WriteQueueLimits> & ProjectLimits,
  insertContext: ReturnType<typeof createInsertContext>,
): StoreParts {
  return {
    ...projectStore(db),
    ...projectDeletionStore(db),
    ...keyStore(db),
    ...domainStore(db),
    ...domainVerificationStore(db),
    ...feedbackStore(db),
    ...settingStore(db),
    ...releaseStore(db, limits),
    ...deployStore(db, limits),
    ...testRunStore(db),
    ...artifactStore(db, limits),
    ...mappingStore(db),
    ...pendingRegroupingStore(db, insertContext.limits),
    ...memberStore(db),
    ...signInStore(db),
    ...personalTokenStore(db),
    ...savedViewStore(db),
    ...teamStore(db),
    ...triageStore(db),
    ...bulkActionStore(db),
    ...auditStore(db),
    ...alertStore(db),
    ...monitorStore(db),
    ...windowStore(db),
    ...incidentStore(db),
    ...reportFigures(db),
    ...savedReportStore(db),
    ...statusPageStore(db),
    ...subscriberStore(db),
    ...reportScheduleStore(db),
    ...issueActivityStore(db),
    ...regroupReads(db),
    ...regroupWrites(db, limits),
    ...issueReads(db),
    ...issueListStore(db),
    ...searchNameStore(db),
    ...issuePageReads(db),
    ...issueHistory(db),
    ...issueImportStore(db),
    ...issueDeletionStore(db),
    ...eventReads(db),
    ...mergeStore(db),
    ...issueSplitStore(db, limits),
    ...outcomeStore(db),
    ...sessionStore(db, limits, insertContext.names),
    ...cleanupStore(db, limits),
    ...retentionStore(db),
    ...sdkStatisticsStore(db),
    ...placeCountReads(db),
    ...liveReads(db),
    ...overviewReads(db),
    ...searchReads(db),
    ...userStore(db),
    ...userErasureStore(db),
    changeIssue: (projectId, issueId, change, action) => changeIssue(db, projectId, issueId, change, action),
    recordEvent: (event) => insertEvent(db, insertContext, event),
  };
}

/** The same queries in a transaction in progress; nested writes join it. */
function withinTransaction(db: Db, tx: Transaction): Db {
  return {
    dbms: db.dbms,
    all: tx.all,
    get: tx.get,
    run: tx.run,
    write: (job) => job(tx),
    close: async () => {},
  };
}

function createSizesReader(db: Db): () => Promise<StoreSizes> {
  let version: Promise<string | null> | null = null;
  return () => {
    version ??= readVersion(db).catch((error: unknown) => {
      version = null;
      throw error;
    });
    return readSizes(db, version);
  };
}

async function readVersion(db: Db): Promise<string | null> {
  if (db.dbms !== 'sqlite') return null;
  return (await db.get<{ version: string }>(sqliteVersion))?.version ?? null;
}

async function readSizes(db: Db, version: Promise<string | null>): Promise<StoreSizes> {
  const [free, files] = await Promise.all([db.freeBytes?.() ?? null, db.fileBytes?.() ?? null]);
  return {
    sqliteVersion: await version,
    freeBytes: free,
    mainBytes: files?.main ?? null,
    walBytes: files?.wal ?? null,
  };
}

/** Copies the file before the first migration of an existing database; `file` is null on PostgreSQL. */
export async function backUpBeforeMigration(file: string | null, migration: string, log: Log): Promise<void> {
  if (file === null) {
    log.warn(
      { migration },
      'this database is brought to a newer schema; a copy of it is yours to make (pg_dump)',
    );
    return;
  }
  if (file === ':memory:') return;
  const { outcome, ...copy } = await copyBeforeMigration(file, migration);
  if (outcome === 'now') {
    log.info(copy, 'copied the database before its schema changes; remove the copy when you like');
  }
  if (outcome === 'no room') {
    log.warn(copy, 'there is no room for a copy of the database before its schema changes');
  }
}

/** For a new database the number is enough. */
function logMigrations(applied: readonly string[], log: Log): void {
  if (applied.length === 0) return;
  if (applied.length < programMigrations().length) log.info({ applied }, 'database migrated');
  else log.info({ migrations: applied.length }, 'database created');
}
