import { jsonAsText, mediumJsonLimit, smallJsonLimit } from '../parsing/bounded-json.ts';
import { cutText } from '../parsing/cut-text.ts';
import { createFieldTable, type FieldReader, type TextRule } from '../parsing/field-reader.ts';
import {
  getOwn,
  isAbsent,
  isJsonObject,
  isTextAbsent,
  type JsonObject,
  removeNul,
  toArray,
  toLenientString,
} from '../parsing/unknown-values.ts';
import { readBoundedMap } from './free-form-fields.ts';
import { messageCharsMax } from './message.ts';

const exceptionsMax = 50;
const threadsMax = 256;
const shortName: TextRule = { charsMax: 256, over: 'cut' };
const lenientName: TextRule = { ...shortName, lenient: true };
const word: TextRule = { charsMax: 128, over: 'cut' };
const lenientWord: TextRule = { ...word, lenient: true };
const message: TextRule = { charsMax: messageCharsMax, over: 'cut' };
const remark: TextRule = { charsMax: 1024, over: 'cut' };

export function readExceptions(event: FieldReader, name: string): JsonObject | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > exceptionsMax) event.note('value_too_long', name);
  const last = entries
    .slice(-exceptionsMax)
    .map((entry) => (typeof entry === 'string' ? { value: entry } : entry));
  const values = event.records(`${name}.values`, last, readException);
  return values.length === 0 ? undefined : { values };
}

function readException(exception: FieldReader): JsonObject {
  exception.text('type', lenientName);
  exception.read('value', readExceptionValue);
  const { result } = exception;
  if (result['type'] === undefined && result['value'] === undefined) exception.note('invalid_data', 'type');
  exception.text('module', shortName);
  exception.text('thread_id', lenientWord);
  exception.read('mechanism', readMechanism);
  exception.read('stacktrace', readStacktrace);
  exception.read('raw_stacktrace', readStacktrace);
  exception.rest(smallJsonLimit);
  return result;
}

/** Other types become JSON with sorted keys, so that key order does not affect grouping. */
function readExceptionValue(exception: FieldReader, name: string): string | undefined {
  const sent = exception.sent(name);
  if (isTextAbsent(sent)) return undefined;
  return typeof sent === 'string' ? exception.textOf(name, sent, message) : jsonAsText(sent, messageCharsMax);
}

function readMechanism(exception: FieldReader, name: string): JsonObject | undefined {
  const sent = exception.sent(name);
  const mechanism = exception.recordOf(name, typeof sent === 'string' ? { type: sent } : sent);
  if (mechanism === undefined) return undefined;
  if (mechanism.text('type', word) === undefined) {
    mechanism.note('invalid_data', 'type');
    mechanism.set('type', 'generic');
  }
  mechanism.flag('handled');
  mechanism.flag('synthetic');
  mechanism.flag('is_exception_group');
  mechanism.count('exception_id');
  mechanism.count('parent_id');
  mechanism.text('source', remark);
  mechanism.text('description', remark);
  mechanism.text('help_link', remark);
  mechanism.read('data', readBoundedMap);
  mechanism.read('meta', readBoundedMap);
  mechanism.rest(smallJsonLimit);
  return mechanism.result;
}

/** Beyond the limit crashed and current threads have priority. */
export function readThreads(event: FieldReader, name: string): JsonObject | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > threadsMax) event.note('value_too_long', name);
  const values = event.records(`${name}.values`, selectThreads(entries), readThread);
  return values.length === 0 ? undefined : { values };
}

function selectThreads(entries: readonly unknown[]): readonly unknown[] {
  if (entries.length <= threadsMax) return entries;
  const matters = (entry: unknown) =>
    isJsonObject(entry) && (getOwn(entry, 'crashed') === true || getOwn(entry, 'current') === true);
  const first = entries.filter(matters).slice(0, threadsMax);
  return [...first, ...entries.filter((entry) => !matters(entry)).slice(0, threadsMax - first.length)];
}

function readThread(thread: FieldReader): JsonObject {
  thread.text('id', lenientName);
  thread.text('name', lenientName);
  thread.text('state', lenientName);
  thread.flag('crashed');
  thread.flag('current');
  thread.flag('main');
  thread.read('stacktrace', readStacktrace);
  thread.read('raw_stacktrace', readStacktrace);
  thread.rest(smallJsonLimit);
  return thread.result;
}

/** The last frames, because the innermost is last. */
const framesMax = 250;
/** Frames that keep variables and source lines; the middle of a longer stack loses them. */
const fullFramesMax = 50;
const contextLinesMax = 20;
const sourceLineCharsMax = 1024;
const address: TextRule = { charsMax: 128, over: 'drop', lenient: true };

/** Oldest call first; undefined without frames (some SDKs send `null` or `[]`). */
export function readStacktrace(fields: FieldReader, name: string): JsonObject | undefined {
  const sent = fields.sent(name);
  const frameList = toArray(sent);
  const stack = fields.recordOf(name, frameList === null ? sent : { frames: frameList });
  if (stack === undefined) return undefined;
  const frames = readFrames(stack, 'frames');
  if (frames.length === 0) return undefined;
  dropMiddleFrames(frames);
  stack.set('frames', frames);
  stack.rest(mediumJsonLimit);
  return stack.result;
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

function dropMiddleFrames(frames: JsonObject[]): void {
  const half = fullFramesMax / 2;
  for (const frame of frames.slice(half, -half)) {
    for (const field of ['vars', 'pre_context', 'post_context']) delete frame[field];
  }
}

function readFrame(frame: FieldReader): JsonObject {
  frame.all(frameFields, smallJsonLimit);
  return frame.result;
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
