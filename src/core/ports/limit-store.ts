/** One counter, checked and then charged if all counters of the charge admit. */
export interface Bucket {
  readonly limiter: string;
  readonly key: string;
  /** Per window; a whole number, at least 1. */
  readonly limit: number;
  readonly windowMs: number;
  /** An address's share of the bucket before it; refuses once three quarters of that are used. No debt. */
  readonly isShare?: boolean;
}

/** Buckets that admit or refuse together, and their cost. */
export interface Charge {
  readonly buckets: readonly Bucket[];
  /** 0 only checks. */
  readonly cost: number;
}

export interface BucketState {
  readonly left: number;
  /** Milliseconds until the window ends, or until some quota is available again. */
  readonly resetMs: number;
}

export interface ChargeResult {
  readonly admitted: boolean;
  readonly levels: readonly BucketState[];
}

/** Each call is atomic. */
export interface LimitStore {
  /** Charges the buckets of each charge if all have quota left. Excess counts in the next window. */
  take(charges: readonly Charge[]): Promise<readonly ChargeResult[]>;
}

export interface SharedLimitStore extends LimitStore {
  /** Number of servers sharing the counters, including this one; 0 while this one counts alone. */
  servers(): number;
}
