// The only reader of process.env and `.env`, for server, command line and scripts.
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Env } from '../core/config/parse-values.ts';
import { ConfigError } from '../core/config/start-errors.ts';
import { isInstalled, withDataFolder } from './data-folder.ts';
import { readSettingFile } from './setting-files.ts';

/** Merges `.env` into process.env, which takes precedence; pg reads `PGPASSWORD` there. In a clone it is that of the
 * working directory, else of the data folder: an application's own is not ours. @throws {ConfigError} if unreadable. */
export function readEnvironment(): Env {
  Object.assign(process.env, withDataFolder(process.env));
  const folder = isInstalled ? (process.env['NOTIFIER_DATA'] ?? '') : '';
  for (const [name, value] of Object.entries(parseEnv(dotEnv(join(folder, '.env')))))
    process.env[name] ??= value;
  return process.env;
}

/** Settings of an embedding program, with a data folder. */
export function withUserDataFolder(env: Env): Env {
  return withDataFolder(env, process.env);
}

/** Whether npm started this process and forwards signals to it. */
export function isUnderNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}

function dotEnv(path: string): string {
  try {
    return readSettingFile(path);
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return '';
    const words = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`.env is ${resolve(path)}: ${words}. Make it readable, or remove it.`, {
      cause: error,
    });
  }
}
