// The only reader of process.env and `.env`, for server, command line and scripts.

import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Env } from '../core/config/parse-values.ts';
import { ConfigError } from '../core/config/start-errors.ts';

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

// Where an installed program keeps its data: never in the folder that it happens to be started in.

/** A clone keeps its data in data/local, as `npm start` always did. */
const isInstalled = import.meta.filename.endsWith('.js');

/** Settings with NOTIFIER_DATA, unless it is set or the program runs in a clone. */
export function withDataFolder(env: Env, system: Env = env): Env {
  if (!isInstalled || isSet(env['NOTIFIER_DATA'])) return env;
  return { ...env, NOTIFIER_DATA: dataFolder(system, process.platform, homedir()) };
}

/** The platform's folder for data of this user. The XDG specification ignores relative paths, and so do we. */
export function dataFolder(env: Env, platform: NodeJS.Platform, home: string): string {
  const xdg = env['XDG_DATA_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'notifier');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'notifier');
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? '';
    return join(isSet(local) ? local : join(home, 'AppData', 'Local'), 'notifier');
  }
  return join(home, '.local', 'share', 'notifier');
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

const fileBytesMax = 4 * 1_048_576;

/** Reads a file, pipe or shell `<(…)`. Throws an Error with a readable reason. */
export function readSettingFile(path: string): string {
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new Error('it is a folder, not a file');
    if (!found.isFile() && !found.isFIFO()) throw new Error('it is not a regular file');
    return readBounded(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(plainWords[code] ?? `it cannot be read (${code})`, { cause: error });
  }
}

const plainWords: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this user is not allowed to read it',
  EPERM: 'this user is not allowed to read it',
  ELOOP: 'it is a symbolic link to itself',
  ENAMETOOLONG: 'its path is too long',
};

function readBounded(path: string): string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const open = openSync(path, 'r');
  try {
    for (;;) {
      const part = Buffer.alloc(65_536);
      const read = readSync(open, part);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      bytes += read;
      if (bytes > fileBytesMax) throw new Error(`it is longer than ${fileBytesMax} bytes`);
      chunks.push(part.subarray(0, read));
    }
  } finally {
    closeSync(open);
  }
}
