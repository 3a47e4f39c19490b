// How a start that failed ends: the sentence and the exit code, the same for the server and the command line.
import { ConfigError } from '../core/config/config.ts';
import { NotReadyYet } from '../core/config/start-errors.ts';

export interface StartFailure {
  /**
   * 78: a setting is wrong, and waiting will not mend it. 75: what is needed does not answer yet. 1: a fault
   * of ours.
   */
  readonly code: 1 | 75 | 78;
  readonly sentence: string;
}

/** The end that an error means. */
export function startFailure(error: unknown): StartFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) return { code: 78, sentence: message };
  if (error instanceof NotReadyYet) return { code: 75, sentence: message };
  return { code: 1, sentence: `Notifier could not start: ${message}` };
}
