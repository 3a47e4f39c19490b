import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPostgres, sqlitePath } from '../../../data/open-store.ts';
import type { Config } from '../../core/config/config.ts';
import { type Env, text } from '../../core/config/values.ts';

/** Limits the default of RETENTION_BYTES_PER_PROJECT to a quarter of the SQLite file's disk. */
export function withinDisk(config: Config, env: Env, diskBytes = sizeOfDisk): Config {
  const { databaseUrl, retention } = config;
  if (text(env, 'RETENTION_BYTES_PER_PROJECT') !== undefined || isPostgres(databaseUrl)) return config;
  const file = sqlitePath(databaseUrl);
  const disk = file === ':memory:' ? null : diskBytes(file);
  if (disk === null) return config;
  return { ...config, retention: { ...retention, bytes: Math.min(retention.bytes, Math.floor(disk / 4)) } };
}

function sizeOfDisk(file: string): number | null {
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    const { blocks, bsize } = statfsSync(folder);
    return blocks * bsize;
  } catch {
    return null;
  }
}
