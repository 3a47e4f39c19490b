import { basename } from 'node:path';

const isBuilt = import.meta.filename.endsWith('.js');
/** Started by `npx notifierd`, there need be no `notifier` on the PATH. */
const isDaemon = basename(process.argv[1] ?? '').startsWith('notifierd');

/** What stands before a command of ours in a text that is to be copied. */
export const commandName = isBuilt ? (isDaemon ? 'npx notifierd' : 'notifier') : 'npm run notifier --';

export const startCommand = isBuilt ? 'npx notifierd' : 'npm ci\nnpm start';
