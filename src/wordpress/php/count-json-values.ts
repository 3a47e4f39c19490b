const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Counts values without building them; never too low. Stops soon after `valuesMax`. */
export function countValues(bytes: Uint8Array, valuesMax: number): number {
  const { length } = bytes;
  let values = 1;
  let at = 0;
  while (at < length && values <= valuesMax) {
    const byte = bytes[at] as number;
    at += 1;
    if (byte === quote) at = endOfText(bytes, at);
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
