// What other programs import: `import { createNotifier } from 'notifier'` (docs/mounting.md).
import type { NotifierOptions } from './core/config/options.ts';
import type { Notifier } from './program/layers/mounting.ts';
import { openNotifier } from './program/notifier.ts';

export type { NotifierOptions } from './core/config/options.ts';
export type { FirstKeys, Notifier } from './program/layers/mounting.ts';

/**
 * Opens a notifier on its database, which is made and migrated where need be. Nothing is listened to and no
 * environment is read.
 * @throws {Error} with one sentence that names the option that is wrong, or the database that did not answer
 * within 30 seconds; nothing stays open then.
 */
export function createNotifier(options: NotifierOptions = {}): Promise<Notifier> {
  return openNotifier(options);
}
