// Letters that are written as codes: `pass\u0077ord`, `%70assword`, `pass&#119;ord`. Names are found once
// they are letters again.
import { codedSign, patternOf } from './scrub-patterns.ts';

/** 1 to 4: the code in hex, 5: in digits. */
const coded = patternOf(
  'gi',
  String.raw`\\{1,15}u00([2-7][0-9a-f])|\\{1,15}x([2-7][0-9a-f])|${codedSign}([2-7][0-9a-f])`,
  String.raw`|&#x0{0,4}([2-7][0-9a-f]);|&#0{0,4}(\d{2,3});`,
);

/**
 * The text with every letter, digit, "_" and "-" that is coded written plainly; signs that mean something
 * stay coded.
 */
export function withPlainLetters(text: string): string {
  return text.replace(coded, (whole: string, ...groups: unknown[]) => {
    const hex = groups.slice(0, 4).find((group) => typeof group === 'string');
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(groups[4]);
    const character = String.fromCharCode(code);
    return /[\w-]/.test(character) ? character : whole;
  });
}
