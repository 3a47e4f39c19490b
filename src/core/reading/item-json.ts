// The JSON of an item or of an event, read as PHP reads it, or refused in WordPress's words (D-83).
import { type ReadOptions, readPlainJson } from '../../wordpress/php/json-plain.ts';
import { badRequest } from '../errors.ts';
import { isRecord, type JsonRecord } from './lenient.ts';

/** Levels of objects and lists in the JSON of an item (D-18). */
export const itemJsonDepthMax = 100;

/**
 * The JSON of an item's payload, read as an event is read on every route (D-83). At most 100 levels deep and
 * in UTF-8; throws 400 `rest_invalid_json` with PHP's code otherwise (NaN and Infinity, which old Python
 * wrote, are no JSON).
 */
export function readItemJson(payload: Uint8Array, bounds: Pick<ReadOptions, 'valuesMax'> = {}): unknown {
  const read = readPlainJson(payload, { depthMax: itemJsonDepthMax, ...bounds });
  if (read.ok) return read.value;
  throw badRequest('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: read.code,
    json_error_message: read.message,
  });
}

/** The JSON object of an item. Throws 400 for what is none; `what` is the item's type. */
export function readItemRecord(payload: Uint8Array, what: string): JsonRecord {
  const value = readItemJson(payload);
  if (isRecord(value)) return value;
  throw badRequest(
    'notifier_invalid_envelope',
    `The envelope is not valid: ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} that is no JSON object.`,
  );
}
