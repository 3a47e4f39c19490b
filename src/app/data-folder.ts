// Where an installed program keeps its data: never in the folder that it happens to be started in.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Env } from '../core/config/parse-values.ts';

/** A clone keeps its data in data/local, as `npm start` always did. */
export const isInstalled = import.meta.filename.endsWith('.js');

/** Settings with NOTIFIER_DATA, unless it is set or the program runs in a clone. */
export function withDataFolder(env: Env, system: Env = env): Env {
  if (!isInstalled || isSaid(env['NOTIFIER_DATA'])) return env;
  return { ...env, NOTIFIER_DATA: dataFolder(system, process.platform, homedir()) };
}

/** The platform's folder for data of this user. The XDG specification ignores relative paths, and so do we. */
export function dataFolder(env: Env, platform: NodeJS.Platform, home: string): string {
  const xdg = env['XDG_DATA_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'notifier');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'notifier');
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? '';
    return join(isSaid(local) ? local : join(home, 'AppData', 'Local'), 'notifier');
  }
  return join(home, '.local', 'share', 'notifier');
}

function isSaid(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}
