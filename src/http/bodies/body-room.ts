// How much memory the bodies that are being read may hold together: past it, large ones are told to come back
// later. Bodies that are streamed to disk take no room.
import { overloaded } from '../../core/errors.ts';

/** All bodies together. docs/limits.md, "Memory". */
const roomBytesMax = 64 * 1024 * 1024;
/**
 * What a body may hold even then: events are this small, and get through while large bodies fill the room.
 */
const smallBodyBytes = 64 * 1024;

/** The place of one body. */
export interface BodyPlace {
  /** Says that so many bytes more are held. Throws 429 when a body that is not small finds no room. */
  hold(bytes: number): void;
  /** Gives back everything held. */
  leave(): void;
}

export interface BodyRoom {
  takePlace(): BodyPlace;
  /** What all bodies hold now. */
  heldBytes(): number;
}

/** A room of `bytesMax`; the program has one, tests make their own. */
export function createBodyRoom(bytesMax: number): BodyRoom {
  let held = 0;
  const takePlace = (): BodyPlace => {
    let own = 0;
    return {
      hold(bytes) {
        if (held + bytes > bytesMax && own + bytes > smallBodyBytes) throw overloaded();
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

const room = createBodyRoom(roomBytesMax);

/** A place in the program's room. */
export const takePlace = (): BodyPlace => room.takePlace();

/** Bytes that bodies hold in the program's room now. */
export const heldByBodies = (): number => room.heldBytes();
