// PHP's rules for the names of variables: `a[b][]` and its kin become arrays. Query strings, forms and
// multipart bodies all come through here; none of them is parsed here.
import { textFromBytes } from './text.ts';
import { isIntegerKey, normalizeArray, type PhpArray, type PhpValue, phpIntMax } from './values.ts';

/** Brackets in one name past which PHP drops the variable (`max_input_nesting_level`). */
const bracketsMax = 64;

/**
 * An array while variables are still being added. Keys and texts are binary strings: one character a byte.
 */
export type Variables = {
  readonly entries: Map<string, Variables | Leaf>;
  /** The integer key `[]` takes next; null while no key is an integer, and then it takes 0. */
  nextIndex: bigint | null;
};

type Leaf = { readonly value: PhpValue };

/** No variables yet. */
export function createVariables(): Variables {
  return { entries: new Map(), nextIndex: null };
}

/**
 * Adds one variable by PHP's rules: leading blanks dropped, cut at NUL, `.` and blank become `_` before the
 * first bracket, an unclosed bracket becomes `_`, past 64 brackets the whole variable goes.
 * @param name the decoded name as a binary string (one character a byte)
 * @param value what it holds
 */
export function registerVariable(variables: Variables, name: string, value: PhpValue): void {
  const nul = name.indexOf('\0');
  const path = pathOf((nul < 0 ? name : name.slice(0, nul)).replace(/^ +/, ''));
  if (path === null) return;
  const [first, ...rest] = path;
  if (first === undefined || first === '') return;
  if (rest.length > bracketsMax) {
    variables.entries.delete(first ?? '');
    return;
  }
  let branch = variables;
  let key: string | null = first;
  for (const next of rest) {
    const inner = branchAt(branch, key);
    if (inner === null) return;
    branch = inner;
    key = next;
  }
  setEntry(branch, key, { value });
}

/** The finished PHP array, its keys and nested arrays as text (see PhpValue). */
export function arrayOf(variables: Variables): PhpArray {
  const map = new Map<string, PhpValue>();
  for (const [key, entry] of variables.entries) {
    map.set(textFromBinary(key), 'entries' in entry ? arrayOf(entry) : entry.value);
  }
  return normalizeArray(map);
}

/** The text of a binary string. */
export function textFromBinary(binary: string): string {
  return !/[^\x00-\x7f]/.test(binary) ? binary : textFromBytes(Buffer.from(binary, 'latin1'));
}

/** The keys a name spells, null standing for `[]`; stops where PHP stops reading. */
function pathOf(name: string): [string, ...Array<string | null>] | null {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name.replace(/[ .]/g, '_')];
  const first = name.slice(0, bracket).replace(/[ .]/g, '_');
  if (first === '') return null;
  const path: [string, ...Array<string | null>] = [first];
  let open = bracket;
  while (name[open] === '[' && path.length <= bracketsMax + 1) {
    const start = open + 1;
    // One blank of any kind may stand between empty brackets.
    const inside = /[ \t\n\v\f\r]/.test(name[start] ?? '') ? start + 1 : start;
    if (name[inside] === ']') {
      path.push(null);
      open = inside + 1;
      continue;
    }
    const close = name.indexOf(']', inside);
    if (close < 0) {
      // Not an index at all: the bracket and what follows belong to the name, if nothing was closed before.
      return path.length === 1 ? [`${first}_${name.slice(start).replace(/[ .[]/g, '_')}`] : path;
    }
    path.push(name.slice(start, close));
    open = close + 1;
  }
  return path;
}

/** The array under a key, made (in place of a scalar, too) where there is none; null where no key is left. */
function branchAt(variables: Variables, key: string | null): Variables | null {
  const known = key === null ? undefined : variables.entries.get(key);
  if (known !== undefined && 'entries' in known) return known;
  const branch = createVariables();
  return setEntry(variables, key, branch) ? branch : null;
}

function setEntry(variables: Variables, key: string | null, entry: Variables | Leaf): boolean {
  const index = key === null ? (variables.nextIndex ?? 0n) : isIntegerKey(key) ? BigInt(key) : null;
  // Past the greatest integer `[]` finds no free key, and PHP drops the variable.
  if (key === null && index !== null && index > phpIntMax) return false;
  variables.entries.set(key ?? String(index), entry);
  if (index !== null && (variables.nextIndex === null || index >= variables.nextIndex)) {
    variables.nextIndex = index + 1n;
  }
  return true;
}
