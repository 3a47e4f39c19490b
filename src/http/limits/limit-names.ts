export type LimitName = 'events' | 'feedback' | 'verify' | 'server' | 'chunks' | 'proofs' | 'checks';
