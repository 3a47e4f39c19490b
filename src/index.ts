// Entry point of the package (docs/mounting.md).
import type { NotifierOptions } from './core/config/options.ts';
import type { Notifier } from './program/layers/mounting.ts';
import { openNotifier } from './program/notifier.ts';

export type { NotifierOptions } from './core/config/options.ts';
export type { FirstKeys, Notifier } from './program/layers/mounting.ts';

/**
 * Opens the database, creating and migrating it if needed. Opens no port and reads no environment.
 * @throws {Error} naming a wrong option, or a database that was not available within 30 seconds.
 */
export function createNotifier(options: NotifierOptions = {}): Promise<Notifier> {
  return openNotifier(options);
}
