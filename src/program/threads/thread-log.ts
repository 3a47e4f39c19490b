// The log of a thread: its lines go to the one who writes them all, so that none is cut by another's.
import { type LogLevel, logLevels } from '../../core/config/settings.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Link } from './link.ts';

/** Sends what is said at `level` and above. */
export function threadLog(link: Pick<Link, 'tell'>, level: LogLevel): Log {
  const at = (own: keyof Log) => {
    if (logLevels.indexOf(own) < logLevels.indexOf(level)) return () => {};
    return (fields: object, message: string): void => {
      try {
        link.tell({ say: 'log', line: [own, fields, message] });
      } catch {
        // What cannot be posted is left out: the words say what happened.
        link.tell({ say: 'log', line: [own, {}, message] });
      }
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
