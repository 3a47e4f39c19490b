import { mediumJsonLimit, smallJsonLimit } from '../parsing/bounded-json.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { FieldReader } from '../parsing/field-reader.ts';
import { createFieldTable, type TextRule } from '../parsing/field-table.ts';
import {
  isAbsent,
  isJsonObject,
  isTextAbsent,
  type JsonObject,
  removeNul,
  toArray,
  toLenientString,
} from '../parsing/unknown-values.ts';
import { readBoundedMap } from './free-form-fields.ts';

/** The last frames, because the innermost is last. */
const framesMax = 250;
/** Frames that keep variables and source lines; the middle of a longer stack loses them. */
const fullFramesMax = 50;
const contextLinesMax = 20;
const sourceLineCharsMax = 1024;
const shortName: TextRule = { charsMax: 256, over: 'cut' };
const address: TextRule = { charsMax: 128, over: 'drop', lenient: true };

/** Oldest call first; undefined without frames (some SDKs send `null` or `[]`). */
export function readStacktrace(fields: FieldReader, name: string): JsonObject | undefined {
  const sent = fields.sent(name);
  const frameList = toArray(sent);
  const stack = fields.recordOf(name, frameList === null ? sent : { frames: frameList });
  if (stack === undefined) return undefined;
  const frames = readFrames(stack, 'frames');
  if (frames.length === 0) return undefined;
  thinMiddle(frames);
  stack.keep('frames', frames);
  stack.rest(mediumJsonLimit);
  return stack.kept;
}

function readFrames(stack: FieldReader, name: string): JsonObject[] {
  const sent = stack.sent(name);
  if (isAbsent(sent)) return [];
  const list = toArray(sent) ?? (isJsonObject(sent) ? [sent] : null);
  if (list === null) {
    stack.note('invalid_data', name, sent);
    return [];
  }
  if (list.length > framesMax) stack.note('value_too_long', name);
  return stack.records(name, list.slice(-framesMax), readFrame);
}

function thinMiddle(frames: JsonObject[]): void {
  const half = fullFramesMax / 2;
  for (const frame of frames.slice(half, -half)) {
    for (const field of ['vars', 'pre_context', 'post_context']) delete frame[field];
  }
}

function readFrame(frame: FieldReader): JsonObject {
  frame.all(frameFields, smallJsonLimit);
  return frame.kept;
}

const frameFields = createFieldTable<FieldReader>([
  [
    'function raw_function filename abs_path module package platform symbol addr_mode',
    (frame, name) => frame.text(name, shortName),
  ],
  ['instruction_addr image_addr symbol_addr', (frame, name) => frame.text(name, address)],
  ['lineno colno', (frame, name) => frame.count(name)],
  ['in_app stack_start', (frame, name) => frame.flag(name)],
  ['pre_context', (frame, name) => frame.read(name, readLinesBefore)],
  ['context_line', (frame, name) => frame.read(name, readLine)],
  ['post_context', (frame, name) => frame.read(name, readLinesAfter)],
  ['vars', (frame, name) => frame.read(name, readBoundedMap)],
]);

function readLine(frame: FieldReader, name: string): string | undefined {
  const sent = frame.sent(name);
  if (typeof sent === 'string') return cutText(removeNul(sent), sourceLineCharsMax);
  if (!isTextAbsent(sent)) frame.note('invalid_data', name, sent);
  return undefined;
}

function readLinesBefore(frame: FieldReader, name: string): string[] | undefined {
  return readLines(frame, name, -contextLinesMax);
}

function readLinesAfter(frame: FieldReader, name: string): string[] | undefined {
  return readLines(frame, name, 0, contextLinesMax);
}

function readLines(frame: FieldReader, name: string, from: number, to?: number): string[] | undefined {
  const sent = frame.sent(name);
  if (isAbsent(sent)) return undefined;
  const lines = toArray(sent);
  if (lines === null) {
    frame.note('invalid_data', name, sent);
    return undefined;
  }
  return lines.slice(from, to).map((line) => cutText(toLenientString(line) ?? '', sourceLineCharsMax));
}
