// Fields that are secrets because of the fields beside them: the value beside a name, what a validator was
// given, what a Kubernetes secret or a private key in JSON holds. What is bound to statements is in
// statements.ts.
import { isRecord, type JsonRecord, own } from '../../reading/lenient.ts';
import { isSecretParameter, namesSignIn } from './links.ts';
import { secretEntries } from './lists.ts';
import { type ExtraFields, judgeKey, promisesSecret } from './names.ts';
import { hidesNothing } from './worth.ts';

const filtered = '[Filtered]';

/** Fields of an object that are secrets, and what is kept of each; null where there are none. */
export function secretFields(
  value: JsonRecord,
  keys: readonly string[],
  extra: ExtraFields,
): ReadonlyMap<string, string> | null {
  // A list that was made an object by index.
  if (keys[0] === '0' && keys.length > 1 && keys.every((key, index) => key === String(index))) {
    const entries = secretEntries(
      keys.map((key) => value[key]),
      extra,
    );
    return new Map([...entries].map(([index, kept]) => [String(index), kept]));
  }
  let seen = 0;
  for (const key of keys) seen |= roles.get(key) ?? 0;
  if (seen === 0) return null;
  const found = new Map<string, string>();
  const hide = (fields: readonly string[]): void => {
    for (const key of fields) found.set(key, filtered);
  };
  if ((seen & role.names) !== 0 && (seen & role.holds) !== 0) hide(heldFields(value, keys, extra));
  if ((seen & role.kind) !== 0 && value['kind'] === 'Secret') hide(kubernetesFields(value));
  if ((seen & role.keyType) !== 0 && typeof value['kty'] === 'string') {
    hide(privateMembers.filter((key) => typeof own(value, key) === 'string'));
  }
  if ((seen & role.signIn) !== 0) hide(signInFields(value, keys));
  return found.size === 0 ? null : found;
}

/** What a field may be to those beside it. */
const role = { names: 1, holds: 2, kind: 4, keyType: 8, signIn: 16 } as const;
const namingFields = [
  ...[
    'name',
    'key',
    'field',
    'param',
    'path',
    'loc',
    'instancePath',
    'dataPath',
    'propertyName',
    'PropertyName',
  ],
  ...[
    'propertyPath',
    'parameterKey',
    'ParameterKey',
    'parameterName',
    'ParameterName',
    'paramKey',
    'paramName',
  ],
  ...['optionKey', 'optionName', 'fieldKey', 'fieldName', 'settingKey', 'settingName'],
];
/** Also what validators call it that they were given: Zod, Ajv, Pydantic, Spring, FluentValidation. */
const holdingFields = [
  ...[
    'value',
    'val',
    'content',
    'data',
    'input',
    'received',
    'rejectedValue',
    'attemptedValue',
    'AttemptedValue',
  ],
  ...[
    'invalidValue',
    'parameterValue',
    'ParameterValue',
    'paramValue',
    'optionValue',
    'fieldValue',
    'settingValue',
  ],
];
/** The private members of a JSON web key (RFC 7518, 6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

const roles = new Map<string, number>([
  ...namingFields.map((key) => [key, role.names] as const),
  ...holdingFields.map((key) => [key, role.holds] as const),
  ['kind', role.kind],
  ['kty', role.keyType],
  ['code', role.signIn],
  ['state', role.signIn],
]);

/** `{name: "password", value: "hunter2"}`, `{path: ["password"], received: …}`: what holds the secret. */
function heldFields(value: JsonRecord, keys: readonly string[], extra: ExtraFields): string[] {
  const isNamed = keys.some((key) => {
    if (((roles.get(key) ?? 0) & role.names) === 0) return false;
    const name = fieldNameOf(key, value[key]);
    const verdict = name === '' ? 'plain' : judgeKey(name, extra);
    return promisesSecret(verdict) || verdict === 'address';
  });
  if (!isNamed) return [];
  return keys.filter((key) => {
    if (((roles.get(key) ?? 0) & role.holds) === 0) return false;
    const text = value[key];
    return typeof text === 'string' && !hidesNothing(text, true);
  });
}

/** Names in them are parted by slashes; elsewhere such a text is an address. */
const pointers: ReadonlySet<string> = new Set(['instancePath', 'dataPath']);

/** A name, or the last of a path: `["user", "password"]`, `/user/password`; "" where none is told. */
function fieldNameOf(key: string, named: unknown): string {
  const last: unknown = Array.isArray(named) ? named.findLast((part) => typeof part === 'string') : named;
  if (typeof last !== 'string' || last.length > 256) return '';
  if (pointers.has(key)) return last.slice(last.lastIndexOf('/') + 1);
  return key === 'path' && last.includes('/') ? '' : last;
}

function kubernetesFields(value: JsonRecord): string[] {
  return ['data', 'stringData'].filter((key) => isRecord(own(value, key)));
}

/** `code` and `state`, as a sign-in has them. */
function signInFields(value: JsonRecord, keys: readonly string[]): string[] {
  const around = { isSignIn: namesSignIn(keys), isLink: false, isAddress: keys.includes('state') };
  return ['code', 'state'].filter((key) => {
    const text = own(value, key);
    return typeof text === 'string' && isSecretParameter(key, text, around);
  });
}
