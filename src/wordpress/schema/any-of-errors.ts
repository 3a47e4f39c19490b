import { toPhpString } from '../php/casts.ts';
import { getMember, type PhpValue } from '../php/values.ts';
import { joinList, SchemaError } from './error.ts';
import { keyword } from './scalars.ts';
import { toMembers } from './types.ts';

export type FailedBranch = {
  readonly error: SchemaError;
  readonly schema: PhpValue;
  readonly position: number;
};

/** The most specific branch error if there is one, else the titles, else a general message. */
export function combiningError(value: PhpValue, param: string, failed: readonly FailedBranch[]): SchemaError {
  const informative =
    failed.length === 1 ? failed : failed.filter((branch) => !isPlainTypeError(branch.error, param));
  const best = informative.length === 1 ? informative[0] : closestObject(value, informative);
  if (best !== undefined) return reasonError(param, best);
  const titles = titlesOf(failed);
  const sentence =
    titles.length === failed.length
      ? `${param} is not a valid ${joinList(titles)}.`
      : `${param} does not match any of the expected formats.`;
  return new SchemaError('rest_no_matching_schema', sentence);
}

export function multipleMatchesError(
  param: string,
  fitting: ReadonlyArray<{ readonly schema: PhpValue; readonly position: number }>,
): SchemaError {
  const titles = titlesOf(fitting);
  const sentence =
    titles.length === fitting.length
      ? `${param} matches ${joinList(titles)}, but should match only one.`
      : `${param} matches more than one of the expected formats.`;
  const positions = fitting.map((branch) => branch.position);
  return new SchemaError('rest_one_of_multiple_matches', sentence, { positions });
}

/** Whether an error only says that the value itself, not a nested one, has another type. */
function isPlainTypeError(error: SchemaError, param: string): boolean {
  if (error.code !== 'rest_invalid_type') return false;
  return error.data === null || !('param' in error.data) || error.data.param === param;
}

/** The object schema that shares the most names with the value; undefined if none shares any. */
function closestObject(value: PhpValue, failed: readonly FailedBranch[]): FailedBranch | undefined {
  const [first] = failed;
  if (first === undefined || failed.length < 2 || keyword(first.schema, 'type') !== 'object') {
    return undefined;
  }
  let best: FailedBranch | undefined;
  let sharedMax = 0;
  for (const branch of failed) {
    const names = toMembers(keyword(branch.schema, 'properties')).map(([name]) => name);
    const shared = names.filter((name) => getMember(value, name) !== undefined).length;
    if (shared <= sharedMax) continue;
    best = branch;
    sharedMax = shared;
  }
  return best;
}

function reasonError(param: string, { error, schema, position }: FailedBranch): SchemaError {
  const title = keyword(schema, 'title');
  const words =
    title === null ? 'does not match the expected format.' : `is not a valid ${toPhpString(title)}.`;
  const sentence = `${param} ${words} Reason: ${error.message}`;
  return new SchemaError('rest_no_matching_schema', sentence, { position });
}

function titlesOf(branches: ReadonlyArray<{ readonly schema: PhpValue }>): string[] {
  return branches.flatMap(({ schema }) => {
    const title = keyword(schema, 'title');
    return title === null ? [] : [toPhpString(title)];
  });
}
