// News that events were stored: a type alone. It carries no event: whoever hears it reads the store, so that
// news may be lost, come twice or come from another process without anything being shown wrongly.

export interface EventFeed {
  /** Tells, after the commit, that something was stored. Never waits and never throws. */
  publish(): void;
  /** Calls `listener` for news from now on, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}
