// Notifies that events were stored. Subscribers read the store, so notifications may be lost or repeated.

export interface EventFeed {
  /** To be called after the commit. Never waits, never throws. */
  publish(): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function localEventFeed(): EventFeed {
  const listeners = new Set<() => void>();
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // A separate function, so that a listener that subscribed twice can unsubscribe each one.
      const callback = (): void => listener();
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  };
}
