// How many bytes a project may send before it exceeds its quota. At half of it, ingestion requests a run.
import type { Deps } from '../deps.ts';
import { projectBytesSetting, retentionRequestedSetting } from '../store/setting-names.ts';

/** Share by which the quota may be exceeded until retention has caught up. */
const overrunShare = 1 / 16;
/** The count is a 32-bit value in memory shared by threads. */
const quotaLeftBytesMax = 4_000_000_000;
const cacheMs = 5_000;

export interface QuotaLeft {
  /** Time of the run; counting starts again after each. */
  readonly roundMs: number;
  readonly bytes: number;
}

export interface ProjectQuotas {
  /** Null without an enforced quota. */
  of(projectId: number): Promise<QuotaLeft | null> | QuotaLeft | null;
  /** Requests a retention run, once after each. */
  requestJobRun(): void;
}

interface StoredBytes {
  readonly roundMs: number;
  readonly projects: Readonly<Record<string, number>>;
}

export function serializeStoredBytes(storedBytes: StoredBytes | null): string {
  return storedBytes === null ? '' : JSON.stringify(storedBytes);
}

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'config' | 'log'>;

export function createProjectQuotas({ store, now, config, log }: ServiceDeps): ProjectQuotas | null {
  const quota = config.retention.bytes;
  if (quota === 0) return null;
  const spare = Math.ceil(quota * overrunShare);
  let storedBytes: StoredBytes | null = null;
  let readMs: number | null = null;
  let reading: Promise<void> | null = null;
  let askedMs: number | null = null;
  async function read(): Promise<void> {
    try {
      storedBytes = parseStoredBytes(await store.findSetting(projectBytesSetting));
    } catch (error) {
      log.warn({ error: String(error) }, 'the storage used by projects could not be read');
    }
    reading = null;
  }
  const quotaLeftOf = (projectId: number): QuotaLeft | null => {
    if (storedBytes === null) return null;
    const remaining = Math.max(0, quota - (storedBytes.projects[projectId] ?? 0)) + spare;
    return { roundMs: storedBytes.roundMs, bytes: Math.min(quotaLeftBytesMax, Math.max(1, remaining)) };
  };
  return {
    of(projectId) {
      const nowMs = now();
      const isFirst = readMs === null;
      if (readMs === null || Math.abs(nowMs - readMs) >= cacheMs) {
        readMs = nowMs;
        reading ??= read();
      }
      return isFirst && reading !== null
        ? reading.then(() => quotaLeftOf(projectId))
        : quotaLeftOf(projectId);
    },
    requestJobRun() {
      if (storedBytes === null || askedMs === storedBytes.roundMs) return;
      askedMs = storedBytes.roundMs;
      store.setSetting(retentionRequestedSetting, String(askedMs)).catch(() => {
        askedMs = null;
      });
    },
  };
}

export async function isRunRequested(store: Pick<Deps['store'], 'findSetting'>): Promise<boolean> {
  const requested = await store.findSetting(retentionRequestedSetting);
  if (requested === null) return false;
  return parseStoredBytes(await store.findSetting(projectBytesSetting))?.roundMs === Number(requested);
}

function parseStoredBytes(text: string | null): StoredBytes | null {
  if (text === null || text === '') return null;
  try {
    const storedBytes = JSON.parse(text) as StoredBytes | null;
    return typeof storedBytes?.roundMs === 'number' && typeof storedBytes.projects === 'object'
      ? storedBytes
      : null;
  } catch {
    return null;
  }
}
