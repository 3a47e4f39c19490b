import v8 from 'node:v8';

/** What a server sets besides the flags of its command line (docs/adr/0238). */
export function setServerFlags(): void {
  v8.setFlagsFromString('--heap-growing-percent=30');
  // The main thread's young generation exists already; the command line's flag would override the workers' limits.
  v8.setFlagsFromString('--max-semi-space-size=0');
}
