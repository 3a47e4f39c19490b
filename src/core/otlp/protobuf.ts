// Reads OTLP's protobuf (https://github.com/open-telemetry/opentelemetry-proto) into the shape of its JSON.
// By hand: eight messages need a hundred lines, and protobufjs brings 3 MB and reads what nobody keeps.
import type { JsonObject } from '../parsing/unknown-values.ts';

type Kind = 'text' | 'bytes' | 'hex' | 'integer' | 'flag' | 'fixed64' | 'double';

interface Field {
  readonly name: string;
  readonly is: Kind | (() => Message);
  readonly isList?: true;
}

type Message = Readonly<Record<number, Field>>;

const singular = (name: string, is: Field['is']): Field => ({ name, is });
const repeated = (name: string, is: () => Message): Field => ({ name, is, isList: true });

const anyValue: Message = {
  1: singular('stringValue', 'text'),
  2: singular('boolValue', 'flag'),
  3: singular('intValue', 'integer'),
  4: singular('doubleValue', 'double'),
  5: singular('arrayValue', () => ({ 1: repeated('values', () => anyValue) })),
  6: singular('kvlistValue', () => ({ 1: repeated('values', () => keyValue) })),
  7: singular('bytesValue', 'bytes'),
};
const keyValue: Message = { 1: singular('key', 'text'), 2: singular('value', () => anyValue) };
const attributes = repeated('attributes', () => keyValue);
const resource = singular('resource', () => ({ 1: attributes }));
const scope = singular('scope', () => ({ 1: singular('name', 'text'), 2: singular('version', 'text') }));

const logRecord: Message = {
  1: singular('timeUnixNano', 'fixed64'),
  2: singular('severityNumber', 'integer'),
  3: singular('severityText', 'text'),
  5: singular('body', () => anyValue),
  6: attributes,
  9: singular('traceId', 'hex'),
  10: singular('spanId', 'hex'),
  11: singular('observedTimeUnixNano', 'fixed64'),
};
const spanEvent: Message = {
  1: singular('timeUnixNano', 'fixed64'),
  2: singular('name', 'text'),
  3: attributes,
};
const span: Message = {
  1: singular('traceId', 'hex'),
  2: singular('spanId', 'hex'),
  4: singular('parentSpanId', 'hex'),
  5: singular('name', 'text'),
  9: attributes,
  11: repeated('events', () => spanEvent),
};

const requests = {
  logs: exportOf(
    'resourceLogs',
    'scopeLogs',
    repeated('logRecords', () => logRecord),
  ),
  traces: exportOf(
    'resourceSpans',
    'scopeSpans',
    repeated('spans', () => span),
  ),
} as const satisfies Record<string, Message>;

function exportOf(outer: string, inner: string, items: Field): Message {
  return { 1: repeated(outer, () => ({ 1: resource, 2: repeated(inner, () => ({ 1: scope, 2: items })) })) };
}

/** Messages in messages; OTLP itself needs six, the rest is for values in values. */
const depthMax = 32;
const messagesMax = 200_000;

class Malformed extends Error {}

/** Null where the bytes are no message of that kind. Unknown fields are skipped. */
export function readOtlpProtobuf(bytes: Uint8Array, signal: keyof typeof requests): JsonObject | null {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return readMessage(buffer, requests[signal], { depth: 0, counted: { messages: 0 } });
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

interface Nesting {
  readonly depth: number;
  readonly counted: { messages: number };
}

function readMessage(bytes: Buffer, message: Message, nesting: Nesting): JsonObject {
  nesting.counted.messages += 1;
  if (nesting.depth > depthMax || nesting.counted.messages > messagesMax) throw new Malformed();
  const read: JsonObject = {};
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const wire = readWire(bytes, tag.end, Number(tag.value & 7n));
    at = wire.end;
    const field = message[Number(tag.value >> 3n)];
    const value = field === undefined ? undefined : fieldValue(field.is, wire.value, nesting);
    if (field === undefined || value === undefined) continue;
    if (field.isList !== true) read[field.name] = value;
    else if (read[field.name] === undefined) read[field.name] = [value];
    else (read[field.name] as unknown[]).push(value);
  }
  return read;
}

type Wire = bigint | Buffer;

function readWire(bytes: Buffer, at: number, type: number): { value: Wire; end: number } {
  if (type === 0) return readVarint(bytes, at);
  const length = type === 2 ? readVarint(bytes, at) : null;
  const start = length?.end ?? at;
  const size = length === null ? { 1: 8, 5: 4 }[type] : Number(length.value);
  if (size === undefined || size > bytes.length - start) throw new Malformed();
  return { value: bytes.subarray(start, start + size), end: start + size };
}

function readVarint(bytes: Buffer, at: number): { value: bigint; end: number } {
  const first = bytes[at];
  if (first !== undefined && first < 0x80) return { value: BigInt(first), end: at + 1 };
  let value = 0n;
  for (let count = 0; count < 10; count += 1) {
    const byte = bytes[at + count];
    if (byte === undefined) break;
    value |= BigInt(byte & 0x7f) << BigInt(7 * count);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + count + 1 };
  }
  throw new Malformed();
}

/** Undefined where the field has another wire type than it should: a later version of the protocol. */
function fieldValue(kind: Field['is'], wire: Wire, nesting: Nesting): unknown {
  if (typeof wire === 'bigint') {
    if (kind === 'flag') return wire !== 0n;
    return kind === 'integer' ? String(BigInt.asIntN(64, wire)) : undefined;
  }
  if (typeof kind === 'function') return readMessage(wire, kind(), { ...nesting, depth: nesting.depth + 1 });
  if (kind === 'text') return wire.toString();
  if (kind === 'hex') return wire.toString('hex');
  if (kind === 'bytes') return wire.toString('base64');
  if (wire.length !== 8) return undefined;
  if (kind === 'fixed64') return String(wire.readBigUInt64LE());
  return kind === 'double' ? wire.readDoubleLE() : undefined;
}
