// `.env`, read where there is one: by the server and the command line alike, so that both open the same database.
import { resolve } from 'node:path';
import { ConfigError } from './core/config.ts';
import { fileWords } from './setting-files.ts';

/**
 * Reads `.env` of the folder the program was started in into the environment; what is set already stays.
 * @throws {ConfigError} where it is there and cannot be read: what it says would be ignored silently.
 */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new ConfigError(
      `.env is ${resolve('.env')}: ${fileWords(error)}. Make it a file that can be read, or take it away.`,
      { cause: error },
    );
  }
}
