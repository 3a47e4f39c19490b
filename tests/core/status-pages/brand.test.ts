import { describe, expect, it } from '@jest/globals';
import { readAccent, readBrandImage, textColorOn } from '../../../src/core/status-pages/brand.ts';
import { jpegOf, pngOf, webpOf } from '../../support/images.ts';

const refusal = (act: () => unknown): string => {
  try {
    return `accepted: ${JSON.stringify(act())}`;
  } catch (error) {
    return Object.values((error as { extra: { params: Record<string, string> } }).extra.params).join();
  }
};

describe('an accent colour', () => {
  it.each([
    ['#0A7F5C', '#0a7f5c'],
    ['#08f', '#0088ff'],
    ['', null],
  ])('is parsed: %s', (text, accent) => expect(readAccent(text)).toBe(accent));

  it.each(['green', '#12', '#12345g', '0a7f5c'])('is refused where it is no colour: %s', (text) => {
    expect(refusal(() => readAccent(text))).toContain('a colour such as #0a7f5c');
  });

  it.each([
    ['#ffdd00', 'light', '1.3'],
    ['#ffffff', 'light', '1.0'],
    ['#000000', 'dark', '1.1'],
    ['#1a1a40', 'dark', '1.1'],
  ])('needs contrast in light and dark: for %s another is suggested', (text, scheme, ratio) => {
    const said = refusal(() => readAccent(text));
    expect(said).toContain(`of 3 to 1 on the ${scheme} page, where ${text} has ${ratio} to 1`);
    const offered = /Use (#\w{6})\./.exec(said)?.[1] ?? '';
    expect(readAccent(offered)).toBe(offered);
  });

  it('has readable text on it', () => {
    expect([textColorOn('#0a7f5c'), textColorOn('#1d4ec2'), textColorOn('#d8a73a')]).toEqual([
      '#fff',
      '#fff',
      '#000',
    ]);
  });
});

describe('an image of a status page', () => {
  it('is a PNG or WebP by its content, as base64 or data: URL', () => {
    const bytes = pngOf(480, 64);
    const facts = { contentType: 'image/png', width: 480, height: 64, size: bytes.length };
    for (const text of [bytes.toString('base64'), `data:text/html;base64,${bytes.toString('base64')}`]) {
      expect(readBrandImage('logo', text)).toMatchObject(facts);
    }
    const webp = webpOf(64, 64, 'VP8L').toString('base64');
    expect(readBrandImage('favicon', webp)).toMatchObject({ contentType: 'image/webp', width: 64 });
    expect(readBrandImage('logo', '')).toBeNull();
  });

  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ['SVG', Buffer.from(script), 'must be a PNG or WebP image'],
    ['HTML', Buffer.from('<!DOCTYPE html><p>'), 'must be a PNG or WebP image'],
    ['JPEG', jpegOf(64, 64), 'must be a PNG or WebP image'],
    ['a large file', Buffer.concat([pngOf(64, 64), Buffer.alloc(102_400)]), 'at most 100 KiB'],
    ['many pixels', pngOf(2_049, 10), 'this image has 2049 by 10'],
  ])('is not %s', (_what, bytes, why) => {
    expect(refusal(() => readBrandImage('logo', bytes.toString('base64')))).toContain(why);
  });

  it('is square where it is a favicon', () => {
    expect(refusal(() => readBrandImage('favicon', pngOf(64, 32).toString('base64')))).toContain(
      'this image has 64 by 32 pixels',
    );
  });
});
