// The memory of another process, as Linux tells it.
import { readFileSync } from 'node:fs';

/** What of it is in memory now, in MiB. */
export function residentMiB(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
