import { isIntegerKey, type PhpValue } from '../php/values.ts';

export type ParameterSource = 'JSON' | 'POST' | 'GET' | 'URL' | 'defaults';

export type Parameters = Map<string, PhpValue>;

/** Parameters of a body that was parsed and checked in a worker. */
export type ParsedParameters = {
  readonly json: ReadonlyArray<readonly [string, PhpValue]> | null;
  readonly scalar: PhpValue;
  readonly form: ReadonlyArray<readonly [string, PhpValue]>;
  readonly fileParams: PhpValue;
  readonly files: readonly UploadedFile[];
};

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

/** PHP's array_merge: string keys are overwritten, integer keys renumbered. */
export function phpArrayMerge(first: Iterable<[string, PhpValue]>, second: Parameters): Parameters {
  const merged: Parameters = new Map();
  let next = 0;
  for (const [name, value] of [...first, ...second]) {
    if (isIntegerKey(name)) merged.set(String(next++), value);
    else merged.set(name, value);
  }
  return merged;
}
