// Entry point of the package (docs/mounting.md).

import type { Notifier } from './app/layers/router.ts';
import { openNotifier } from './app/notifier.ts';
import type { NotifierOptions } from './core/config/options.ts';

export type { FirstKeys, Notifier } from './app/layers/router.ts';
export type { NotifierOptions } from './core/config/options.ts';

/** Opens the database, creating and migrating it if needed. Opens no port and reads no environment. @throws {Error}
 * naming a wrong option, or a database that was not available within 30 seconds. */
export function createNotifier(options: NotifierOptions = {}): Promise<Notifier> {
  return openNotifier(options);
}
