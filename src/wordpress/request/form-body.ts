// What PHP makes of a POST body before WordPress runs: $_POST, $_FILES, and the bytes that php://input still
// gives.
import { parseMultipart } from '../php/multipart.ts';
import { parseQueryString } from '../php/query-string.ts';
import { entriesOf, type PhpValue } from '../php/values.ts';
import type { UploadedFile } from './parameters.ts';

export type FormBody = {
  readonly bytes: Buffer;
  /** Null where PHP reads no form: another method, another type, or too large. */
  readonly form: ReadonlyMap<string, PhpValue> | null;
  readonly fileParams: PhpValue;
  readonly files: readonly UploadedFile[];
};

export type FormLimits = {
  /** Bytes of a form past which PHP reads none of it (`post_max_size`). */
  readonly formBytesMax: number;
  /** Bytes of one file past which it is refused (`upload_max_filesize`). */
  readonly fileBytesMax: number;
};

/** What PHP looks at of a request before it reads its form. */
export type FormSource = {
  readonly method?: string | undefined;
  readonly headers: { readonly 'content-type'?: string | undefined };
};

/** Reads the form of a real POST; of other methods WordPress reads forms itself, later. */
export function readForm(incoming: FormSource, bytes: Buffer, limits: FormLimits): FormBody {
  const none: FormBody = { bytes, form: null, fileParams: [], files: [] };
  if (incoming.method !== 'POST' || bytes.length > limits.formBytesMax) return none;
  const header = incoming.headers['content-type'] ?? '';
  const type = formType(header);
  if (type === 'application/x-www-form-urlencoded') {
    return { ...none, form: new Map(entriesOf(parseQueryString(bytes, 'form'))) };
  }
  const parsed = type === 'multipart/form-data' ? parseMultipart(bytes, header, limits) : null;
  if (parsed === null) return none;
  const { fields, fileParams, files } = parsed;
  // PHP reads a multipart body away: nothing is left of it as bytes.
  return { bytes: Buffer.alloc(0), form: new Map(entriesOf(fields)), fileParams, files };
}

/** A Content-Type as PHP itself looks it up: lower case, cut at the first semicolon, comma or blank. */
function formType(header: string): string {
  return header.split(/[;, ]/, 1)[0]?.toLowerCase() ?? '';
}
