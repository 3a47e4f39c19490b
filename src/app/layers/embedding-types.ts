import type { IncomingMessage, ServerResponse } from 'node:http';

/** Express middleware, or any chain of Node's requests and responses. */
export type Layer = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Created by the first start, else null: shown only this once. */
export interface FirstKeys {
  readonly publicKey: string | null;
  readonly secretKey: string | null;
  readonly adminToken: string | null;
}

export interface Notifier {
  /** `app.use(notifier.router)` or `app.use('/blog', notifier.router)`; other requests go to `next`. */
  readonly router: Layer;
  readonly firstKeys: FirstKeys | null;
  /** Refuses new requests (503), waits up to 8 s for running ones, then closes everything. Idempotent. */
  close(): Promise<void>;
}
