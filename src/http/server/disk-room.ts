// The reserve of the disk holds between two looks at it: what was admitted since counts as written.
import { type RestError, unavailable } from '../../core/errors.ts';

export interface DiskRoom {
  /** The disk was looked at; null where nobody knows what is free. To be called twice a second. */
  looked(freeBytes: number | null): void;
  /** Whether the reserve is reached: nothing is to be written then. */
  isLow(): boolean;
  /**
   * Counts a body that is about to be written. The refusal, 503, where it would reach into the reserve; then
   * it is not counted.
   */
  admitBytes(bytes: number): RestError | null;
}

/** What was admitted since so many looks may not be on the disk that was looked at: two seconds. */
const unwrittenLooks = 4;
/** SQLite writes each page to its log and then to its file. */
const copiesWritten = 2;
/** Rows and pages of indexes of a body, however small it is. */
const bytesBesideBody = 4096;

/** `reserveBytes` are to stay free. */
export function createDiskRoom(reserveBytes: number): DiskRoom {
  let admitted = 0;
  let free: number | null = null;
  /** What was admitted in all at each of the last looks. */
  const marks = [admitted];
  const unwritten = (): number => admitted - (marks[0] ?? 0);
  const isLowFor = (more: number): boolean => free !== null && free - unwritten() - more < reserveBytes;
  return {
    looked(freeBytes) {
      free = freeBytes;
      marks.push(admitted);
      if (marks.length > unwrittenLooks) marks.shift();
    },
    isLow: () => isLowFor(0),
    admitBytes(bytes) {
      const written = copiesWritten * bytes + bytesBesideBody;
      if (isLowFor(written)) return unavailable();
      admitted += written;
      return null;
    },
  };
}
