// The demo's SQLite database, beside the operator's: built in a worker thread on the first visit, named by a
// hash of its inputs, rebuilt daily. One process of those that share the folder builds it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rename, rm, statfs, utimes } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programMigrations } from '../../../data/migrate.ts';
import { isPostgresUrl, openStore, sqlitePath } from '../../../data/open-store.ts';
import type { Deps } from '../../core/deps.ts';
import { PageError } from '../../core/page-models/request-context.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import type { Store } from '../../core/store/store.ts';
import { startWorker } from '../../workers/start-worker.ts';

/** `nowMs` is the demo's current time. */
export interface CurrentDemo {
  readonly store: Store;
  readonly nowMs: number;
}

export type DemoDatabase = ReturnType<typeof openDemoDatabase>;

export interface DemoBuildTask {
  readonly file: string;
  readonly nowMs: number;
}

type DemoDeps = Pick<Deps, 'config' | 'now' | 'log'> & {
  readonly version: string;
  readonly lockCheckMs?: number;
};

/** The builder refreshes its lock; an older one belongs to a process that died. */
const lockStaleMs = minuteMs;
const lockEveryMs = 5_000;
/** Delay before a failed build is tried again. */
const retryAfterMs = minuteMs;
/** Free space that a build needs, in addition to DISK_RESERVE_MB. */
const freeBytes = 64 * 1024 * 1024;
/** Running requests may still use the previous database for this long. */
const closeMs = 30_000;
/** Times are rounded down to this, so that servers started together build the same demo. */
const stepMs = 5 * minuteMs;

const building = () =>
  new PageError(503, 'The demo is being built', 'It takes a few seconds; this page reloads automatically.');

/** Opens or builds nothing before the first use. */
export function openDemoDatabase(deps: DemoDeps, folder = folderOf(deps.config.databaseUrl)) {
  let current: CurrentDemo | null = null;
  let build: Promise<CurrentDemo> | null = null;
  let failed: { readonly atMs: number; readonly refusal: PageError } | null = null;
  const closing = new Set<Promise<void>>();
  const ended = new AbortController();
  async function make(): Promise<CurrentDemo> {
    const next = await makeIn(folder, deps, ended.signal);
    const previous = current;
    current = next;
    failed = null;
    if (previous !== null) closing.add(closeAfterDelay(previous.store, ended.signal));
    return next;
  }
  function begin(): Promise<CurrentDemo> {
    build ??= make()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `The demo could not be built: ${reason.replace(/\.$/, '')}.`;
        deps.log.warn({ error: reason }, 'the demo could not be built');
        const refusal = new PageError(503, 'The demo could not be built', message);
        failed = { atMs: performance.now(), refusal };
        throw refusal;
      })
      .finally(() => {
        build = null;
      });
    return build;
  }
  const isOld = ({ nowMs }: CurrentDemo): boolean => deps.now() - nowMs >= dayMs;
  const mayTry = (): boolean => failed === null || performance.now() - failed.atMs >= retryAfterMs;
  return {
    /** Starts the build if needed. @throws {PageError} 503 until the demo is ready. */
    now() {
      if (!ended.signal.aborted && (current === null || isOld(current)) && mayTry()) begin().catch(() => {});
      if (current !== null) return current;
      throw failed?.refusal ?? building();
    },
    ready: async () => current ?? begin(),
    async close() {
      ended.abort();
      await build?.catch(() => {});
      await Promise.all(closing);
      await current?.store.close();
    },
  };
}

async function closeAfterDelay(store: Store, ended: AbortSignal): Promise<void> {
  await pause(closeMs, ended);
  await store.close();
}

/** Ends early with the signal. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {});
}

/** Beside a SQLite file, else in a temporary folder of this user. */
function folderOf(databaseUrl: string): string {
  const file = isPostgresUrl(databaseUrl) ? ':memory:' : sqlitePath(databaseUrl);
  const folder = file === ':memory:' ? join(tmpdir(), `notifier-${userInfo().username}`) : dirname(file);
  return join(folder, 'demo');
}

async function makeIn(folder: string, deps: DemoDeps, ended: AbortSignal): Promise<CurrentDemo> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(folder).uid !== userInfo().uid && userInfo().uid !== -1) {
    throw new Error(`${folder} belongs to another user`);
  }
  const version = hashOf(deps.version);
  const atMs = deps.now() - (deps.now() % stepMs);
  for (;;) {
    const found = newestOf(folder, version, deps.now());
    if (found !== null) return openFile(folder, found, deps);
    if (ended.aborted) throw new Error('the server is stopping');
    const lock = join(folder, `${version}.lock`);
    if (isLockTaken(lock)) await pause(deps.lockCheckMs ?? 500, ended);
    else await build(folder, { version, atMs, lock }, deps, ended);
  }
}

/** Takes the lock, unless another process builds. */
function isLockTaken(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.mtimeMs > lockStaleMs) {
    rmSync(lock, { recursive: true, force: true });
  }
  try {
    mkdirSync(lock);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return true;
    throw error;
  }
}

interface Building {
  readonly version: string;
  readonly atMs: number;
  readonly lock: string;
}

async function build(
  folder: string,
  { version, atMs, lock }: Building,
  { config, log }: DemoDeps,
  ended: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  const file = join(lock, 'demo.db');
  const alive = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), lockEveryMs);
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < freeBytes + config.overload.diskReserveBytes) throw new Error('the disk is full');
    await runThread({ file, nowMs: atMs }, ended);
    await rename(file, join(folder, nameOf(version, atMs)));
    for (const existing of filesOf(folder)) {
      if (existing.version !== version || existing.atMs < atMs) removeFile(join(folder, existing.name));
    }
    log.info({ ms: Math.round(performance.now() - startedMs) }, 'the demo was built');
  } finally {
    clearInterval(alive);
    await rm(lock, { recursive: true, force: true });
  }
}

/** About what is allocated between two garbage collections; freed when the worker ends. */
const heap = { maxYoungGenerationSizeMb: 48 };

async function runThread(workerData: DemoBuildTask, ended: AbortSignal): Promise<void> {
  const thread = startWorker(import.meta.url, heap, workerData, '../demo');
  const stop = () => void thread.terminate();
  ended.addEventListener('abort', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      thread.on('error', reject);
      thread.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error('the worker exited before it was done')),
      );
    });
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

async function openFile(folder: string, { name, atMs }: Found, { log }: DemoDeps): Promise<CurrentDemo> {
  const url = `sqlite:${join(folder, name)}`;
  const store = await openStore(url, { now: () => atMs, log, isUnsynced: true, isReadOnly: true });
  return { store, nowMs: atMs };
}

interface Found {
  readonly name: string;
  readonly version: string;
  readonly atMs: number;
}

function nameOf(version: string, atMs: number): string {
  return `${version}-${atMs}.db`;
}

function filesOf(folder: string): Found[] {
  return readdirSync(folder).flatMap((name) => {
    const [, version, at] = /^([0-9a-f]{16})-(\d{1,16})\.db$/.exec(name) ?? [];
    return version === undefined ? [] : [{ name, version, atMs: Number(at) }];
  });
}

function newestOf(folder: string, version: string, nowMs: number): Found | null {
  const fitting = filesOf(folder)
    .filter((each) => each.version === version && each.atMs <= nowMs && nowMs - each.atMs < dayMs)
    .sort((one, other) => other.atMs - one.atMs);
  return fitting[0] ?? null;
}

/** Processes that have the file open can still read it. */
function removeFile(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

let known: string | null = null;

function hashOf(programVersion: string): string {
  if (known !== null) return known;
  const sum = createHash('sha256').update(programVersion);
  for (const { id, sql } of programMigrations()) sum.update(`${id}\0${sql}\0`);
  const scenario = join(import.meta.dirname, '..', '..', 'demo');
  const files = readdirSync(scenario, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  for (const name of files.sort()) sum.update(name).update(readFileSync(join(scenario, name)));
  known = sum.digest('hex').slice(0, 16);
  return known;
}
