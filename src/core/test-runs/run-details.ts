// Members sent with the report are checked, with a 400; those inside it are cut or dropped with a warning.

import { metadata as metadataSchema } from '../../../schemas/fields.ts';
import { cutText, isLongerThan } from '../parsing/cut-text.ts';
import { dayMs } from '../parsing/durations.ts';
import type { ParsedTestReport } from '../ports/test-report-reader.ts';
import {
  createFieldValidator,
  type FieldValidator,
  findFirstGiven,
  type RequestFields,
  removeCredentials,
} from '../releases/field-validation.ts';
import {
  sanitizeEnvironment,
  sanitizeReleaseVersion,
  validateEnvironment,
  validateReleaseVersion,
} from '../releases/version.ts';
import type { ReportWarning, RunDetails } from '../store/test-runs.ts';
import { contextNames } from './reports/cases/context.ts';
import { nameCharactersMax, tagsMax } from './reports/cases/report.ts';

/** The first contexts are of the query or form, and of the wrapper. */
const contextsSent = 2;
const buildMembers = { id: 128, number: 128, url: 2048, name: 128 } as const;
const durationMsMax = 10 * 365 * dayMs;

/** @throws 400 that names each invalid member sent with the report. */
export function readRunDetails(report: ParsedTestReport): { facts: RunDetails; warnings: ReportWarning[] } {
  const sent = merged(report.contexts.slice(0, contextsSent));
  const reportFields = merged(report.contexts.slice(contextsSent));
  const warnings: ReportWarning[] = [];
  const checks = createFieldValidator(sent);
  const text = (names: readonly string[], charactersMax: number): string | null =>
    sentText(checks, sent, names, charactersMax) ??
    textInReport(reportFields, names, charactersMax, warnings);
  const suite = text([...contextNames.suite, 'name'], 200) ?? cutOrNull(report.reportName, 200);
  const repository = text(contextNames.repository, 512);
  const times = readTimes(checks, sent, report);
  const facts: RunDetails = {
    release: releaseOf(checks, sent, reportFields),
    environment: environmentOf(checks, sent, reportFields),
    commit: text(contextNames.commit, 64),
    branch: text(contextNames.branch, 255),
    repository: repository === null ? null : removeCredentials(repository),
    suite,
    tool: text(contextNames.tool, 100) ?? cutOrNull(report.tool, 100),
    runKey: text(contextNames.run_key, 128),
    shard: text(contextNames.shard, 64),
    ci: text(contextNames.ci, 128),
    build: readBuild(checks, sent['build']) ?? buildInReport(reportFields['build']),
    tags: readTags(checks, sent['tags']),
    metadata: readMetadata(checks, sent['metadata']),
    exitCode: readExitCode(checks, findFirstGiven(sent, contextNames.exit_code)?.value),
    ...times,
  };
  checks.finish();
  return { facts, warnings };
}

function merged(contexts: ReadonlyArray<Readonly<Record<string, unknown>>>): RequestFields {
  const members: Record<string, unknown> = Object.create(null);
  for (const context of contexts) {
    for (const [name, value] of Object.entries(context)) {
      if (value !== null && value !== undefined && value !== '') {
        members[name] ??= value;
      }
    }
  }
  return members;
}

/** Commits and keys may be all digits, so numbers are accepted as text. */
function sentText(
  checks: FieldValidator,
  sent: RequestFields,
  names: readonly string[],
  charactersMax: number,
): string | null {
  const field = findFirstGiven(sent, names);
  return typeof field?.value === 'number' ? String(field.value) : checks.text(names, charactersMax);
}

function textInReport(
  reportFields: RequestFields,
  names: readonly string[],
  charactersMax: number,
  warnings: ReportWarning[],
): string | null {
  const field = findFirstGiven(reportFields, names);
  if (field === null || (typeof field.value !== 'string' && typeof field.value !== 'number')) {
    return null;
  }
  const text = String(field.value).trim().toWellFormed();
  if (isLongerThan(text, charactersMax)) {
    warnings.push({
      code: 'text_cut',
      path: field.name,
      message: `${field.name} was truncated to ${charactersMax} characters.`,
    });
  }
  return cutText(text, charactersMax);
}

function cutOrNull(text: string | null, charactersMax: number): string | null {
  return text === null ? null : cutText(text, charactersMax);
}

function releaseOf(checks: FieldValidator, sent: RequestFields, reportFields: RequestFields): string | null {
  const field = findFirstGiven(sent, contextNames.release);
  if (field === null) {
    return sanitizeReleaseVersion(findFirstGiven(reportFields, contextNames.release)?.value);
  }
  return checkedName(checks, field, validateReleaseVersion);
}

function environmentOf(checks: FieldValidator, sent: RequestFields, reportFields: RequestFields) {
  // CTRF's `environment` is an object with another meaning.
  const field = findFirstGiven(sent, contextNames.environment);
  if (field === null || typeof field.value === 'object') {
    return sanitizeEnvironment(findFirstGiven(reportFields, contextNames.environment)?.value);
  }
  return checkedName(checks, field, validateEnvironment);
}

function checkedName(
  checks: FieldValidator,
  field: { name: string; value: unknown },
  check: typeof validateReleaseVersion,
): string | null {
  if (typeof field.value !== 'string') {
    checks.problem(field.name, `${field.name} is not of type string.`);
    return null;
  }
  const checked = check(field.value);
  if ('problem' in checked) {
    checks.problem(field.name, `${field.name} ${checked.problem}`);
    return null;
  }
  return checked.name;
}

function readTimes(
  checks: FieldValidator,
  sent: RequestFields,
  report: ParsedTestReport,
): Pick<RunDetails, 'startedAtMs' | 'finishedAtMs' | 'durationMs'> {
  const startedAtMs = checks.date(['started_at']) ?? report.startedAtMs;
  const finishedAtMs = checks.date(['finished_at']) ?? report.finishedAtMs;
  const field = findFirstGiven(sent, ['duration_ms']);
  const durationGiven = field === null ? null : wholeNumber(field.value);
  if (field !== null && (durationGiven === null || durationGiven < 0 || durationGiven > durationMsMax)) {
    checks.problem('duration_ms', 'duration_ms is not a number of milliseconds of at least 0.');
  }
  const spanMs = startedAtMs === null || finishedAtMs === null ? null : finishedAtMs - startedAtMs;
  if (spanMs !== null && spanMs < 0) {
    checks.problem('finished_at', 'finished_at must not be before started_at.');
  }
  const ofCases = report.cases.reduce((sum, one) => sum + (one.durationMs ?? 0), 0);
  return { startedAtMs, finishedAtMs, durationMs: durationGiven ?? report.durationMs ?? spanMs ?? ofCases };
}

function wholeNumber(value: unknown): number | null {
  const number =
    typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : null;
}

function readExitCode(checks: FieldValidator, value: unknown): number | null {
  if (value === undefined) {
    return null;
  }
  const code = wholeNumber(value);
  if (code === null || Math.abs(code) > 0xffff_ffff) {
    checks.problem('exit_code', 'exit_code is not of type integer.');
  }
  return code;
}

function readBuild(checks: FieldValidator, value: unknown): Record<string, string> | null {
  if (value === undefined) {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    checks.problem('build', 'build is not of type object.');
    return null;
  }
  const build: Record<string, string> = {};
  for (const [name, charactersMax] of Object.entries(buildMembers)) {
    const member = (value as RequestFields)[name];
    if (member === undefined || member === null || member === '') {
      continue;
    }
    const text = typeof member === 'number' ? String(member) : member;
    if (typeof text !== 'string' || text.length > charactersMax) {
      checks.problem('build', `build[${name}] is not a string of at most ${charactersMax} characters.`);
    } else if (name === 'url' && parseWebAddress(text) === null) {
      checks.problem('build', 'build[url] must be an http or https URL without credentials.');
    } else {
      build[name] = text.toWellFormed();
    }
  }
  return build;
}

function buildInReport(value: unknown): Record<string, string> | null {
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  const build: Record<string, string> = {};
  for (const [name, charactersMax] of Object.entries(buildMembers)) {
    const member = (value as RequestFields)[name];
    const text = typeof member === 'string' || typeof member === 'number' ? String(member) : '';
    if (text !== '' && (name !== 'url' || parseWebAddress(text) !== null)) {
      build[name] = cutText(text, charactersMax).toWellFormed();
    }
  }
  return build;
}

function parseWebAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  return isWeb && url.username === '' && url.password === '' ? url : null;
}

function readTags(checks: FieldValidator, value: unknown): Record<string, string> | null {
  if (value === undefined) {
    return null;
  }
  const entries: Array<[string, unknown]> = Array.isArray(value)
    ? value.map((tag) => [typeof tag === 'string' ? tag : '', ''])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  const texts = entries.map(([name, tag]) => [
    name,
    typeof tag === 'number' || typeof tag === 'boolean' ? String(tag) : tag,
  ]);
  const areValid = texts.every(
    ([name, tag]) =>
      typeof name === 'string' &&
      name !== '' &&
      name.length <= 64 &&
      typeof tag === 'string' &&
      tag.length <= 200,
  );
  if ((entries.length === 0 && typeof value !== 'object') || entries.length > tagsMax || !areValid) {
    checks.problem(
      'tags',
      `tags must be at most ${tagsMax} names of at most 64 characters with values of at most 200.`,
    );
    return null;
  }
  return nullPrototype(texts) as Record<string, string>;
}

function readMetadata(checks: FieldValidator, value: unknown): Record<string, unknown> | null {
  if (value === undefined) {
    return null;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // Zod copies members by assignment, which would set the prototype for `__proto__`.
  const parsed = isObject ? metadataSchema.safeParse({ ...value }) : null;
  if (parsed === null || !parsed.success) {
    const sentence = parsed?.error?.issues.find((issue) => issue.code === 'custom')?.message;
    checks.problem('metadata', `metadata ${sentence ?? 'is not an object of scalars.'}`);
    return null;
  }
  return nullPrototype(Object.entries(value as object)) as Record<string, unknown>;
}

function nullPrototype(entries: ReadonlyArray<readonly unknown[]>): object {
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) {
    object[cutText(String(name), nameCharactersMax)] = value;
  }
  return object;
}
