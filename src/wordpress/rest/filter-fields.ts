import { isScalar, toPhpString } from '../php/casts.ts';
import { entriesOf, isPhpArray, type PhpValue, toPhpArray, valuesOf } from '../php/values.ts';
import { ParameterTypeError } from '../request/parameter-error.ts';
import type { RestRequest } from '../request/rest-request.ts';
import type { RestResponse } from '../response/rest-response.ts';

type FieldTree = Map<string, FieldTree | true>;

/** Throws `ParameterTypeError` for data without members, where PHP fails. */
export function filterFields(response: RestResponse, request: RestRequest): void {
  const value = request.get('_fields');
  if (value === null || response.isError() || response.raw !== null || response.data === null) return;
  const fields = parseList(value).map((field) => field.trim());
  if (fields.length === 0) return;
  const tree = toFieldTree(fields);
  const { data } = response;
  response.data = hasOnlyIndexes(data)
    ? valuesOf(data).map((item) => pickFields(item, tree))
    : pickFields(data, tree);
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

function toFieldTree(fields: readonly string[]): FieldTree {
  const tree: FieldTree = new Map();
  for (const field of fields) {
    const segments = field.split('.');
    const last = segments.pop() ?? '';
    let node = tree;
    for (const segment of segments) {
      const known = node.get(segment);
      // WordPress leaves both loops here, so the rest of the list is ignored.
      if (known === true) return tree;
      const child: FieldTree = known ?? new Map();
      node.set(segment, child);
      node = child;
    }
    node.set(last, true);
  }
  return tree;
}

function pickFields(value: PhpValue, tree: FieldTree): PhpValue {
  if (!isPhpArray(value)) throw new ParameterTypeError('_fields', 'The answer has no fields to choose from.');
  const members: Array<[string, PhpValue]> = [];
  for (const [name, member] of entriesOf(value)) {
    const child = tree.get(name);
    if (child === undefined) continue;
    members.push([name, child !== true && isPhpArray(member) ? pickFields(member, child) : member]);
  }
  return toPhpArray(members);
}
