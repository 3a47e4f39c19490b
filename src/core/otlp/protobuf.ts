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

const one = (name: string, is: Field['is']): Field => ({ name, is });
const many = (name: string, is: () => Message): Field => ({ name, is, isList: true });

const anyValue: Message = {
  1: one('stringValue', 'text'),
  2: one('boolValue', 'flag'),
  3: one('intValue', 'integer'),
  4: one('doubleValue', 'double'),
  5: one('arrayValue', () => ({ 1: many('values', () => anyValue) })),
  6: one('kvlistValue', () => ({ 1: many('values', () => keyValue) })),
  7: one('bytesValue', 'bytes'),
};
const keyValue: Message = { 1: one('key', 'text'), 2: one('value', () => anyValue) };
const attributes = many('attributes', () => keyValue);
const resource = one('resource', () => ({ 1: attributes }));
const scope = one('scope', () => ({ 1: one('name', 'text'), 2: one('version', 'text') }));

const logRecord: Message = {
  1: one('timeUnixNano', 'fixed64'),
  2: one('severityNumber', 'integer'),
  3: one('severityText', 'text'),
  5: one('body', () => anyValue),
  6: attributes,
  9: one('traceId', 'hex'),
  10: one('spanId', 'hex'),
  11: one('observedTimeUnixNano', 'fixed64'),
};
const spanEvent: Message = { 1: one('timeUnixNano', 'fixed64'), 2: one('name', 'text'), 3: attributes };
const span: Message = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'text'),
  9: attributes,
  11: many('events', () => spanEvent),
};

const requests = {
  logs: exportOf(
    'resourceLogs',
    'scopeLogs',
    many('logRecords', () => logRecord),
  ),
  traces: exportOf(
    'resourceSpans',
    'scopeSpans',
    many('spans', () => span),
  ),
} as const satisfies Record<string, Message>;

function exportOf(outer: string, inner: string, items: Field): Message {
  return { 1: many(outer, () => ({ 1: resource, 2: many(inner, () => ({ 1: scope, 2: items })) })) };
}

/** Messages in messages; OTLP itself needs six, the rest is for values in values. */
const depthMax = 32;
const messagesMax = 200_000;

class Malformed extends Error {}

/** Null where the bytes are no message of that kind. Unknown fields are skipped. */
export function readOtlpProtobuf(bytes: Uint8Array, signal: keyof typeof requests): JsonObject | null {
  try {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return readMessage(whole, requests[signal], { depth: 0, counted: { messages: 0 } });
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
