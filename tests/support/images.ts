import { crc32, deflateSync } from 'node:zlib';

export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.alloc(Math.min(width, 100) + 1);
  const rows = Buffer.concat(Array.from({ length: Math.min(height, 100) }, () => row));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** `frame`: marker of the frame header, 0xc0 baseline, 0xc2 progressive. */
export function jpegOf(width: number, height: number, frame = 0xc0): Buffer {
  const segment = (marker: number, data: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length + 2);
    return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
  };
  const size = Buffer.alloc(6);
  size[0] = 8;
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  size[5] = 1;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    // The Exif thumbnail has another size than the picture.
    segment(0xe1, Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 9, 0, 9, 1])),
    Buffer.from([0xff, 0xff]),
    segment(0xc4, Buffer.alloc(17)),
    segment(frame, Buffer.concat([size, Buffer.from([1, 0x11, 0])])),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function webpOf(width: number, height: number, form: 'VP8 ' | 'VP8L' | 'VP8X'): Buffer {
  const body = Buffer.alloc(18);
  if (form === 'VP8 ') {
    body.set([0x9d, 0x01, 0x2a], 3);
    body.writeUInt16LE(width, 6);
    body.writeUInt16LE(height, 8);
  } else if (form === 'VP8L') {
    body[0] = 0x2f;
    body.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  } else {
    body.writeUIntLE(width - 1, 4, 3);
    body.writeUIntLE(height - 1, 7, 3);
  }
  const riff = Buffer.alloc(20);
  riff.write('RIFF', 0, 'latin1');
  riff.writeUInt32LE(12 + body.length, 4);
  riff.write(`WEBP${form}`, 8, 'latin1');
  riff.writeUInt32LE(body.length, 16);
  return Buffer.concat([riff, body]);
}
