// The only reader of process.env and `.env`, for server, command line and scripts.
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Env } from '../core/config/parse-values.ts';
import { ConfigError } from '../core/config/start-errors.ts';
import { readSettingFile } from './setting-files.ts';

/** Merges `.env` of the working directory into process.env, which takes precedence. pg reads variables of its own
 * there (`PGPASSWORD`). @throws {ConfigError} where `.env` cannot be read. */
export function readEnvironment(): Env {
  for (const [name, value] of Object.entries(parseEnv(dotEnv()))) process.env[name] ??= value;
  return process.env;
}

/** Whether npm started this process and forwards signals to it. */
export function isUnderNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined;
}

function dotEnv(): string {
  try {
    return readSettingFile('.env');
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return '';
    const words = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`.env is ${resolve('.env')}: ${words}. Make it readable, or remove it.`, {
      cause: error,
    });
  }
}
