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
interface ReleaseVersion {
  readonly text: string;
  /** What stands before `@`, as in `shop@1.2.0`. */
  readonly packageName: string | null;
  /** What stands after `@` and before `+`. */
  readonly base: string;
  /** Major, minor, patch, revision as decimal digits without leading zeros; missing ones are "0". */
  readonly numbers: readonly [string, string, string, string] | null;
  readonly prerelease: string;
  readonly build: string;
  /** True for 12, 16, 20, 32, 40 or 64 hex digits. */
  readonly isHash: boolean;
}

/**
 * Takes `package@version+build` apart. Never throws; scoped names such as `@scope@1.0` keep their leading
 * `@`.
 */
export function parseReleaseVersion(text: string): ReleaseVersion {
  // From index 1: a leading `@` belongs to a scoped package name.
  const at = text.indexOf('@', 1);
  const packageName = at === -1 ? null : text.slice(0, at);
  const rest = at === -1 ? text : text.slice(at + 1);
  const plus = rest.indexOf('+');
  const base = plus === -1 ? rest : rest.slice(0, plus);
  const build = plus === -1 ? '' : rest.slice(plus + 1);
  const isHash = hashLengths.has(base.length) && /^[0-9a-f]+$/i.test(base);
  const found = isHash ? null : numbersAndPrerelease(base);
  return {
    text,
    packageName,
    base,
    numbers: found?.numbers ?? null,
    prerelease: found?.prerelease ?? '',
    build,
    isHash,
  };
}

/** True when the version is one to four numbers, with or without a pre-release and a build. */
export function isSemver(version: string): boolean {
  return parseReleaseVersion(version).numbers !== null;
}

/** The order of two version numbers alone: 0 when they are equal, or when either is no number. */
export function compareVersions(leftText: string, rightText: string): number {
  const left = parseReleaseVersion(leftText);
  const right = parseReleaseVersion(rightText);
  if (left.numbers === null || right.numbers === null) return 0;
  for (const [index, digits] of left.numbers.entries()) {
    const order = compareDigits(digits, right.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  return comparePrerelease(left.prerelease, right.prerelease) || compareBuild(left.build, right.build);
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

/** One to four numbers, then a pre-release after a dash or beginning with a letter (`1.0a1`). */
const numberedVersion =
  /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z][0-9A-Za-z.-]*)|([A-Za-z][0-9A-Za-z.-]*))?$/;

function numbersAndPrerelease(
  base: string,
): { numbers: readonly [string, string, string, string]; prerelease: string } | null {
  const found = numberedVersion.exec(base);
  if (found === null) return null;
  const digits = (index: number): string => (found[index] ?? '0').replace(/^0+(?=\d)/, '');
  return {
    numbers: [digits(1), digits(2), digits(3), digits(4)],
    prerelease: found[5] ?? found[6] ?? '',
  };
}

/** As numbers, whatever their length: time stamps of 17 digits are past what a JavaScript number holds. */
function compareDigits(left: string, right: string): number {
  return left.length - right.length || compareText(left, right);
}

function comparePrerelease(left: string, right: string): number {
  if (left === '' || right === '') return Number(left === '') - Number(right === '');
  return compareText(left, right);
}

function compareBuild(left: string, right: string): number {
  const bothNumbers = /^\d+$/.test(left) && /^\d+$/.test(right);
  const stripped = (digits: string): string => digits.replace(/^0+(?=\d)/, '');
  return bothNumbers ? compareDigits(stripped(left), stripped(right)) : compareText(left, right);
}

function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/**
 * Text whose plain (byte) order is the order of `compareVersions`, for sorting in a database; null for what
 * is no number. Each number is written with its length in front ("03" + "120"), a version without a
 * pre-release sorts after one with.
 */
export function versionSortKey(version: string): string | null {
  const { numbers, prerelease, build } = parseReleaseVersion(version);
  if (numbers === null) return null;
  const withLength = (digits: string): string => `${String(digits.length).padStart(3, '0')}${digits}`;
  const buildKey = build === '' ? '' : /^\d+$/.test(build) ? `0${withLength(build)}` : `1${build}`;
  return `${numbers.map(withLength).join('')}${prerelease === '' ? '2' : `1${prerelease}`} ${buildKey}`;
}
