// What PHP makes of a POST body before WordPress runs: $_POST, $_FILES, and the bytes that php://input still gives.
import type { IncomingMessage } from 'node:http';
import { parseContentType } from './content-type.ts';
import { parseQueryString } from './php-query-string.ts';
import { entriesOf, type PhpValue } from './php-values.ts';
import type { UploadedFile } from './rest-request.ts';

export type FormBody = {
  readonly bytes: Buffer;
  /** Null where PHP reads no form: another method, another type, or too large. */
  readonly form: ReadonlyMap<string, PhpValue> | null;
  readonly fileParams: PhpValue;
  readonly files: readonly UploadedFile[];
};

/** Reads the form of a real POST; of other methods WordPress reads forms itself, later. */
export async function readForm(
  incoming: IncomingMessage,
  bytes: Buffer,
  formBytesMax: number,
): Promise<FormBody> {
  const none: FormBody = { bytes, form: null, fileParams: [], files: [] };
  if (incoming.method !== 'POST' || bytes.length > formBytesMax) return none;
  const type = parseContentType(incoming.headers['content-type'])?.value;
  if (type === 'application/x-www-form-urlencoded') {
    return { ...none, form: new Map(entriesOf(parseQueryString(bytes, 'form'))) };
  }
  return none;
}
