// Notifies that events were stored. Subscribers read the store, so notifications may be lost or repeated.

export interface EventFeed {
  /** To be called after the commit. Never waits, never throws. */
  publish(): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}
