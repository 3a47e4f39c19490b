// The log: JSON lines on stderr, scrubbed.
import { destination, pino } from 'pino';
import type { LogLevel } from '../core/config/config.ts';
import type { Log } from '../core/ports/log.ts';
import { scrubLogFields } from '../core/scrub/record.ts';

/** pino escapes control characters. */
export function openLog(level: LogLevel) {
  const redact = ['authorization', 'cookie', '*.authorization', '*.cookie', '*["x-notifier-key"]'];
  const standardError = destination({ dest: 2, sync: false });
  const log: Log = pino({ level, base: null, redact, formatters: { log: scrubLogFields } }, standardError);
  return { log, close: () => standardError.end() };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
