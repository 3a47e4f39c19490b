// Deflates many small texts by one stream that begins anew for each. zlib's own `deflateSync` makes a stream
// for each text and leaves it to the collector, which is a third of what a text of 2 KB costs.
import { constants, createDeflate, deflateSync, type ZlibOptions } from 'node:zlib';

/** What Node's streams are made of, as far as it is called here. Node does not promise it: it is tried. */
interface Inside {
  readonly _handle: {
    writeSync(
      flush: number,
      input: Uint8Array,
      inputAt: number,
      inputBytes: number,
      output: Uint8Array,
      outputAt: number,
      outputBytes: number,
    ): void;
    reset(): void;
  };
  /** After a write: what is left of the output's room, and of the input. */
  readonly _writeState: Uint32Array;
}

/** Answers the bytes that `deflateSync` would, of whatever length. */
export type Deflater = (plain: Uint8Array) => Buffer;

/**
 * A deflater with these options, for plain texts of at most `plainBytesMax`; larger ones are left to
 * `deflateSync`, and so are all where Node is not made as it is thought to be.
 */
export function createDeflater(options: ZlibOptions, plainBytesMax: number): Deflater {
  const each: Deflater = (plain) => deflateSync(plain, options);
  try {
    const reused = reusedStream(options, plainBytesMax, each);
    // Twice: a stream that does not begin anew says something else the second time.
    const isTrue = ['first', 'second'].every((text) => {
      const plain = Buffer.from(text);
      return reused(plain).equals(each(plain));
    });
    return isTrue ? reused : each;
  } catch {
    return each;
  }
}

function reusedStream(options: ZlibOptions, plainBytesMax: number, otherwise: Deflater): Deflater {
  const { _handle: handle, _writeState: state } = createDeflate(options) as unknown as Inside;
  const room = Buffer.allocUnsafeSlow(plainBytesMax);
  return (plain) => {
    if (plain.byteLength > plainBytesMax) return otherwise(plain);
    try {
      handle.writeSync(constants.Z_FINISH, plain, 0, plain.byteLength, room, 0, room.byteLength);
      const [roomLeft = 0, plainLeft = 0] = state;
      // What cannot be made smaller may have found no room.
      if (roomLeft === 0 || plainLeft > 0) return otherwise(plain);
      return Buffer.from(room.subarray(0, room.byteLength - roomLeft));
    } finally {
      handle.reset();
    }
  };
}
