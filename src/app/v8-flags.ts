import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a server sets besides the flags of its command line (docs/adr/0238). */
export function setServerFlags(): void {
  v8.setFlagsFromString('--heap-growing-percent=30');
  // The main thread's young generation exists already; the command line's flag would override the workers' limits.
  v8.setFlagsFromString('--max-semi-space-size=0');
}

/** Gives back what only the start needed: some 20 MiB, for a pause of 0.1 s. */
export function collectStartGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', flavor: 'last-resort' });
}
