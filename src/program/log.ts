// The log: one JSON object a line on stderr. Keys, cookies and bodies never get in, and what else is said is scrubbed.
import { destination, pino } from 'pino';
import type { LogLevel } from '../core/config/config.ts';
import type { Log } from '../core/ports/log.ts';
import { scrubLogged } from '../core/scrub/logged.ts';

/** A logger at `level`. pino, because it escapes control characters and is the most used structured logger there is. */
export function createLog(level: LogLevel): Log {
  const redact = ['authorization', 'cookie', '*.authorization', '*.cookie', '*["x-notifier-key"]'];
  return pino(
    { level, base: null, redact, formatters: { log: scrubLogged } },
    destination({ dest: 2, sync: false }),
  );
}

/** A logger that says nothing, for tests and for commands. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
