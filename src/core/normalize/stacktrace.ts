// Stacks and their frames, read as docs/events.md, "Fields" says.
import type { EventError } from '../../../schemas/event.ts';
import { mediumBag, notedBag, smallBag } from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import {
  absent,
  emptyRecord,
  isRecord,
  type JsonRecord,
  lenientString,
  note,
  own,
  put,
  readCount,
  readFlag,
  readText,
  withoutNul,
} from '../reading/lenient.ts';
import { keepUnknown } from './fields.ts';

/** Frames kept of one stack, the last ones: the fault is at the end. */
export const framesMax = 250;
/** Frames with variables and surrounding lines; of a longer stack the middle is thinned. */
export const fullFramesMax = 50;
const contextLinesMax = 20;
const sourceLineCharsMax = 1024;
const nameCharsMax = 256;

const frameTexts = [
  'function',
  'raw_function',
  'filename',
  'abs_path',
  'module',
  'package',
  'platform',
  'symbol',
  'addr_mode',
];
const frameAddresses = ['instruction_addr', 'image_addr', 'symbol_addr'];
const frameFields = new Set([
  ...frameTexts,
  ...frameAddresses,
  'lineno',
  'colno',
  'pre_context',
  'context_line',
  'post_context',
  'in_app',
  'stack_start',
  'vars',
]);

/** A stack, oldest call first; undefined where it holds no frame (`null` and `[]` are seen in the wild). */
export function readStacktrace(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  const source = Array.isArray(value) ? { frames: value } : value;
  if (!isRecord(source)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const sent = own(source, 'frames');
  if (absent(sent)) return undefined;
  const list = isRecord(sent) ? [sent] : sent;
  if (!Array.isArray(list)) {
    note(errors, 'invalid_data', `${name}.frames`, sent);
    return undefined;
  }
  if (list.length > framesMax) note(errors, 'value_too_long', `${name}.frames`);
  const frames = list
    .slice(-framesMax)
    .map((frame, index) => readFrame(frame, `${name}.frames.${index}`, errors))
    .filter((frame) => frame !== undefined);
  if (frames.length === 0) return undefined;
  thinMiddle(frames);
  const stack = emptyRecord();
  stack['frames'] = frames;
  keepUnknown(stack, source, new Set(['frames']), mediumBag, name, errors);
  return stack;
}

/** Of a long stack the middle keeps its places and loses variables and surrounding lines. */
function thinMiddle(frames: JsonRecord[]): void {
  const half = fullFramesMax / 2;
  for (const frame of frames.slice(half, -half)) {
    for (const field of ['vars', 'pre_context', 'post_context']) delete frame[field];
  }
}

function readFrame(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const frame = emptyRecord();
  for (const field of frameTexts) {
    put(
      frame,
      field,
      readText(own(value, field), `${name}.${field}`, errors, { charsMax: nameCharsMax, over: 'cut' }),
    );
  }
  for (const field of frameAddresses) {
    const rule = { charsMax: 128, over: 'drop', lenient: true } as const;
    put(frame, field, readText(own(value, field), `${name}.${field}`, errors, rule));
  }
  put(frame, 'lineno', readCount(own(value, 'lineno'), `${name}.lineno`, errors));
  put(frame, 'colno', readCount(own(value, 'colno'), `${name}.colno`, errors));
  put(frame, 'in_app', readFlag(own(value, 'in_app'), `${name}.in_app`, errors));
  put(frame, 'stack_start', readFlag(own(value, 'stack_start'), `${name}.stack_start`, errors));
  addSourceLines(frame, value, name, errors);
  put(frame, 'vars', readVars(own(value, 'vars'), `${name}.vars`, errors));
  keepUnknown(frame, value, frameFields, smallBag, name, errors);
  return frame;
}

function addSourceLines(frame: JsonRecord, source: JsonRecord, name: string, errors: EventError[]): void {
  put(frame, 'pre_context', readLines(own(source, 'pre_context'), `${name}.pre_context`, errors, 'last'));
  const line = own(source, 'context_line');
  if (typeof line === 'string') frame['context_line'] = cutText(withoutNul(line), sourceLineCharsMax);
  else if (!absent(line)) note(errors, 'invalid_data', `${name}.context_line`, line);
  put(frame, 'post_context', readLines(own(source, 'post_context'), `${name}.post_context`, errors, 'first'));
}

/** Source lines, those nearest to the frame's own line when there are too many. */
function readLines(
  value: unknown,
  name: string,
  errors: EventError[],
  nearest: 'first' | 'last',
): string[] | undefined {
  if (absent(value)) return undefined;
  if (!Array.isArray(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const near = nearest === 'first' ? value.slice(0, contextLinesMax) : value.slice(-contextLinesMax);
  return near.map((line) => cutText(lenientString(line) ?? '', sourceLineCharsMax));
}

/** Local variables; a list becomes an object by index. */
function readVars(value: unknown, name: string, errors: EventError[]): unknown {
  if (absent(value)) return undefined;
  if (!Array.isArray(value) && !isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const named = Array.isArray(value) ? byIndex(value.slice(0, mediumBag.bytesMax)) : value;
  return notedBag(named, mediumBag, name, errors);
}

function byIndex(list: readonly unknown[]): JsonRecord {
  const named = emptyRecord();
  for (const [index, entry] of list.entries()) named[String(index)] = entry;
  return named;
}
