// What a release or environment may be called, what a version says, and which of two versions is newer.
import { atMostLong } from '../../../schemas/limits.ts';
import { cutText, isLongerThan } from '../reading/cut-text.ts';

// Pure: no store, no clock. docs/releases.md, "Names" and "What a version says".

/** Longest version, in characters (code points, as WordPress counts them). */
const versionCharactersMax = 200;
/** Longest environment name, in characters. */
const environmentCharactersMax = 64;

/** Forbidden anywhere in a version or an environment: both slashes, and the control characters. */
const forbiddenCharacter = /[\u0000-\u001f\u007f/\\]/u;
const forbiddenCharacters = /[\u0000-\u001f\u007f/\\]+/gu;

const reservedVersions = new Set(['.', '..', 'latest']);
const reservedEnvironments = new Set(['.', '..', 'none']);

/** Lengths in hex digits of what build tools use as a build hash; such text is no version number. */
const hashLengths = new Set([12, 16, 20, 32, 40, 64]);
/** A commit as git shortens it: `9e107d9` is no version 9. Digits alone are a build number instead. */
const shortHash = /^(?=.*[a-f])[0-9a-f]{7,64}$/i;

interface NameRule {
  readonly charactersMax: number;
  readonly reserved: ReadonlySet<string>;
}

const versionRule: NameRule = { charactersMax: versionCharactersMax, reserved: reservedVersions };
const environmentRule: NameRule = { charactersMax: environmentCharactersMax, reserved: reservedEnvironments };

/** Either the name to keep, or the end of a sentence that says what is wrong with it ("must not …"). */
export type CheckedName = { readonly name: string } | { readonly problem: string };

/**
 * Checks a version given by a person or a build server: trimmed, 1 to 200 characters, no slash, backslash or
 * control.
 */
export function checkReleaseVersion(text: string): CheckedName {
  return checkName(text, versionRule);
}

/** Checks an environment name: as a version, at most 64 characters, and not `none`. */
export function checkEnvironment(text: string): CheckedName {
  return checkName(text, environmentRule);
}

/**
 * Makes a valid version of what a test report carries, or null where nothing is left. It is never refused: a
 * test run in CI has nobody to correct it. Forbidden characters become a dash (`feat/x` → `feat-x`), the rest
 * is cut at 200 characters.
 */
export function sanitizeReleaseVersion(text: unknown): string | null {
  return sanitizeName(text, versionRule);
}

/** Makes a valid environment name of what a test report carries, or null. */
export function sanitizeEnvironment(text: unknown): string | null {
  return sanitizeName(text, environmentRule);
}

/**
 * A version string taken apart. `numbers` is null where the text is no version number (a hash, a branch
 * name).
 */
export interface ReleaseVersion {
  readonly text: string;
  /** What stands before `@`, as in `shop@1.2.0`. */
  readonly packageName: string | null;
  /** What stands after `@` and before `+`. */
  readonly base: string;
  /** Four, of a calendar version perhaps more: decimal digits without leading zeros, "0" where missing. */
  readonly numbers: readonly string[] | null;
  /** True where the first number is a year (1990 and later), or begins with one. */
  readonly isCalendar: boolean;
  readonly prerelease: string;
  /** What the pre-release is compared by. */
  readonly prereleaseFields: readonly string[];
  readonly build: string;
  /** True for 12, 16, 20, 32, 40 or 64 hex digits, and for 7 and more with a letter among them. */
  readonly isHash: boolean;
}

/**
 * Takes `package@version+build` apart. Never throws; scoped names such as `@scope@1.0` keep their leading
 * `@`.
 */
export function parseReleaseVersion(text: string): ReleaseVersion {
  const packageName = packageOf(text);
  const rest = packageName === null ? text : text.slice(packageName.length + 1);
  const plus = rest.indexOf('+');
  const base = plus === -1 ? rest : rest.slice(0, plus);
  const build = plus === -1 ? '' : rest.slice(plus + 1);
  const isHash = shortHash.test(base) || (hashLengths.has(base.length) && /^[0-9a-f]+$/i.test(base));
  const found = isHash ? null : numbersAndPrerelease(base);
  return {
    text,
    packageName,
    base,
    numbers: found?.numbers ?? null,
    isCalendar: found?.isCalendar ?? false,
    prerelease: found?.prerelease ?? '',
    prereleaseFields: found?.prereleaseFields ?? [],
    build,
    isHash,
  };
}

/** What stands before `@` in a version, or null. */
export function packageOf(version: string): string | null {
  // From index 1: a leading `@` belongs to a scoped package name.
  const at = version.indexOf('@', 1);
  return at === -1 ? null : version.slice(0, at);
}

/**
 * The order of two versions by their numbers and pre-releases, as semver.org has it: build metadata is not
 * asked. Null where numbers say nothing: one is no number, or one is a calendar version and the other is not.
 * The package is not looked at.
 */
export function compareVersions(left: ReleaseVersion, right: ReleaseVersion): number | null {
  if (left.numbers === null || right.numbers === null || left.isCalendar !== right.isCalendar) return null;
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareDigits(left.numbers[index] ?? '0', right.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  return comparePrereleases(left.prereleaseFields, right.prereleaseFields);
}

function checkName(text: string, rule: NameRule): CheckedName {
  const name = text.trim();
  if (name === '') return { problem: 'must be at least 1 character long.' };
  if (isLongerThan(name, rule.charactersMax)) {
    return { problem: atMostLong(rule.charactersMax, 'characters') };
  }
  const found = forbiddenCharacter.exec(name);
  if (found !== null) {
    const position = [...name.slice(0, found.index)].length + 1;
    return { problem: `must not contain ${nameOfCharacter(found[0])} (character ${position}).` };
  }
  if (rule.reserved.has(name.toLowerCase())) return { problem: `must not be "${name}".` };
  return { name: name.toWellFormed() };
}

function sanitizeName(text: unknown, rule: NameRule): string | null {
  if (typeof text !== 'string') return null;
  // Cut before trimming and replacing too: an event may carry a megabyte here.
  const start = text.slice(0, 4_096).trim().replaceAll(forbiddenCharacters, '-').toWellFormed();
  const checked = checkName(cutText(start, rule.charactersMax), rule);
  return 'name' in checked ? checked.name : null;
}

function nameOfCharacter(character: string): string {
  const names: Record<string, string> = {
    '/': 'a slash "/"',
    '\\': 'a backslash "\\"',
    '\n': 'a line feed',
    '\r': 'a carriage return',
    '\t': 'a tab',
  };
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return names[character] ?? `the control character U+${code}`;
}

/** One to four numbers, perhaps behind a `v`, then a pre-release: after a dash, or a letter (`1.0a1`). */
const numberedVersion = /^v?(\d+(?:\.\d+){0,3})(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|([A-Za-z][0-9A-Za-z.-]*))?$/i;
/** A date: as many numbers as come, parted by dots or dashes; `2024.01.15-2` is the second of a day. */
const calendarVersion =
  /^v?(\d{4,}(?:\.\d+|[_-]\d+(?![0-9A-Za-z]))*)(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|([A-Za-z][0-9A-Za-z.-]*))?$/i;
/** The first number that is a year: versions of programs do not get so far. */
const firstYear = '1990';

type Numbered = Pick<ReleaseVersion, 'isCalendar' | 'prerelease' | 'prereleaseFields'> & {
  readonly numbers: readonly string[];
};

function numbersAndPrerelease(base: string): Numbered | null {
  const [, first] = /^v?(\d+)/i.exec(base) ?? [];
  if (first === undefined) return null;
  const isCalendar = first.length >= 4 && compareDigits(withoutZeros(first), firstYear) >= 0;
  const found = (isCalendar ? calendarVersion : numberedVersion).exec(base);
  if (found === null) return null;
  const numbers = (found[1] ?? '').split(/[._-]/).map(withoutZeros);
  while (numbers.length < 4) numbers.push('0');
  const [, , dashed, attached] = found;
  return {
    numbers,
    isCalendar,
    prerelease: dashed ?? attached ?? '',
    // `1.0rc10` is not of semver.org's making: its words and numbers are told apart where they meet.
    prereleaseFields: dashed?.split('.') ?? attached?.match(/\d+|[^\d.]+/g) ?? [],
  };
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** As numbers, whatever their length: time stamps of 17 digits are past what a JavaScript number holds. */
function compareDigits(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** None is later than any; fields one by one, numbers before words, fewer before more. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return Number(left.length === 0) - Number(right.length === 0);
  for (const [index, field] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareFields(field, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareFields(left: string, right: string): number {
  const leftIsNumber = /^\d+$/.test(left);
  const rightIsNumber = /^\d+$/.test(right);
  if (leftIsNumber && rightIsNumber) return compareDigits(withoutZeros(left), withoutZeros(right));
  return Number(rightIsNumber) - Number(leftIsNumber) || compareText(left, right);
}

function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/**
 * Text whose plain (byte) order is the order of `compareVersions`, for sorting in a database; null for what
 * is no number. Builds, which have no order there, follow as numbers where they are, else as text. Each
 * number is written with its length in front ("003" + "120"); a version without a pre-release sorts after one
 * with, and a fifth number after none.
 */
export function versionSortKey(version: string): string | null {
  const { numbers, prereleaseFields, build } = parseReleaseVersion(version);
  if (numbers === null) return null;
  const [more, field] = ['3', '!'];
  const numberKeys = numbers.map((digits, index) => `${index < 4 ? '' : more}${withLength(digits)}`);
  const fieldKeys = prereleaseFields.map((text) =>
    /^\d+$/.test(text) ? `0${withLength(withoutZeros(text))}` : `1${text}`,
  );
  const prereleaseKey = fieldKeys.length === 0 ? '2' : `1${fieldKeys.join(field)}`;
  const buildKey = build === '' ? '' : /^\d+$/.test(build) ? `0${withLength(build)}` : `1${build}`;
  return `${numberKeys.join('')}${prereleaseKey} ${buildKey}`;
}

function withLength(digits: string): string {
  return `${String(digits.length).padStart(3, '0')}${digits}`;
}
