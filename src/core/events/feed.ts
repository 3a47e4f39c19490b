// The feed of one process: whoever stores an event tells whoever follows them.
import type { EventFeed } from '../ports/event-feed.ts';

/** A feed that nobody follows yet. */
export function localEventFeed(): EventFeed {
  const listeners = new Set<() => void>();
  return {
    publish() {
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // Whoever subscribes twice hears twice, and each leaves alone.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
