// What a program that mounts us is given: types alone, which need no types of others than Node's.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A layer as Express, and any other chain of Node's own requests and answers, calls it. */
export type Layer = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Keys and the token of the workspace that a first start made, each null where it was given or is there
 * already.
 */
export interface FirstKeys {
  readonly publicKey: string | null;
  readonly secretKey: string | null;
  readonly adminToken: string | null;
}

export interface Notifier {
  /**
   * The layer: `app.use(notifier.router)`, or below a folder `app.use('/blog', notifier.router)`. Requests
   * that are not for it go on to `next`.
   */
  readonly router: Layer;
  /** What was made just now, and is shown this once; null where all was there. */
  readonly firstKeys: FirstKeys | null;
  /**
   * Takes no more requests (503), lets those under way end for at most eight seconds, and gives back
   * database, threads and timers. The same end however often it is called.
   */
  close(): Promise<void>;
}
