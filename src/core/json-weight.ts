// How much work a body of JSON is, told from its bytes before anything is parsed.
// What becomes of a heavy one is decided elsewhere.

/** Up to this and this a body is read where it came in: it takes a few milliseconds. */
export const lightBytesMax = 64 * 1024;
export const lightValuesMax = 5_000;

/** An element takes a value and a comma: fewer bytes than this cannot hold too many. */
const surelyLightBytes = 2 * lightValuesMax;

/** Whether reading these bytes would hold the loop up: they are many, or hold many members and elements. */
export function isHeavy(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > lightBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * The values of a JSON text, containers and what they hold, counted on its bytes in one pass; never fewer than there are.
 * Stops soon after `valuesMax`. Text that is no JSON has some number too.
 */
export function countValues(bytes: Uint8Array, valuesMax: number): number {
  const { length } = bytes;
  let values = 1;
  let at = 0;
  while (at < length && values <= valuesMax) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte === quote) at = endOfText(bytes, at);
    // What a comma or a bracket begins: `[` and `{` stand for the first of what they hold.
    else if (byte === comma || byte === 0x5b || byte === 0x7b) values += 1;
  }
  return values;
}

function endOfText(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return length;
}
