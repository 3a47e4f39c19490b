// Parameters of a request: where they come from, how they are merged, what of them can be handed on.
import { entriesOf, isIntegerKey, type PhpValue } from '../php/values.ts';

/** Where a parameter can come from, in WordPress's names. */
export type Source = 'JSON' | 'POST' | 'GET' | 'URL' | 'defaults';

export type Parameters = Map<string, PhpValue>;

/** Parameters of a body that was read and checked elsewhere. */
export type ReadParameters = {
  /** Members of a JSON array or object; null where the body is no JSON, or a scalar. */
  readonly json: ReadonlyArray<readonly [string, PhpValue]> | null;
  readonly scalar: PhpValue;
  readonly form: ReadonlyArray<readonly [string, PhpValue]>;
  readonly fileParams: PhpValue;
  readonly files: readonly UploadedFile[];
};

/** A file of a multipart body, its bytes in memory. */
export type UploadedFile = {
  readonly fieldName: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Buffer;
};

const zero = 0x30;

export function isEmptyBody(body: Buffer): boolean {
  return body.length === 0 || (body.length === 1 && body[0] === zero);
}

/** The members of an array by name; a fresh map, because checking converts values in place. */
export function toParameters(value: PhpValue): Parameters {
  if (value instanceof Map || Array.isArray(value)) return new Map(entriesOf(value));
  const parameters: Parameters = new Map();
  for (const name of Object.keys(value as object)) {
    parameters.set(name, (value as { readonly [name: string]: PhpValue })[name] as PhpValue);
  }
  return parameters;
}

/** PHP's array_merge: text names of the second replace, integer names of both are counted anew. */
export function phpMerge(first: Iterable<[string, PhpValue]>, second: Parameters): Parameters {
  const merged: Parameters = new Map();
  let next = 0;
  for (const [name, value] of [...first, ...second]) {
    if (isIntegerKey(name)) merged.set(String(next++), value);
    else merged.set(name, value);
  }
  return merged;
}
