import { createUnavailableError, type RestError } from '../../core/errors.ts';

export type DiskReserve = ReturnType<typeof createDiskReserve>;

/** Two seconds of measurements, in which admitted bytes may not be on disk yet. */
const unwrittenChecks = 4;
/** SQLite writes each page to the WAL and then to the database. */
const copiesWritten = 2;
/** Rows and index pages of any body. */
const rowBytes = 4096;

/** Keeps `reserveBytes` free between two measurements by counting admitted bytes as written. */
export function createDiskReserve(reserveBytes: number) {
  let admitted = 0;
  let free: number | null = null;
  const admittedAtChecks = [admitted];
  const unwritten = (): number => admitted - (admittedAtChecks[0] ?? 0);
  const isLowFor = (more: number): boolean => free !== null && free - unwritten() - more < reserveBytes;
  return {
    /** Sets the measured free space; null if unknown. Call it twice a second. */
    setFreeBytes(freeBytes: number | null) {
      free = freeBytes;
      admittedAtChecks.push(admitted);
      if (admittedAtChecks.length > unwrittenChecks) admittedAtChecks.shift();
    },
    isLow: () => isLowFor(0),
    /** Counts a body to be written. Returns 503, without counting it, if it would reach into the reserve. */
    admitBytes(bytes: number): RestError | null {
      const written = copiesWritten * bytes + rowBytes;
      if (isLowFor(written)) return createUnavailableError();
      admitted += written;
      return null;
    },
  };
}
