// The reserve of the disk holds between two looks at it: what was admitted since counts as written.
import { type RestError, unavailable } from '../../core/errors.ts';
import { localSum, type Sum } from '../../core/shared/sum.ts';

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

/** `admitted` counts kibibytes, with other threads where there are some. */
export function createDiskRoom(reserveBytes: number, admitted: Sum = localSum()): DiskRoom {
  let free: number | null = null;
  /** What was admitted in all at each of the last looks. */
  const marks = [admitted.value()];
  // In shared memory it is a word that begins anew.
  const unwritten = (): number => 1024 * ((admitted.value() - (marks[0] ?? 0)) | 0);
  const isLowFor = (more: number): boolean => free !== null && free - unwritten() - more < reserveBytes;
  return {
    looked(freeBytes) {
      free = freeBytes;
      marks.push(admitted.value());
      if (marks.length > unwrittenLooks) marks.shift();
    },
    isLow: () => isLowFor(0),
    admitBytes(bytes) {
      const written = copiesWritten * bytes + bytesBesideBody;
      if (isLowFor(written)) return unavailable();
      admitted.add(Math.ceil(written / 1024));
      return null;
    },
  };
}
