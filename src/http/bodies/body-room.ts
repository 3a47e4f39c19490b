// How much memory the bodies that are being read may hold together: past it, large ones are told to come back
// later. Bodies that are streamed to disk take no room.
import { overloaded } from '../../core/errors.ts';
import { localSum, type Sum } from '../../core/shared/sum.ts';

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

/** A room of `bytesMax`; the program has one, tests make their own. `held` counts what is in it. */
export function createBodyRoom(bytesMax: number, held: Sum = localSum()): BodyRoom {
  const takePlace = (): BodyPlace => {
    let own = 0;
    return {
      hold(bytes) {
        if (held.add(bytes) > bytesMax && own + bytes > smallBodyBytes) {
          held.add(-bytes);
          throw overloaded();
        }
        own += bytes;
      },
      leave() {
        held.add(-own);
        own = 0;
      },
    };
  };
  return { takePlace, heldBytes: held.value };
}

let room = createBodyRoom(roomBytesMax);

/** Has the program's room be one with that of other threads, before a body was read. */
export function shareBodyRoom(held: Sum): void {
  room = createBodyRoom(roomBytesMax, held);
}

/** A place in the program's room. */
export const takePlace = (): BodyPlace => room.takePlace();

/** Bytes that bodies hold in the program's room now. */
export const heldByBodies = (): number => room.heldBytes();
