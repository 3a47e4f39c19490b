// Fields that are secret because of their siblings: a value next to a name, a private JSON web key.
import { getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { findSecretArguments } from './rules/command-lines.ts';
import { isSecretParameter, isSignInForm } from './rules/links.ts';
import { isFieldName, isPublicValue, looksLikePin, looksRandom } from './table/false-positives.ts';
import {
  classifyFieldName,
  type ExtraFields,
  type FieldNameVerdict,
  isSecretVerdict,
} from './table/names.ts';

import { filteredText, splitBySpaces } from './table/patterns.ts';

/** Maps each secret field to what is kept of it; null for none. */
export function findSecretFields(
  value: JsonObject,
  keys: readonly string[],
  extra: ExtraFields,
): ReadonlyMap<string, string> | null {
  // A list that was converted to an object.
  if (keys[0] === '0' && keys.length > 1 && keys.every((key, index) => key === String(index))) {
    const entries = findSecretEntries(
      keys.map((key) => value[key]),
      extra,
    );
    return new Map([...entries].map(([index, value]) => [String(index), value]));
  }
  let seen = 0;
  for (const key of keys) seen |= roles.get(key) ?? 0;
  if (seen === 0) return null;
  const found = new Map<string, string>();
  const hide = (fields: readonly string[]): void => {
    for (const key of fields) found.set(key, filteredText);
  };
  if ((seen & role.names) !== 0 && (seen & role.holds) !== 0) hide(heldFields(value, keys, extra));
  if ((seen & role.kind) !== 0 && value['kind'] === 'Secret') hide(kubernetesFields(value));
  if ((seen & role.keyType) !== 0 && typeof value['kty'] === 'string') {
    hide(privateMembers.filter((key) => typeof getOwn(value, key) === 'string'));
  }
  if ((seen & role.signIn) !== 0) hide(signInFields(value, keys));
  return found.size === 0 ? null : found;
}

const role = { names: 1, holds: 2, kind: 4, keyType: 8, signIn: 16 } as const;
const namingFields = splitBySpaces(`
    name key field param path loc instancePath dataPath propertyName PropertyName propertyPath
    parameterKey ParameterKey parameterName ParameterName paramKey paramName optionKey optionName
    fieldKey fieldName settingKey settingName`);
/** Includes the names of validators: Zod, Ajv, Pydantic, Spring, FluentValidation. */
const holdingFields = splitBySpaces(`
    value val content data input received rejectedValue attemptedValue AttemptedValue invalidValue
    parameterValue ParameterValue paramValue optionValue fieldValue settingValue`);
/** RFC 7518, section 6. */
const privateMembers = splitBySpaces('d p q dp dq qi k');

const roles = new Map<string, number>([
  ...namingFields.map((key) => [key, role.names] as const),
  ...holdingFields.map((key) => [key, role.holds] as const),
  ['kind', role.kind],
  ['kty', role.keyType],
  ['code', role.signIn],
  ['state', role.signIn],
]);

/** `{name: "password", value: "hunter2"}`, `{path: ["password"], received: …}`. */
function heldFields(value: JsonObject, keys: readonly string[], extra: ExtraFields): string[] {
  const isNamed = keys.some((key) => {
    if (((roles.get(key) ?? 0) & role.names) === 0) return false;
    const name = fieldNameOf(key, value[key]);
    const verdict = name === '' ? 'plain' : classifyFieldName(name, extra);
    return isSecretVerdict(verdict) || verdict === 'address';
  });
  if (!isNamed) return [];
  return keys.filter((key) => {
    if (((roles.get(key) ?? 0) & role.holds) === 0) return false;
    const text = value[key];
    return typeof text === 'string' && !isPublicValue(text, true);
  });
}

/** In these, slashes separate names; elsewhere such text is a URL. */
const pointers: ReadonlySet<string> = new Set(['instancePath', 'dataPath']);

function fieldNameOf(key: string, named: unknown): string {
  const last: unknown = Array.isArray(named) ? named.findLast((part) => typeof part === 'string') : named;
  if (typeof last !== 'string' || last.length > 256) return '';
  if (pointers.has(key)) return last.slice(last.lastIndexOf('/') + 1);
  return key === 'path' && last.includes('/') ? '' : last;
}

function kubernetesFields(value: JsonObject): string[] {
  return ['data', 'stringData'].filter((key) => isJsonObject(getOwn(value, key)));
}

function signInFields(value: JsonObject, keys: readonly string[]): string[] {
  const around = { isSignIn: isSignInForm(keys), isLink: false, isAddress: keys.includes('state') };
  return ['code', 'state'].filter((key) => {
    const text = getOwn(value, key);
    return typeof text === 'string' && isSecretParameter(key, text, around);
  });
}

/** Maps each secret entry to what is kept of it: "[Filtered]", with the option before it where both are one. */
export function findSecretEntries(sent: readonly unknown[], extra: ExtraFields): ReadonlyMap<number, string> {
  const list = sent.map(withoutQuotes);
  let found: Map<number, string> | null = null;
  let insidePem = false;
  let isAllText = list.length > 1;
  for (const [index, entry] of list.entries()) {
    const isText = typeof entry === 'string';
    const isHidden = (insidePem && isText) || (index > 0 && isBehindName(list, index, extra));
    if (isHidden) found = (found ?? new Map<number, string>()).set(index, filteredText);
    if (!isText) isAllText = false;
    else if (entry.includes('-----')) insidePem = isInsidePem(entry, insidePem);
  }
  if (!isAllText) return found ?? none;
  for (const [index, value] of findSecretArguments(list as readonly string[])) {
    found = (found ?? new Map<number, string>()).set(index, value + filteredText);
  }
  return found ?? none;
}

/** Python's SDK writes list entries as their repr: `'--password'`, `b'hunter2'`. */
function withoutQuotes(entry: unknown): unknown {
  if (typeof entry !== 'string' || entry.length < 3) return entry;
  const last = entry.at(-1);
  return last === "'" || last === '"' ? (/^[bBuUrR]{0,2}(["'])(.+)\1$/s.exec(entry)?.[2] ?? entry) : entry;
}

const none: ReadonlyMap<number, string> = new Map();

function isInsidePem(line: string, before: boolean): boolean {
  const begin = line.lastIndexOf('-----BEGIN ');
  const end = line.lastIndexOf('-----END ');
  if (begin === -1 && end === -1) return before;
  return (
    begin > end &&
    !/^-----BEGIN (?:[A-Z0-9 ]{0,16}(?:CERTIFICATE|PUBLIC KEY|CRL|PARAMETERS))/.test(line.slice(begin))
  );
}

const option = /^--?[A-Za-z][\w-]{0,64}$/;
const ending = /(?<![\w.-])([\w.-]{2,64})["'\]]?\s{0,2}(?:[:=]|=>|->|→|\sis:?)\s{0,4}$/;
const bareName = /^[A-Za-z_$@:][\w.:$-]{1,63}$/;

function isBehindName(list: readonly unknown[], index: number, extra: ExtraFields): boolean {
  const before = list[index - 1];
  if (typeof before !== 'string' || before.length > 256) return false;
  const value: unknown = list[index];
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'object') {
    return false;
  }
  const text = String(value);
  if (option.test(before)) return !text.startsWith('-') && isSecret(classifyFieldName(before, extra), text);
  const named = /(?:[:=>→]|\sis)\s{0,4}$/.test(before.slice(-8))
    ? ending.exec(before.slice(-80))?.[1]
    : undefined;
  if (named !== undefined) return isSecret(classifyFieldName(named, extra), text);
  if (before.length > 64 || !isSecret(classifyFieldName(before, extra), text) || !bareName.test(before))
    return false;
  // In a pair the second entry is the value; in a longer list a plain word is another name.
  if (isFieldName(text)) return false;
  return list.length === 2 || !/^[a-z][a-z_.-]*$|^[A-Z][a-z]+$|^\d{1,9}$/.test(text);
}

function isSecret(verdict: FieldNameVerdict, text: string): boolean {
  if (verdict === 'random') return looksRandom(text);
  if (verdict === 'pin') return looksLikePin(text);
  if (!isSecretVerdict(verdict) || isPublicValue(text, true)) return false;
  return !(verdict === 'counted' && /^\d{1,9}$/.test(text));
}
