// Values for arguments, made from their descriptions: one that fits, and those that do not.
import type { Argument } from '../../../src/wordpress/request/rest-request.ts';

/** A value for each required argument. */
export function sampleOf(args: Readonly<Record<string, Argument>>): Record<string, unknown> {
  const required = Object.entries(args).filter(([, argument]) => argument.required === true);
  return Object.fromEntries(required.map(([name, argument]) => [name, fitting(argument)]));
}

/** Ways in which a value can be wrong for an argument, with such a value. */
export function wrongValues(argument: Argument): Array<[string, unknown]> {
  const types = typesOf(argument);
  if (types.length === 0) return [];
  const values: Array<[string, unknown]> = [
    ['a list of lists', [[1, 'a'], []]],
    ['a map', { a: { b: 1.5 } }],
    ['a text', 'no such thing!'],
    ['a number', 12.5],
    ['true', true],
    ['null', null],
    ['empty', ''],
  ];
  const { minimum, maximum, maxLength, maxItems, minLength } = argument;
  if (typeof minimum === 'number') values.push(['below its least', minimum - 1]);
  if (typeof maximum === 'number') values.push(['above its most', maximum + 1]);
  if (typeof maxLength === 'number' && maxLength <= 4096) {
    values.push(['too long', 'é'.repeat(maxLength + 1)], ['at its longest', 'é'.repeat(maxLength)]);
  }
  if (typeof minLength === 'number' && minLength > 1) values.push(['too short', 'x']);
  if (typeof maxItems === 'number' && maxItems <= 200) {
    values.push(['too many', Array.from({ length: maxItems + 1 }, (_, index) => `t${index}`)]);
  }
  return values;
}

function fitting(argument: Argument): unknown {
  const [type = 'string'] = typesOf(argument);
  const { enum: members, minimum } = argument;
  if (Array.isArray(members)) return members[0];
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'object') {
    return sampleOf((argument['properties'] ?? {}) as Readonly<Record<string, Argument>>);
  }
  return argument['format'] === 'date-time' ? '2026-11-21T12:00:00Z' : 'fitting';
}

function typesOf(argument: Argument): string[] {
  return [argument['type']].flat().filter((type): type is string => typeof type === 'string');
}
