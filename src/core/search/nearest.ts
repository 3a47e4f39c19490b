import { editDistance, findNearest } from '../parsing/nearest-name.ts';

export function findNearestWord(word: string, known: readonly string[]): string | null {
  const meant = word.toLowerCase();
  return (
    findNearest(meant, known, (each) => editDistance(meant, each.toLowerCase())) ?? findLonger(meant, known)
  );
}

/** `lvl` is meant to be `level`: its letters stand in it in this order. */
function findLonger(meant: string, known: readonly string[]): string | null {
  if (meant.length < 3) return null;
  const holding = known.filter((each) => isWithin(meant, each.toLowerCase()) || isFirstWord(meant, each));
  return holding.sort((one, other) => one.length - other.length)[0] ?? null;
}

function isFirstWord(meant: string, other: string): boolean {
  return other.toLowerCase().startsWith(`${meant} `);
}

function isWithin(meant: string, other: string): boolean {
  if (other[0] !== meant[0] || other.length > 2 * meant.length) return false;
  let at = 0;
  for (const sign of other) if (sign === meant[at]) at += 1;
  return at === meant.length;
}
