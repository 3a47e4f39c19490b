import { isScalar, toPhpString } from '../php/casts.ts';
import { entriesOf, isPhpArray, type PhpValue, toPhpArray, valuesOf } from '../php/values.ts';
import { ParameterTypeError } from '../request/parameter-error.ts';
import type { RestRequest } from '../request/rest-request.ts';
import type { RestResponse } from '../response/rest-response.ts';

type Wanted = Map<string, Wanted | true>;

/** Throws `ParameterTypeError` for data without members, where PHP fails. */
export function filterFields(response: RestResponse, request: RestRequest): void {
  const value = request.get('_fields');
  if (value === null || response.isError() || response.raw !== null || response.data === null) return;
  const fields = parseList(value).map((field) => field.trim());
  if (fields.length === 0) return;
  const wanted = wantedMembers(fields);
  const { data } = response;
  response.data = hasOnlyIndexes(data)
    ? valuesOf(data).map((item) => keep(item, wanted))
    : keep(data, wanted);
}

/** WordPress's wp_parse_list. */
export function parseList(value: PhpValue): string[] {
  if (isPhpArray(value)) {
    return valuesOf(value)
      .filter(isScalar)
      .map((item) => toPhpString(item));
  }
  return isScalar(value)
    ? toPhpString(value)
        .split(/[\s,]+/)
        .filter((item) => item !== '')
    : [];
}

/** WordPress's wp_is_numeric_array. */
export function hasOnlyIndexes(value: PhpValue): boolean {
  if (Array.isArray(value)) return true;
  return isPhpArray(value) && entriesOf(value).every(([key]) => /^(?:0|-?[1-9]\d*)$/.test(key));
}

function wantedMembers(fields: readonly string[]): Wanted {
  const wanted: Wanted = new Map();
  for (const field of fields) {
    const parts = field.split('.');
    const last = parts.pop() ?? '';
    let inside = wanted;
    for (const part of parts) {
      const known = inside.get(part);
      // WordPress leaves both loops here, so the rest of the list is ignored.
      if (known === true) return wanted;
      const deeper: Wanted = known ?? new Map();
      inside.set(part, deeper);
      inside = deeper;
    }
    inside.set(last, true);
  }
  return wanted;
}

function keep(value: PhpValue, wanted: Wanted): PhpValue {
  if (!isPhpArray(value)) throw new ParameterTypeError('_fields', 'The answer has no fields to choose from.');
  const members: Array<[string, PhpValue]> = [];
  for (const [name, member] of entriesOf(value)) {
    const deeper = wanted.get(name);
    if (deeper === undefined) continue;
    members.push([name, deeper !== true && isPhpArray(member) ? keep(member, deeper) : member]);
  }
  return toPhpArray(members);
}
