// When two values are the same to WordPress's schemas: for `enum`, and for `uniqueItems`.
import {
  entriesOf,
  isPhpArray,
  isPhpFloat,
  isPhpInt,
  memberOf,
  numberOf,
  PhpObject,
  type PhpValue,
} from '../php/values.ts';

/**
 * Strict equality, save that integers and floats compare by value and arrays regardless of order, member by
 * member.
 */
export function areValuesEqual(left: PhpValue, right: PhpValue): boolean {
  if (isPhpArray(left) && isPhpArray(right)) return areArraysEqual(left, right);
  if (isPhpInt(left) && isPhpInt(right)) return BigInt(left) === BigInt(right);
  const areNumbers = (isPhpInt(left) || isPhpFloat(left)) && (isPhpInt(right) || isPhpFloat(right));
  return areNumbers ? numberOf(left) === numberOf(right) : left === right;
}

/**
 * Whether no item stands twice. 1, 1.0, "1" and true differ; maps are the same in any order of their members.
 */
export function hasUniqueItems(items: readonly PhpValue[]): boolean {
  const seen = new Set<string>();
  for (const item of items) seen.add(stableKey(item));
  return seen.size === items.length;
}

/** A text that two values share only if they are the same in type and value, whatever the order of names. */
function stableKey(value: PhpValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isPhpInt(value)) return `i${BigInt(value)}`;
  if (isPhpFloat(value)) return `d${Object.is(numberOf(value), -0) ? '-0' : numberOf(value)}`;
  const members = entriesOf(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${stableKey(member)}`)
    .sort();
  return `${value instanceof PhpObject ? 'o' : 'a'}{${members.join(',')}}`;
}

function areArraysEqual(left: PhpValue, right: PhpValue): boolean {
  const members = entriesOf(left);
  if (members.length !== entriesOf(right).length) return false;
  return members.every(([name, member]) => {
    const other = memberOf(right, name);
    return other !== undefined && areValuesEqual(member, other);
  });
}
