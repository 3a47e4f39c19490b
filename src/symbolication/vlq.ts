// Base64 VLQ, as the mappings of source maps have it (ECMA-426).
import { MapRefused } from './map-refused.ts';

const digits = base64Digits();

/**
 * Reads one VLQ number and adds it to `previous`; a result below 0 or over 31 bits is refused. A number has
 * 32 bits and may be written with any count of zeros before it.
 */
export function nextField(bytes: Buffer, state: { at: number }, end: number, previous: number): number {
  let at = state.at;
  let digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
  let value = digit & 31;
  for (let shift = 5; (digit & 32) !== 0; shift += 5) {
    if (digit === 255) throw notBase64(at >= end);
    at += 1;
    digit = at < end ? (digits[bytes[at] ?? 0] ?? 255) : 255;
    const bits = digit & 31;
    if (digit !== 255 && shift >= 30 && bits > (shift === 30 ? 3 : 0)) {
      throw new MapRefused('its mappings hold a number of more than 32 bits');
    }
    if (shift <= 30) value |= bits << shift;
  }
  state.at = at + 1;
  const delta = value >>> 1;
  const result = (value & 1) === 1 ? previous - delta : previous + delta;
  if (result < 0) throw new MapRefused('a mapping points before the start of its line, file or list');
  if (result > 0x7fffffff) throw new MapRefused('a mapping points beyond 31 bits');
  return result;
}

function notBase64(atEnd: boolean): MapRefused {
  return new MapRefused(
    atEnd
      ? 'its mappings end in the middle of a number'
      : 'its mappings hold a character that is no base64 digit',
  );
}

function base64Digits(): Uint8Array {
  const table = new Uint8Array(256).fill(255);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value += 1) table[alphabet.charCodeAt(value)] = value;
  return table;
}
