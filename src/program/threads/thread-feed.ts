// News of stored events between threads: told to the others once a turn of the loop, and only while somebody
// follows.
import type { EventFeed } from '../../core/ports/event-feed.ts';
import type { Sum } from '../../core/shared/sum.ts';

/** The feed of this thread, over `own`; `tell` brings news to the others, `followers` counts those of all. */
export function threadFeed(own: EventFeed, followers: Sum, tell: () => void): EventFeed {
  let isTelling = false;
  let ownFollowers = 0;
  return {
    publish() {
      own.publish();
      if (isTelling || followers.value() === ownFollowers) return;
      isTelling = true;
      setImmediate(() => {
        isTelling = false;
        tell();
      });
    },
    subscribe(listener) {
      const leave = own.subscribe(listener);
      let isLeft = false;
      ownFollowers += 1;
      followers.add(1);
      return () => {
        leave();
        if (isLeft) return;
        isLeft = true;
        ownFollowers -= 1;
        followers.add(-1);
      };
    },
  };
}
