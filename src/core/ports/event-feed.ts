// Notifies that events were stored, without the events. Subscribers read the store, so notifications may be
// lost, repeated or come from another process.

export interface EventFeed {
  /** To be called after the commit. Never waits, never throws. */
  publish(): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}
