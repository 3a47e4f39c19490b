// Names of releases and environments, and the order of versions (docs/releases.md).
import { tooLongMessage } from '../../../schemas/fields.ts';
import { cutText, isLongerThan } from '../parsing/cut-text.ts';

const forbiddenCharacter = /[\u0000-\u001f\u007f/\\]/u;
const forbiddenCharacters = /[\u0000-\u001f\u007f/\\]+/gu;

/** Lengths in hex digits of common build hashes; such a text is not a version number. */
const hashLengths = new Set([12, 16, 20, 32, 40, 64]);
/** A shortened git commit (`9e107d9` is not version 9). Digits alone are a build number. */
const shortHash = /^(?=.*[a-f])[0-9a-f]{7,64}$/i;

const versionRule = { charactersMax: 200, reserved: new Set(['.', '..', 'latest']) };
const environmentRule: NameRule = { charactersMax: 64, reserved: new Set(['.', '..', 'none']) };
type NameRule = typeof versionRule;

/** The valid name, or the end of a sentence that says what is wrong with it ("must not …"). */
export type NameValidation = { readonly name: string } | { readonly problem: string };

/** Validates a version: trimmed, 1 to 200 characters, no slash, backslash or control character. */
export function validateReleaseVersion(text: string): NameValidation {
  return checkName(text, versionRule);
}

/** Validates an environment: the rules of versions, at most 64 characters, not `none`. */
export function validateEnvironment(text: string): NameValidation {
  return checkName(text, environmentRule);
}

/** Forbidden characters become a dash, the rest is cut at 200; null if empty. CI could not correct an error. */
export function sanitizeReleaseVersion(text: unknown): string | null {
  return sanitizeName(text, versionRule);
}

/** Makes a valid environment name out of a test report's text; null if nothing is left. */
export function sanitizeEnvironment(text: unknown): string | null {
  return sanitizeName(text, environmentRule);
}

export type ReleaseVersion = ReturnType<typeof parseReleaseVersion>;

/** Parses `package@version+build`. Never throws. A scoped name such as `@scope@1.0` keeps its leading `@`. */
export function parseReleaseVersion(text: string) {
  const packageName = parsePackageName(text);
  const rest = packageName === null ? text : text.slice(packageName.length + 1);
  const plus = rest.indexOf('+');
  const base = plus === -1 ? rest : rest.slice(0, plus);
  const build = plus === -1 ? '' : rest.slice(plus + 1);
  /** True for 12, 16, 20, 32, 40 or 64 hex digits, and for 7 or more with at least one letter. */
  const isHash = shortHash.test(base) || (hashLengths.has(base.length) && /^[0-9a-f]+$/i.test(base));
  const found = isHash ? null : numbersAndPrerelease(base);
  return {
    text,
    packageName,
    /** The part between `@` and `+`. */
    base,
    /** Null if the text is not a version number (a hash, a branch name). */
    numbers: found?.numbers ?? null,
    isCalendar: found?.isCalendar ?? false,
    prerelease: found?.prerelease ?? '',
    prereleaseFields: found?.prereleaseFields ?? [],
    build,
    isHash,
  };
}

export function parsePackageName(version: string): string | null {
  // From index 1: a leading `@` belongs to a scoped package name.
  const at = version.indexOf('@', 1);
  return at === -1 ? null : version.slice(0, at);
}

/** As semver.org, without build and package. Null if one is not a number, or only one is a calendar version. */
export function compareVersions(left: ReleaseVersion, right: ReleaseVersion): number | null {
  if (left.numbers === null || right.numbers === null || left.isCalendar !== right.isCalendar) return null;
  const length = Math.max(left.numbers.length, right.numbers.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareDigits(left.numbers[index] ?? '0', right.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  return comparePrereleases(left.prereleaseFields, right.prereleaseFields);
}

function checkName(text: string, rule: NameRule): NameValidation {
  const name = text.trim();
  if (name === '') return { problem: 'must be at least 1 character long.' };
  if (isLongerThan(name, rule.charactersMax)) {
    return { problem: tooLongMessage(rule.charactersMax, 'characters') };
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
  // Cut first, because an event may send a megabyte here.
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

/** One to four numbers with an optional `v`, then a pre-release after a dash or a letter (`1.0a1`). */
const numberedVersion = /^v?(\d+(?:\.\d+){0,3})(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|([A-Za-z][0-9A-Za-z.-]*))?$/i;
/** A date of any number of parts; `2024.01.15-2` is the second release of a day. */
const calendarVersion =
  /^v?(\d{4,}(?:\.\d+|[_-]\d+(?![0-9A-Za-z]))*)(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|([A-Za-z][0-9A-Za-z.-]*))?$/i;
/** Program versions do not reach numbers as high as this year. */
const firstYear = '1990';

function numbersAndPrerelease(base: string) {
  const [, first] = /^v?(\d+)/i.exec(base) ?? [];
  if (first === undefined) return null;
  const isCalendar = first.length >= 4 && compareDigits(withoutZeros(first), firstYear) >= 0;
  const found = (isCalendar ? calendarVersion : numberedVersion).exec(base);
  if (found === null) return null;
  const numbers = (found[1] ?? '').split(/[._-]/).map(withoutZeros);
  while (numbers.length < 4) numbers.push('0');
  const [, , dashed, attached] = found;
  return {
    /** At least four strings of digits without leading zeros, "0" if missing; more for calendar versions. */
    numbers,
    /** True if the first number is a year (1990 or later) or starts with one. */
    isCalendar,
    prerelease: dashed ?? attached ?? '',
    // `1.0rc10` is not semver; split it between letters and digits so that the digits compare as numbers.
    prereleaseFields: dashed?.split('.') ?? attached?.match(/\d+|[^\d.]+/g) ?? [],
  };
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** Compares digits of any length: 17-digit timestamps exceed JavaScript's safe integers. */
function compareDigits(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

/** No pre-release sorts last. Fields compare in order: numbers before words, fewer fields before more. */
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

/** A text in the byte order of `compareVersions`, for SQL; null if not a number. Each number follows its length
 * ("003" + "120"). A pre-release sorts first, a missing fifth number before one; builds come last. */
export function createVersionSortKey(version: string): string | null {
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
