import { decodePhpString } from './strings.ts';
import { isIntegerKey, normalizeArray, type PhpArray, type PhpValue, phpIntMax } from './values.ts';

/** `max_input_nesting_level`: PHP drops the variable past it. */
const bracketsMax = 64;

/** An array under construction. Keys are binary strings (one character per byte). */
export type Variables = {
  readonly entries: Map<string, Variables | Leaf>;
  /** The next integer key for `[]`; null while there is no integer key, which means 0. */
  nextIndex: bigint | null;
};

type Leaf = { readonly value: PhpValue };

export function createVariables(): Variables {
  return { entries: new Map(), nextIndex: null };
}

/** As PHP: leading blanks dropped, cut at NUL; `.`, blank and an unclosed bracket become `_`; dropped past 64
 * brackets. `name` is a decoded binary string. */
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

export function toArray(variables: Variables): PhpArray {
  const map = new Map<string, PhpValue>();
  for (const [key, entry] of variables.entries) {
    map.set(decodeBinaryString(key), 'entries' in entry ? toArray(entry) : entry.value);
  }
  return normalizeArray(map);
}

export function decodeBinaryString(binary: string): string {
  return !/[^\x00-\x7f]/.test(binary) ? binary : decodePhpString(Buffer.from(binary, 'latin1'));
}

/** The keys of a name, null for `[]`; stops where PHP stops. */
function pathOf(name: string): [string, ...Array<string | null>] | null {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name.replace(/[ .]/g, '_')];
  const first = name.slice(0, bracket).replace(/[ .]/g, '_');
  if (first === '') return null;
  const path: [string, ...Array<string | null>] = [first];
  let open = bracket;
  while (name[open] === '[' && path.length <= bracketsMax + 1) {
    const start = open + 1;
    const contentStart = /[ \t\n\v\f\r]/.test(name[start] ?? '') ? start + 1 : start;
    if (name[contentStart] === ']') {
      path.push(null);
      open = contentStart + 1;
      continue;
    }
    const close = name.indexOf(']', contentStart);
    if (close < 0) {
      // An unclosed first bracket belongs to the name.
      return path.length === 1 ? [`${first}_${name.slice(start).replace(/[ .[]/g, '_')}`] : path;
    }
    path.push(name.slice(start, close));
    open = close + 1;
  }
  return path;
}

/** Creates the array if needed, also in place of a scalar. Null when `[]` has no key left. */
function branchAt(variables: Variables, key: string | null): Variables | null {
  const known = key === null ? undefined : variables.entries.get(key);
  if (known !== undefined && 'entries' in known) return known;
  const branch = createVariables();
  return setEntry(variables, key, branch) ? branch : null;
}

function setEntry(variables: Variables, key: string | null, entry: Variables | Leaf): boolean {
  const index = key === null ? (variables.nextIndex ?? 0n) : isIntegerKey(key) ? BigInt(key) : null;
  // Past the greatest integer PHP drops the variable.
  if (key === null && index !== null && index > phpIntMax) return false;
  variables.entries.set(key ?? String(index), entry);
  if (index !== null && (variables.nextIndex === null || index >= variables.nextIndex)) {
    variables.nextIndex = index + 1n;
  }
  return true;
}
