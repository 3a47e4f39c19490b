import { readFileSync } from 'node:fs';

/** Resident memory of a process, from /proc. */
export function residentMiB(pid: number | undefined): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
