import type { EventFeed } from '../ports/event-feed.ts';

export function localEventFeed(): EventFeed {
  const listeners = new Set<() => void>();
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // A separate function, so that a listener that subscribed twice can unsubscribe each one.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
