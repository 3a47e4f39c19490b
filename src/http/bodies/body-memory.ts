// Memory budget of all bodies being read. When it is used up, larger bodies get 429; streamed bodies do not count.
import { createOverloadError } from '../../core/errors.ts';

/** docs/limits.md, "Memory". */
const roomBytesMax = 64 * 1024 * 1024;
/** Bodies up to this size are accepted even when the budget is used up, so that events get through. */
const smallBodyBytes = 64 * 1024;

export interface BodyMemoryShare {
  /** Throws 429 when the budget is exceeded and the body is not small. */
  hold(bytes: number): void;
  leave(): void;
}

export interface BodyMemory {
  takePlace(): BodyMemoryShare;
  heldBytes(): number;
}

export function createBodyMemory(bytesMax: number): BodyMemory {
  let held = 0;
  const takePlace = (): BodyMemoryShare => {
    let own = 0;
    return {
      hold(bytes) {
        if (held + bytes > bytesMax && own + bytes > smallBodyBytes) throw createOverloadError();
        held += bytes;
        own += bytes;
      },
      leave() {
        held -= own;
        own = 0;
      },
    };
  };
  return { takePlace, heldBytes: () => held };
}

const room = createBodyMemory(roomBytesMax);

export const openMemoryShare = (): BodyMemoryShare => room.takePlace();

export const countBodyMemoryBytes = (): number => room.heldBytes();
