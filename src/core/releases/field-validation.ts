// Validation that WordPress argument schemas cannot express: alternative names, dates, URLs, version names.
import { tooLongMessage, urlCharactersMax } from '../../../schemas/fields.ts';
import { createInvalidParamError, createMissingParamsError, type RestError } from '../errors.ts';
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

/** Collects missing and invalid fields, so that one answer names all of them. */
export interface FieldValidator {
  /** The first of these names that is given; a missing version is reported under the first name. */
  requiredVersion(names: readonly string[]): string;
  requiredEnvironment(names: readonly string[]): string;
  /** Unchanged; `charactersMax` counts code points, for a field that no schema limits. */
  text(names: readonly string[], charactersMax?: number): string | null;
  date(names: readonly string[]): number | null;
  /** http(s), without credentials, at most 2,048 characters. */
  url(names: readonly string[]): string | null;
  problem(name: string, sentence: string): void;
  /** Throws for missing fields first (as WordPress does), then for invalid ones. */
  finish(): void;
}

export function createFieldValidator(members: RequestFields): FieldValidator {
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
    requiredVersion: (names) => required(names, validateReleaseVersion),
    requiredEnvironment: (names) => required(names, validateEnvironment),
    text: (names, charactersMax = Infinity) =>
      optional(names, (value) => readText(value, charactersMax))?.text ?? null,
    date: (names) => optional(names, (value) => parseTime(value) ?? 'Invalid date.'),
    url: (names) => optional(names, readUrl)?.text ?? null,
    problem,
    finish: () => {
      const refusal = refusalOf(missing, invalid);
      if (refusal !== null) throw refusal;
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

function refusalOf(missing: readonly string[], invalid: Readonly<Record<string, string>>): RestError | null {
  if (missing.length > 0) return createMissingParamsError(missing);
  return Object.keys(invalid).length > 0 ? createInvalidParamError(invalid) : null;
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
