import { ConfigError } from '../core/config/config.ts';
import { DependencyNotReadyError } from '../core/config/start-errors.ts';

export interface StartFailure {
  /** 78: a wrong setting. 75: a dependency does not answer yet. 1: another error. */
  readonly code: 1 | 75 | 78;
  readonly sentence: string;
}

export function toStartFailure(error: unknown): StartFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ConfigError) return { code: 78, sentence: message };
  if (error instanceof DependencyNotReadyError) return { code: 75, sentence: message };
  return { code: 1, sentence: `Notifier could not start: ${message}` };
}
