// What PHP makes of a POST body: $_POST, $_FILES, and the bytes left for php://input.
import { parseMultipart } from '../php/multipart.ts';
import { parseQueryString } from '../php/query-string.ts';
import { entriesOf, type PhpValue } from '../php/values.ts';
import type { UploadedFile } from './parameters.ts';

export type FormBody = {
  readonly bytes: Buffer;
  /** Null where PHP parses no form: other method, other type, or too large. */
  readonly form: ReadonlyMap<string, PhpValue> | null;
  readonly fileParams: PhpValue;
  readonly files: readonly UploadedFile[];
};

export type FormLimits = {
  /** Larger forms are not parsed at all (`post_max_size`). */
  readonly formBytesMax: number;
  /** Larger files are refused (`upload_max_filesize`). */
  readonly fileBytesMax: number;
};

export type FormSource = {
  readonly method?: string | undefined;
  readonly headers: { readonly 'content-type'?: string | undefined };
};

/** Parses the form of a POST request. For other methods WordPress parses forms later. */
export function readForm(incoming: FormSource, bytes: Buffer, limits: FormLimits): FormBody {
  const noForm: FormBody = { bytes, form: null, fileParams: [], files: [] };
  if (incoming.method !== 'POST' || bytes.length > limits.formBytesMax) return noForm;
  const header = incoming.headers['content-type'] ?? '';
  const type = formType(header);
  if (type === 'application/x-www-form-urlencoded') {
    return { ...noForm, form: new Map(entriesOf(parseQueryString(bytes, 'form'))) };
  }
  const parsed = type === 'multipart/form-data' ? parseMultipart(bytes, header, limits) : null;
  if (parsed === null) return noForm;
  const { fields, fileParams, files } = parsed;
  // PHP consumes a multipart body: php://input is empty.
  return { bytes: Buffer.alloc(0), form: new Map(entriesOf(fields)), fileParams, files };
}

/** PHP's own lookup: lower case, cut at the first semicolon, comma or blank. */
function formType(header: string): string {
  return header.split(/[;, ]/, 1)[0]?.toLowerCase() ?? '';
}
