// Small pictures of pages, as PNG: a bar above, a column, rows of text and one red block. Made from what the
// format says, so that nothing binary lies in the repository.
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

const paper: Colour = [252, 253, 253];
const ink: Colour = [16, 28, 38];
const grey: Colour = [128, 146, 160];
const pale: Colour = [221, 227, 230];
const red: Colour = [195, 39, 28];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly colour: Colour;
}

/** A picture of a page of that size whose block at fault stands at `at`, 0 to 1, from above. */
export function pagePicture(width: number, height: number, at: number): Buffer {
  const margin = Math.round(width / 16);
  const rows = Array.from({ length: Math.floor((height - 90) / 26) }, (_, row): Box => {
    const length = 0.4 + ((row * 37) % 50) / 100;
    return {
      x: margin,
      y: 80 + row * 26,
      width: Math.round((width - 2 * margin) * length),
      height: 9,
      colour: pale,
    };
  });
  const y = 76 + Math.round((height - 200) * at);
  const fault = { x: margin, y, width: width - 2 * margin, height: 58, colour: red };
  const head = { x: 0, y: 0, width, height: 48, colour: ink };
  const brand = { x: margin, y: 18, width: 90, height: 12, colour: grey };
  return pngOf(width, height, [head, brand, ...rows, fault]);
}

/** Eight bits a channel, no filter, no interlace; later boxes cover earlier ones. */
function pngOf(width: number, height: number, boxes: readonly Box[]): Buffer {
  const line = 1 + width * 3;
  const pixels = Buffer.alloc(line * height);
  const all: readonly Box[] = [{ x: 0, y: 0, width, height, colour: paper }, ...boxes];
  for (const box of all) {
    const row = Buffer.alloc(box.width * 3, Buffer.from(box.colour));
    for (let y = box.y; y < Math.min(height, box.y + box.height); y += 1) {
      row.copy(pixels, y * line + 1 + box.x * 3);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
}
