// Parses the JSON of items and events with PHP's rules and error codes.

import { type ReadOptions, readPlainJson } from '../../wordpress/php/json-decode.ts';
import { countValues } from '../../wordpress/php/json-tokens.ts';
import { createBadRequestError } from '../errors.ts';
import { isJsonObject, type JsonObject } from './unknown-values.ts';

const itemJsonDepthMax = 100;

/** Invalid text is replaced instead of refused. */
export const lenientJsonOptions: ReadOptions = { depthMax: itemJsonDepthMax, isLenient: true };

export interface LenientJson<Value> {
  readonly value: Value;
  /** Paths where U+FFFD replaced invalid text, such as `tags.0.1`; empty for a top-level name. */
  readonly replacedAt: readonly string[];
}

/** Strict, at most 100 levels, UTF-8. Throws 400 `rest_invalid_json` with PHP's error code. */
export function parseItemJson(payload: Uint8Array, bounds: Pick<ReadOptions, 'valuesMax'> = {}): unknown {
  return readJson(payload, { depthMax: itemJsonDepthMax, ...bounds }).value;
}

/** Throws 400 `rest_invalid_json`. */
export function parseLenientJson(payload: Uint8Array): LenientJson<unknown> {
  return readJson(payload, lenientJsonOptions);
}

function readJson(payload: Uint8Array, options: ReadOptions): LenientJson<unknown> {
  const read = readPlainJson(payload, options);
  if (read.ok) return read;
  throw createBadRequestError('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: read.code,
    json_error_message: read.message,
  });
}

/** Reads the JSON object of an item leniently. Throws 400 that names the item's type. */
export function parseItemObject(payload: Uint8Array, itemType: string): LenientJson<JsonObject> {
  const { value, replacedAt } = readJson(payload, lenientJsonOptions);
  if (isJsonObject(value)) return { value, replacedAt };
  throw createBadRequestError(
    'notifier_invalid_envelope',
    `The envelope is not valid: ${/^[aeiou]/.test(itemType) ? 'an' : 'a'} ${itemType} that is not a JSON object.`,
  );
}

/** Bodies within both limits are parsed on the main thread; the worst known one takes 27 ms. */
export const smallJsonBytesMax = 64 * 1024;
const lightValuesMax = 5_000;

/** An element takes at least two bytes. */
const surelyLightBytes = 2 * lightValuesMax;

/** True if parsing would block the event loop: too many bytes or values. */
export function isLargeJson(bytes: Uint8Array): boolean {
  if (bytes.length <= surelyLightBytes) return false;
  return bytes.length > smallJsonBytesMax || countValues(bytes, lightValuesMax) > lightValuesMax;
}
