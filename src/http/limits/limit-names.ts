// The limits that the route table names: a type alone.

/** Names of the rate limits of D-20. */
export type LimitName = 'events' | 'feedback' | 'verify' | 'server' | 'chunks' | 'proofs' | 'checks';
