import { editDistance, findNearest } from '../parsing/nearest-name.ts';

export function findNearestWord(word: string, known: readonly string[]): string | null {
  const typed = word.toLowerCase();
  return (
    findNearest(typed, known, (each) => editDistance(typed, each.toLowerCase())) ?? findLonger(typed, known)
  );
}

/** `lvl` means `level`, which contains its letters in this order. */
function findLonger(typed: string, known: readonly string[]): string | null {
  if (typed.length < 3) return null;
  const holding = known.filter((each) => isWithin(typed, each.toLowerCase()) || isFirstWord(typed, each));
  return holding.sort((one, other) => one.length - other.length)[0] ?? null;
}

function isFirstWord(typed: string, other: string): boolean {
  return other.toLowerCase().startsWith(`${typed} `);
}

function isWithin(typed: string, other: string): boolean {
  if (other[0] !== typed[0] || other.length > 2 * typed.length) return false;
  let at = 0;
  for (const sign of other) if (sign === typed[at]) at += 1;
  return at === typed.length;
}
