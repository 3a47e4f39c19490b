// Bodies already read by a body parser of the Express app that mounts us: turns `request.body` back into bytes.
import type { IncomingMessage } from 'node:http';
import { RestError } from '../../core/errors.ts';
import { storeReadBody } from './read-ahead.ts';

type ParsedRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown };

export function restoreParsedBody(incoming: IncomingMessage): RestError | null {
  if (!hasBody(incoming) || !wasRead(incoming)) return null;
  const bytes = bytesOf(incoming);
  if (bytes === null) {
    return new RestError(
      'notifier_body_already_read',
      'The body of this request was read before Notifier could read it. Mount its router before the body parsers.',
      500,
    );
  }
  storeReadBody(incoming, bytes);
  // Parsers decompress, so the headers must match the bytes.
  delete incoming.headers['content-encoding'];
  incoming.headers['content-length'] = String(bytes.length);
  return null;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/** A flowing stream would lose data before we listen. */
function wasRead(incoming: IncomingMessage): boolean {
  return incoming.readableDidRead || incoming.readableEnded || incoming.readableFlowing === true;
}

function bytesOf(incoming: ParsedRequest): Buffer | null {
  const { headers, rawBody, body } = incoming;
  const parsed = ArrayBuffer.isView(rawBody) ? rawBody : body;
  if (ArrayBuffer.isView(parsed)) return Buffer.from(parsed.buffer, parsed.byteOffset, parsed.byteLength);
  if (typeof parsed === 'string') return isWhole(parsed, headers) ? Buffer.from(parsed) : null;
  try {
    const text = textOf(parsed, headers['content-type'] ?? '');
    return text === null ? null : Buffer.from(text);
  } catch {
    // Circular, or not serializable.
    return null;
  }
}

/** Text that lost bytes in decoding holds U+FFFD and has another length than was sent. */
function isWhole(text: string, headers: IncomingMessage['headers']): boolean {
  if (!text.includes('\ufffd')) return true;
  const isEncoded = headers['content-encoding'] !== undefined;
  return !isEncoded && Buffer.byteLength(text) === Number(headers['content-length']);
}

const jsonType = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;

function textOf(value: unknown, contentType: string): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (isFormOfJson(value)) return null;
  if (type === 'application/x-www-form-urlencoded') return isRecord(value) ? formText(value) : null;
  if (jsonType.test(type)) return JSON.stringify(value) ?? null;
  // For parsers that accept any type: a non-empty object was JSON.
  const isJson = (type === '' || type === 'text/plain') && isRecord(value) && Object.keys(value).length > 0;
  return isJson ? JSON.stringify(value) : null;
}

function isFormOfJson(value: unknown): boolean {
  if (!isRecord(value) || Array.isArray(value)) return false;
  const [first = ''] = Object.keys(value);
  return /^\s*[{[]/.test(first);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function formText(form: Record<string, unknown>): string {
  const pairs = Object.entries(form).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

/** PHP's field names: `tags[a]`, `list[]`. A parser without bracket support leaves them in the name. */
function pairsOf(name: string, value: unknown): Array<[string, string]> {
  if (Array.isArray(value)) {
    const isFlat = !value.some(isRecord);
    const each = isFlat && name.endsWith(']') ? name : `${name}[]`;
    return value.flatMap((one, index) => pairsOf(isFlat ? each : `${name}[${index}]`, one));
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([member, one]) => pairsOf(`${name}[${member}]`, one));
  }
  return [[name, String(value ?? '')]];
}
