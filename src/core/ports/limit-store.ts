// Where requests are counted for rate limits: types alone.

/** One counter: what is asked, and charged where nobody refuses. */
export interface Bucket {
  /** Names the limiter; its counters are bounded together. */
  readonly limiter: string;
  /** Whose counter it is. */
  readonly key: string;
  /** What one window holds; a whole number, at least 1. */
  readonly limit: number;
  readonly windowMs: number;
  /**
   * Whether it is one taker's share of the bucket before it in the charge: it is always counted, and refuses
   * only once three quarters of that one are used. What is taken beyond it is not owed.
   */
  readonly isShare?: boolean;
}

/** Buckets that admit or refuse together, and what each is charged when they admit. */
export interface Charge {
  readonly buckets: readonly Bucket[];
  /** A whole number; 0 only asks. */
  readonly cost: number;
}

export interface Level {
  /** What is left, never below 0. */
  readonly left: number;
  /** Milliseconds until the window ends; where nothing is left, until something is again. */
  readonly resetMs: number;
}

export interface Taken {
  /** Whether every bucket had something left, shares aside that are not asked yet. */
  readonly admitted: boolean;
  /** The buckets as they stand now, in their order. */
  readonly levels: readonly Level[];
}

/** Where the counters are. One call is one step: nothing else is counted between asking and charging. */
export interface LimitStore {
  /**
   * Asks the buckets of each charge; where all of them have something left each is charged with the whole
   * cost, else none is. What a charge takes beyond a window is owed: the next window begins with it, at most
   * full; the one after begins anew.
   */
  take(charges: readonly Charge[]): Promise<readonly Taken[]>;
}

/** Counters that servers have together. */
export interface LimitStoreOfServers extends LimitStore {
  /** How many count together now, this one among them; 0 while this one counts alone. */
  servers(): number;
}
