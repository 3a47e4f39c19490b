// JSON of a given size: as wide as possible, or realistic.

export const mebibyte = 1_048_576;
/** Bytes for the JSON around it. */
export const spare = 400;

/** Repeats `piece`, separated by commas, up to `bytesMax`. */
export function many(bytesMax: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    if (length + next.length + 1 > bytesMax) return pieces.join(',');
    pieces.push(next);
    length += next.length + 1;
  }
}

/** Divides the size among `count` items. */
export function shares(count: number, bytes: number, one: (bytes: number, index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(Math.floor(bytes / count) - 80, index)).join(',');
}

export const names = (bytes: number) => many(bytes, (index) => `"k${index}":1`);
export const frames = (bytes: number, frame: string) => `{"frames":[${many(bytes, () => frame)}]}`;
