// JSON as wide as a body allows, and JSON as clients write it: both of about so many bytes.

export const mebibyte = 1_048_576;
/** What JSON around the wide part may take. */
export const spare = 400;

/** `piece` again and again with commas between, up to so many bytes. */
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

/** So many objects or lists, each as wide as its share of a body allows. */
export function shares(count: number, bytes: number, one: (bytes: number, index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(Math.floor(bytes / count) - 80, index)).join(',');
}

export const names = (bytes: number) => many(bytes, (index) => `"k${index}":1`);
export const frames = (bytes: number, frame: string) => `{"frames":[${many(bytes, () => frame)}]}`;
