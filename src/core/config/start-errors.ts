// What can keep the program from starting, in the two kinds that whoever started it has to tell apart.

export { ConfigError } from './values.ts';

/**
 * What the program needs does not answer, and may yet: one sentence. The program exits with 75 (EX_TEMPFAIL).
 */
export class NotReadyYet extends Error {}
