import { expect, it } from '@jest/globals';
import { printJson, sanitizeForTerminal } from '../../src/cli/print.ts';

const unseen = ['\u200b', '\u200e', '\u2028', '\u2029', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u180e'];

function printedOf(document: unknown): string {
  const printed: string[] = [];
  printJson({ out: (text) => void printed.push(text) }, document);
  return printed.join('');
}

it.each(unseen)('escapes %j', (character) => {
  const code = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect(sanitizeForTerminal(`a${character}b`)).toBe(`a${code}b`);
  const document = { [`a${character}`]: `b${character}\u009b\u202e` };
  const printed = printedOf(document);
  expect(printed).toContain(`"a${code}": "b${code}\\u009b\\u202e"`);
  expect(JSON.parse(printed)).toEqual(document);
});

it('leaves visible characters, emojis included', () => {
  for (const text of ['Grüße', '日本語', '❤️', 'a b']) expect(sanitizeForTerminal(text)).toBe(text);
});

it('escapes tag characters beyond the first plane', () => {
  expect([printedOf('a\u{e0041}b'), sanitizeForTerminal('a\u{e0041}b')]).toEqual([
    '"a\\udb40\\udc41b"\n',
    'a\\ue0041b',
  ]);
});
