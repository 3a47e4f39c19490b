// The JSON of an item or of an event, read as PHP reads it, or refused in WordPress's words (D-83).
import { type ReadOptions, readPlainJson } from '../../wordpress/php/json-plain.ts';
import { badRequest } from '../errors.ts';
import { isRecord, type JsonRecord } from './lenient.ts';

/** Levels of objects and lists in the JSON of an item (D-18). */
const itemJsonDepthMax = 100;

/** How JSON of events and bug reports is read: broken text in it is replaced, nothing is lost for it. */
export const lenientJson: ReadOptions = { depthMax: itemJsonDepthMax, isLenient: true };

/** A value that was read leniently. */
export interface LenientJson<Value> {
  readonly value: Value;
  /** Where U+FFFD stands in place of broken text: paths such as `tags.0.1`, empty for a name at the top. */
  readonly replacedAt: readonly string[];
}

/**
 * JSON as WordPress's strict reader takes it. At most 100 levels deep and in UTF-8; throws 400
 * `rest_invalid_json` with PHP's code otherwise (NaN and Infinity, which old Python wrote, are no JSON).
 */
export function readItemJson(payload: Uint8Array, bounds: Pick<ReadOptions, 'valuesMax'> = {}): unknown {
  return readJson(payload, { depthMax: itemJsonDepthMax, ...bounds }).value;
}

/** JSON of any kind, read leniently. Throws 400 `rest_invalid_json` for what is none. */
export function readLenientJson(payload: Uint8Array): LenientJson<unknown> {
  return readJson(payload, lenientJson);
}

function readJson(payload: Uint8Array, options: ReadOptions): LenientJson<unknown> {
  const read = readPlainJson(payload, options);
  if (read.ok) return read;
  throw badRequest('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: read.code,
    json_error_message: read.message,
  });
}

/**
 * The JSON object of an item, read leniently as an event is read on every route (D-83). Throws 400 for what
 * is none; `what` is the item's type.
 */
export function readItemRecord(payload: Uint8Array, what: string): LenientJson<JsonRecord> {
  const { value, replacedAt } = readJson(payload, lenientJson);
  if (isRecord(value)) return { value, replacedAt };
  throw badRequest(
    'notifier_invalid_envelope',
    `The envelope is not valid: ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} that is not a JSON object.`,
  );
}
