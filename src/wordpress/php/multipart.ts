// multipart/form-data as PHP parses it into $_POST and $_FILES, in memory.
import { inputVariablesMax } from './query-string.ts';
import { decodePhpString } from './strings.ts';
import type { PhpArray, PhpValue } from './values.ts';
import {
  createVariables,
  decodeBinaryString,
  registerVariable,
  toArray,
  type Variables,
} from './variables.ts';

type MultipartFile = {
  readonly fieldName: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Buffer;
};

export type MultipartBody = {
  readonly fields: PhpArray;
  /** `$_FILES`, refused files included; `tmp_name` is always "". */
  readonly fileParams: PhpArray;
  /** Those whose `error` is 0. */
  readonly files: readonly MultipartFile[];
};

export type MultipartOptions = {
  /** `upload_max_filesize` in bytes; larger files get error 1. */
  readonly fileBytesMax?: number;
  readonly filesMax?: number;
};

/** Null without a boundary: PHP then parses nothing and php://input keeps the body. */
export function parseMultipart(
  bytes: Uint8Array,
  contentType: string,
  options: MultipartOptions = {},
): MultipartBody | null {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const reader: Reader = {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    at: 0,
    boundary,
  };
  const form: Form = {
    fields: createVariables(),
    fileParams: createVariables(),
    files: [],
    fieldCount: 0,
    anonymousCount: 0,
    filesLeft: options.filesMax ?? 20,
    fileBytesMax: options.fileBytesMax ?? 2 * 1024 * 1024,
    formFileBytesMax: 0,
  };
  let partsLeft = inputVariablesMax + form.filesLeft;
  while (partsLeft > 0 && skipToBoundary(reader)) {
    const headers = readHeaders(reader);
    const disposition = headers.get('content-disposition');
    if (disposition === undefined) continue;
    partsLeft -= 1;
    if (!readPart(reader, form, disposition, headers)) break;
  }
  return { fields: toArray(form.fields), fileParams: toArray(form.fileParams), files: form.files };
}

type Reader = { readonly bytes: Buffer; at: number; readonly boundary: string };

type Form = {
  readonly fields: Variables;
  readonly fileParams: Variables;
  readonly files: MultipartFile[];
  fieldCount: number;
  anonymousCount: number;
  filesLeft: number;
  readonly fileBytesMax: number;
  /** Value of a preceding MAX_FILE_SIZE field; 0 for none. */
  formFileBytesMax: number;
};

function boundaryOf(contentType: string): string | null {
  const named = /boundary[^=]*=(.*)$/is.exec(contentType)?.[1];
  if (named === undefined) return null;
  if (!named.startsWith('"')) return `--${/^[^,;]*/.exec(named)?.[0] ?? ''}`;
  const end = named.indexOf('"', 1);
  return end < 0 ? null : `--${named.slice(1, end)}`;
}

function readLine(reader: Reader): string | null {
  const end = reader.bytes.indexOf(0x0a, reader.at);
  if (end < 0) return null;
  const line = reader.bytes.toString('latin1', reader.at, end);
  reader.at = end + 1;
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const nul = text.indexOf('\0');
  return nul < 0 ? text : text.slice(0, nul);
}

function skipToBoundary(reader: Reader): boolean {
  for (let line = readLine(reader); line !== null; line = readLine(reader)) {
    if (line === reader.boundary) return true;
  }
  return false;
}

function readHeaders(reader: Reader): Map<string, string> {
  const headers = new Map<string, string>();
  let name: string | null = null;
  for (let line = readLine(reader); line !== null && line !== ''; line = readLine(reader)) {
    const colon = /^[ \t\v\f]/.test(line) ? -1 : line.indexOf(':');
    if (colon >= 0) {
      name = line.slice(0, colon).toLowerCase();
      // PHP uses the first of repeated headers.
      if (headers.has(name)) name = null;
      else headers.set(name, line.slice(colon + 1).replace(/^[ \t\v\f\r]+/, ''));
    } else if (name !== null) {
      headers.set(name, (headers.get(name) ?? '') + line);
    }
  }
  return headers;
}

/** False where PHP gives up on the whole body. */
function readPart(reader: Reader, form: Form, disposition: string, headers: Map<string, string>): boolean {
  const { name, filename } = namesIn(disposition);
  if (name === undefined && filename === undefined) return false;
  const body = readBody(reader);
  if (filename === undefined) readField(form, name ?? '', body.bytes);
  else readFile(form, name, filename, body, headers.get('content-type') ?? '');
  return true;
}

function readField(form: Form, name: string, bytes: Buffer): void {
  form.fieldCount += 1;
  if (form.fieldCount > inputVariablesMax) return;
  const value = decodePhpString(bytes);
  registerVariable(form.fields, name, value);
  if (name.toUpperCase() === 'MAX_FILE_SIZE') form.formFileBytesMax = Number.parseInt(value, 10) || 0;
}

function readFile(form: Form, name: string | undefined, filename: string, body: Body, type: string): void {
  const field = name ?? String(form.anonymousCount);
  if (name === undefined) form.anonymousCount += 1;
  // After a name with bad brackets PHP accepts no more files.
  if (!hasGoodBrackets(field)) form.filesLeft = 0;
  if (form.filesLeft <= 0) return;
  const error = fileError(form, filename, body);
  if (filename !== '') form.filesLeft -= 1;
  const base = /[^/\\]*$/.exec(filename)?.[0] ?? '';
  const contentType = error === 0 ? (/^[^;]*/.exec(type)?.[0] ?? '') : '';
  registerFile(form, field, {
    name: decodeBinaryString(base),
    full_path: decodeBinaryString(filename),
    type: decodeBinaryString(contentType),
    tmp_name: '',
    error,
    size: error === 0 ? body.bytes.length : 0,
  });
  if (error !== 0) return;
  const [fieldName, text] = [decodeBinaryString(field), decodeBinaryString(base)];
  form.files.push({
    fieldName,
    filename: text,
    contentType: decodeBinaryString(contentType),
    bytes: body.bytes,
  });
}

/** UPLOAD_ERR: 4 no file, 3 partial, 1 too large for the server, 2 for the form. */
function fileError(form: Form, filename: string, body: Body): 0 | 1 | 2 | 3 | 4 {
  if (filename === '') return 4;
  if (body.bytes.length > form.fileBytesMax) return 1;
  if (form.formFileBytesMax > 0 && body.bytes.length > form.formFileBytesMax) return 2;
  return body.isWhole ? 0 : 3;
}

/** `f[a]` is stored as `f[name][a]`, `f[type][a]` and so on. */
function registerFile(form: Form, field: string, file: Readonly<Record<string, PhpValue>>): void {
  const bracket = field.indexOf('[');
  const [head, tail] = bracket < 0 ? [field, ''] : [field.slice(0, bracket), field.slice(bracket)];
  for (const [key, value] of Object.entries(file)) {
    registerVariable(form.fileParams, `${head}[${key}]${tail}`, value);
  }
}

/** Every bracket is closed, and only another bracket follows one. */
function hasGoodBrackets(name: string): boolean {
  let open = 0;
  for (const [index, char] of [...name].entries()) {
    if (char === '[') open += 1;
    if (char === ']') open -= 1;
    if (open < 0) return false;
    const next = name.charAt(index + 1);
    if (char === ']' && next !== '' && next !== '[') return false;
  }
  return open === 0;
}

type Body = { readonly bytes: Buffer; readonly isWhole: boolean };

/** Up to the next boundary; of a truncated body all that is left, except a partial boundary. */
function readBody(reader: Reader): Body {
  const { bytes, at } = reader;
  const delimiter = Buffer.from(`\n${reader.boundary}`, 'latin1');
  const found = bytes.indexOf(delimiter, at);
  let end = found < 0 ? begunAt(bytes, at, delimiter) : found;
  reader.at = end;
  if (end < bytes.length && end > at && bytes[end - 1] === 0x0d) end -= 1;
  return { bytes: bytes.subarray(at, end), isWhole: found >= 0 };
}

function begunAt(bytes: Buffer, start: number, delimiter: Buffer): number {
  for (let length = Math.min(delimiter.length, bytes.length - start); length > 0; length -= 1) {
    const position = bytes.length - length;
    if (bytes.subarray(position).equals(delimiter.subarray(0, length))) return position;
  }
  return bytes.length;
}

function namesIn(disposition: string): { name: string | undefined; filename: string | undefined } {
  let name: string | undefined;
  let filename: string | undefined;
  for (const pair of splitWords(disposition, ';')) {
    const [key = '', ...value] = splitWords(pair, '=');
    if (!pair.includes('=')) continue;
    const word = key.replace(/^[ \t\n\v\f\r]+/, '').toLowerCase();
    if (word === 'name') name = unquote(value.join('='));
    if (word === 'filename') filename = unquote(value.join('='));
  }
  return { name, filename };
}

function splitWords(text: string, separator: string): string[] {
  const words: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\' && text.charAt(at + 1) === quote) at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === separator) {
      words.push(text.slice(start, at));
      start = at + 1;
    }
  }
  words.push(text.slice(start));
  return words;
}

/** Quoted text, or unquoted text up to the first blank; a backslash escapes itself and the quote. */
function unquote(text: string): string {
  const value = text.replace(/^[ \t\n\v\f\r]+/, '');
  const quote = value.startsWith('"') || value.startsWith("'") ? value.charAt(0) : '';
  const content = quote === '' ? (/^[^ \t\n\v\f\r]*/.exec(value)?.[0] ?? '') : value.slice(1);
  let output = '';
  for (let at = 0; at < content.length && (quote === '' || content.charAt(at) !== quote); at += 1) {
    const next = content.charAt(at + 1);
    const isEscaped = content.charAt(at) === '\\' && (next === '\\' || (quote !== '' && next === quote));
    if (isEscaped) at += 1;
    output += content.charAt(at);
  }
  return output;
}
