// What a thread is started with: plain data.
import type { Config } from '../../core/config/config.ts';
import type { Deps } from '../../core/deps.ts';

export interface ThreadData {
  readonly setup: { readonly config: Config; readonly dialect: Deps['dialect'] };
  readonly memory: SharedArrayBuffer;
  /** From 1: the thread that starts the others is 0 and answers as well. */
  readonly index: number;
  readonly threads: number;
  /** Where it listens. */
  readonly host: string;
  readonly port: number;
  /** Where what was compiled at earlier starts is kept. */
  readonly compileCache: string | undefined;
}
