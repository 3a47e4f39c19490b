// Letters that are written as codes: `pass\u0077ord`, `pass\167ord`, `%70assword`, `pass&#119;ord`, or in
// another width, or with signs between them that nobody sees. Names are found once they are letters again.
import { codedSign, patternOf } from './patterns.ts';

/** 1 to 5: the code in hex, 6: in octal digits, 7: in digits. */
const coded = patternOf(
  'gi',
  String.raw`\\{1,15}u00([2-7][0-9a-f])|\\{1,15}x([2-7][0-9a-f])|${codedSign}([2-7][0-9a-f])`,
  String.raw`|&#x0{0,4}([2-7][0-9a-f]);|\\{1,15}u\{0{0,4}([2-7][0-9a-f])\}`,
  String.raw`|\\{1,15}(0?[0-1][0-7]{2})(?!\d)|&#0{0,4}(\d{2,3});`,
);
/** Signs of no width between letters, and letters of the width of Chinese ones. */
const unseen = /(?<=[A-Za-z])[\u00ad\u200b-\u200d\u2060\ufeff]+(?=[A-Za-z])/g;
const wideLetters = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g;

/**
 * The text with every letter, digit, "_" and "-" that is coded written plainly; signs that mean something
 * stay coded.
 */
export function withPlainLetters(text: string): string {
  const seen = text
    .replace(unseen, '')
    .replace(wideLetters, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));
  return seen.replace(coded, (whole: string, ...groups: unknown[]) => {
    const hex = groups.slice(0, 5).find((group) => typeof group === 'string');
    const octal = groups[5];
    const code =
      typeof hex === 'string'
        ? Number.parseInt(hex, 16)
        : typeof octal === 'string'
          ? Number.parseInt(octal, 8)
          : Number(groups[6]);
    const character = String.fromCharCode(code);
    return /[\w-]/.test(character) ? character : whole;
  });
}
