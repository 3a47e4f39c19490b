// Validation that WordPress argument schemas cannot express: alternative names, dates, URLs, version names.
import { tooLongMessage, urlCharactersMax } from '../../../schemas/fields.ts';
import { createInvalidParamError, createMissingParamsError } from '../errors.ts';
import { isLongerThan } from '../parsing/cut-text.ts';
import { parseTime } from '../parsing/timestamps.ts';
import { type NameValidation, validateEnvironment, validateReleaseVersion } from './version.ts';

export type RequestFields = Readonly<Record<string, unknown>>;

/** The first field that is not null, absent or blank. */
export function findFirstGiven(
  members: RequestFields,
  names: readonly string[],
): { name: string; value: unknown } | null {
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    const blank = typeof value === 'string' && value.trim() === '';
    if (value !== null && value !== undefined && !blank) return { name, value };
  }
  return null;
}

export type FieldValidator = ReturnType<typeof createFieldValidator>;

/** Collects missing and invalid fields, so that one answer names all of them. Of several names the first that is given
 * counts; a missing field is reported under the first name. */
export function createFieldValidator(members: RequestFields) {
  const missing: string[] = [];
  const invalid: Record<string, string> = {};
  const problem = (name: string, sentence: string): void => {
    invalid[name] ??= sentence;
  };
  const required = (names: readonly string[], check: (text: string) => NameValidation): string => {
    const found = findFirstGiven(members, names);
    if (found === null) {
      missing.push(names[0] ?? '');
      return '';
    }
    if (typeof found.value !== 'string') {
      problem(found.name, `${found.name} is not of type string.`);
      return '';
    }
    const checked = check(found.value);
    if ('problem' in checked) {
      problem(found.name, `${found.name} ${checked.problem}`);
      return '';
    }
    return checked.name;
  };
  const optional = <T>(names: readonly string[], read: (value: unknown) => T | string): T | null => {
    const found = findFirstGiven(members, names);
    if (found === null) return null;
    const value = read(found.value);
    if (typeof value === 'string') {
      problem(found.name, value.startsWith('Invalid') ? value : `${found.name} ${value}`);
      return null;
    }
    return value;
  };
  return {
    requiredVersion: (names: readonly string[]) => required(names, validateReleaseVersion),
    requiredEnvironment: (names: readonly string[]) => required(names, validateEnvironment),
    /** Unchanged; `charactersMax` counts code points, for a field that no schema limits. */
    text: (names: readonly string[], charactersMax = Infinity): string | null =>
      optional(names, (value) => readText(value, charactersMax))?.text ?? null,
    date: (names: readonly string[]): number | null =>
      optional(names, (value) => parseTime(value) ?? 'Invalid date.'),
    /** http(s), without credentials, at most 2,048 characters. */
    url: (names: readonly string[]): string | null => optional(names, readUrl)?.text ?? null,
    problem,
    /** Throws for missing fields first (as WordPress does), then for invalid ones. */
    finish(): void {
      if (missing.length > 0) throw createMissingParamsError(missing);
      if (Object.keys(invalid).length > 0) throw createInvalidParamError(invalid);
    },
  };
}

/** `https://user:secret@host/x` becomes `https://host/x`. The user of an ssh address (`git@host:x`) stays. */
export function removeCredentials(repository: string): string {
  const found = /^([a-z][a-z0-9+.-]{0,20}:\/\/)([^/?#]*)@/i.exec(repository);
  if (found === null || (/^(?:git\+)?ssh:/i.test(repository) && !(found[2] ?? '').includes(':'))) {
    return repository;
  }
  return `${found[1]}${repository.slice(found[0].length)}`;
}

function readText(value: unknown, charactersMax: number): { text: string } | string {
  if (typeof value !== 'string') return 'is not of type string.';
  return isLongerThan(value, charactersMax)
    ? tooLongMessage(charactersMax, 'characters')
    : { text: value.toWellFormed() };
}

function readUrl(value: unknown): { text: string } | string {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'must be an http or https URL.';
  if (isLongerThan(value, urlCharactersMax)) return tooLongMessage(urlCharactersMax, 'characters');
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https URL.';
  return url.username !== '' || url.password !== ''
    ? 'must not contain credentials.'
    : { text: value.trim().toWellFormed() };
}
