import { describe, expect, it } from '@jest/globals';
import { readImageInfo } from '../../../src/core/feedback/image-info.ts';
import { jpegOf, pngOf, webpOf } from '../../support/images.ts';

describe('images', () => {
  it.each([
    ['PNG', pngOf(640, 480), 'image/png', 640, 480],
    ['JPEG', jpegOf(800, 600), 'image/jpeg', 800, 600],
    ['progressive JPEG', jpegOf(65_535, 1, 0xc2), 'image/jpeg', 65_535, 1],
    ['lossy WebP', webpOf(320, 200, 'VP8 '), 'image/webp', 320, 200],
    ['lossless WebP', webpOf(16_384, 16_384, 'VP8L'), 'image/webp', 16_384, 16_384],
    ['extended WebP', webpOf(16_777_216, 2, 'VP8X'), 'image/webp', 16_777_216, 2],
  ])('%s', (_kind, bytes, contentType, width, height) => {
    expect(readImageInfo(bytes)).toEqual({ contentType, width, height });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7 and more text to fill')],
    ['text before a PNG', Buffer.concat([Buffer.from('x'), pngOf(1, 1)])],
    ['PNG without IHDR', Buffer.concat([pngOf(1, 1).subarray(0, 12), Buffer.from('IDAT'), Buffer.alloc(20)])],
    ['PNG of no width', pngOf(0, 5)],
    ['PNG cut short', pngOf(5, 5).subarray(0, 23)],
    ['JPEG cut short', jpegOf(5, 5).subarray(0, 40)],
    ['JPEG that is only a start', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['JPEG with a segment of length 0', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0, 0])],
    ['lossy WebP without start code', webpOf(5, 5, 'VP8 ').fill(0, 23, 26)],
    ['WebP of an unknown form', Buffer.from('RIFF\x20\0\0\0WEBPVP9 aaaaaaaaaaaaaaaaaaaa', 'latin1')],
  ])('%s is none', (_what, bytes) => {
    expect(readImageInfo(bytes)).toBeNull();
  });
});
