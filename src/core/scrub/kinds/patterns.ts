// Patterns built of parts, so that each part can be read by itself, and what asks them. No rules about
// secrets here.

/** One pattern of several parts, which are written with `String.raw`. */
export function patternOf(flags: string, ...parts: readonly string[]): RegExp {
  return new RegExp(parts.join(''), flags);
}

/** `(?:one|other)`: any of these parts, or of the words of a text. */
export function anyOf(parts: readonly string[] | string): string {
  return `(?:${(typeof parts === 'string' ? parts.trim().split(/\s+/) : parts).join('|')})`;
}

/**
 * An opening quote that comes next, with what languages write in front of it and as many backslashes as there
 * are.
 */
export const openQuoteNext = String.raw`(?=[bBuUrRN@$f]{0,2}\\{0,15}["'${'`'}“«])`;
/** A sign that is coded as in URLs, once or more often: `%3D`, `%253D`. */
export const codedSign = '%(?:25){0,3}';

const wideBlanks = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);

/** What `\s` is in a pattern. */
export function isBlank(code: number): boolean {
  if (code < 160) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x2000) return code === 160 || code === 0x1680;
  return code <= 0x200a || wideBlanks.has(code);
}

/** The place behind a sticky pattern that matches at `at`; -1 where it does not. */
export function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
