import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPostgresUrl, sqlitePath } from '../../../data/open-store.ts';
import type { Config } from '../../core/config/config.ts';
import { type Env, readTextSetting } from '../../core/config/parse-values.ts';

/** Limits the default of RETENTION_BYTES_PER_PROJECT to a quarter of the SQLite file's disk. */
export function limitQuotaToDisk(config: Config, env: Env, diskBytes = sizeOfDisk): Config {
  const { databaseUrl, retention } = config;
  if (readTextSetting(env, 'RETENTION_BYTES_PER_PROJECT') !== undefined || isPostgresUrl(databaseUrl))
    return config;
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
