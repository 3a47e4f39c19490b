// Whether a pattern from elsewhere may be run on what strangers send. No patterns of our own here.

/** Longer patterns are not looked into, and not run. */
const patternCharactersMax = 500;

/**
 * True unless the pattern is too long, or repeats without bound what itself repeats or chooses: `(a+)+`,
 * `(a|b)*`. Such a pattern can take time that doubles with each character of its subject. PHP gives up on
 * those; V8 does not.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > patternCharactersMax) return false;
  const branching: boolean[] = [false];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') {
      index += 1;
    } else if (character === '[') {
      index = endOfClass(pattern, index);
    } else if (character === '(') {
      branching.push(false);
    } else if (character === '|') {
      branching[branching.length - 1] = true;
    } else if (character === ')') {
      const inner = branching.length > 1 ? branching.pop() === true : false;
      const isRepeated = repeats(pattern, index + 1);
      if (inner && isRepeated) return false;
      if (inner || isRepeated) branching[branching.length - 1] = true;
    } else if (repeats(pattern, index)) {
      branching[branching.length - 1] = true;
    }
  }
  return true;
}

/** Whether an unbounded (or large) repetition stands at this place. */
function repeats(pattern: string, index: number): boolean {
  const character = pattern[index];
  if (character === '*' || character === '+') return true;
  const counted = /^\{\d*(,?)(\d*)\}/.exec(pattern.slice(index, index + 20));
  if (counted === null) return false;
  return counted[1] === ',' && (counted[2] === '' || Number(counted[2]) > 20);
}

/** The place of the bracket that ends a character class; the end of the pattern where none does. */
function endOfClass(pattern: string, start: number): number {
  for (let index = start + 1; index < pattern.length; index += 1) {
    if (pattern[index] === '\\') index += 1;
    else if (pattern[index] === ']' && index > start + 1) return index;
  }
  return pattern.length;
}
