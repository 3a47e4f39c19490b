/** The known word that needs the fewest changes (one for each three characters); null where none is near. */
export function findNearestWord(word: string, known: Iterable<string>): string | null {
  const meant = word.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(meant.length / 3)) + 1;
  for (const each of known) {
    const other = each.toLowerCase();
    if (Math.abs(other.length - meant.length) >= least) continue;
    const changes = countChanges(meant, other);
    if (changes < least) [nearest, least] = [each, changes];
  }
  return nearest ?? findLonger(meant, known);
}

/** `lvl` needs two changes to be `level`: its letters stand in it in this order. */
function findLonger(meant: string, known: Iterable<string>): string | null {
  if (meant.length < 3) return null;
  const holding = [...known].filter((each) => isWithin(meant, each.toLowerCase()));
  return holding.sort((one, other) => one.length - other.length)[0] ?? null;
}

function isWithin(meant: string, other: string): boolean {
  if (other[0] !== meant[0] || other.length > 2 * meant.length) return false;
  let at = 0;
  for (const sign of other) if (sign === meant[at]) at += 1;
  return at === meant.length;
}

/** Insertions, deletions, replacements and exchanged neighbours. */
function countChanges(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_each, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isExchanged) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
