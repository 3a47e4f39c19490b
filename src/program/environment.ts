// The one place that reads the environment of the process, with the `.env` file beneath it: the server, the
// command line and the scripts ask here, so that all of them open the same database. What is read means
// nothing yet: core/config makes settings of it.
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../core/config/start-errors.ts';
import type { Env } from '../core/config/values.ts';
import { readSettingFile } from './setting-files.ts';

/**
 * The environment, and what `.env` of the folder the program was started in says beside it: what is set
 * already stays. It is set for the whole process, since the driver of PostgreSQL has variables of its own
 * (`PGPASSWORD`).
 * @throws {ConfigError} where `.env` is there and cannot be read: what it says would be ignored silently.
 */
export function readEnvironment(): Env {
  for (const [name, value] of Object.entries(parseEnv(dotEnv()))) process.env[name] ??= value;
  return process.env;
}

/** Whether npm started this process, which passes signals on in its own way. */
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
