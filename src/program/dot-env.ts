// `.env`, read where there is one: by the server and the command line alike, so that both open the same database.
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from '../core/config/config.ts';
import { readSettingFile } from './setting-files.ts';

/**
 * Reads `.env` of the folder the program was started in into the environment; what is set already stays.
 * @throws {ConfigError} where it is there and cannot be read: what it says would be ignored silently.
 */
export function loadDotEnv(): void {
  let text: string;
  try {
    text = readSettingFile('.env');
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return;
    const words = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `.env is ${resolve('.env')}: ${words}. Make it a file that can be read, or take it away.`,
      { cause: error },
    );
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}
