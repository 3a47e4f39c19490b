// How many values a JSON text has, told without making any of them.

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * The values of a JSON text, containers and what they hold, counted on its bytes in one pass; never fewer
 * than there are. Stops soon after `valuesMax`. Text that is no JSON has some number too.
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
