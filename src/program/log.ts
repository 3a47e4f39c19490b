// The log: one JSON object a line on stderr. Keys, cookies and bodies never get in, and what else is said is
// scrubbed.
import { destination, pino } from 'pino';
import type { LogLevel } from '../core/config/config.ts';
import type { Log } from '../core/ports/log.ts';
import { scrubLogged } from '../core/scrub/record.ts';

export interface OpenedLog {
  readonly log: Log;
  /** Writes what is still to be written, and lets go of standard error. */
  close(): void;
}

/**
 * A logger at `level`. pino, because it escapes control characters and is the most used structured logger
 * there is.
 */
export function openLog(level: LogLevel): OpenedLog {
  const redact = ['authorization', 'cookie', '*.authorization', '*.cookie', '*["x-notifier-key"]'];
  const standardError = destination({ dest: 2, sync: false });
  const log = pino({ level, base: null, redact, formatters: { log: scrubLogged } }, standardError);
  return { log, close: () => standardError.end() };
}

/** The same for as long as the process lives. */
export function createLog(level: LogLevel): Log {
  return openLog(level).log;
}

/** A logger that says nothing, for tests and for commands. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
