export { ConfigError } from './parse-values.ts';

/** A service that the program needs does not respond yet. The program exits with 75 (EX_TEMPFAIL). */
export class DependencyNotReadyError extends Error {}
