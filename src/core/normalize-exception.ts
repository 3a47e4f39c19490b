// Exceptions, threads and their stacks, as ingestion.md section 1.2 reads them. Other fields live in the other normalize-*.ts files.
import type { EventError } from '../../schemas/event.ts';
import { boundedJson, jsonAsText, mediumBag, smallBag } from './bounded-json.ts';
import {
  absent,
  cutText,
  emptyRecord,
  isRecord,
  type JsonRecord,
  lenientString,
  note,
  own,
  readCount,
  readFlag,
  readText,
  readValues,
  withoutNul,
} from './lenient.ts';
import { keepUnknown } from './normalize-fields.ts';

/** Frames kept of one stack, the last ones: the fault is at the end. */
export const framesMax = 250;
/** Frames with variables and surrounding lines; of a longer stack the middle is thinned. */
export const fullFramesMax = 50;
export const exceptionsMax = 50;
export const threadsMax = 256;
const contextLinesMax = 20;
const sourceLineCharsMax = 1024;
const nameCharsMax = 256;
const messageCharsMax = 8192;

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

/** `exception` in any of its three forms, oldest cause first. Undefined when nothing in it can be used. */
export function readExceptions(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  const entries = readValues(value, name, errors);
  if (entries === undefined || entries.length === 0) return undefined;
  if (entries.length > exceptionsMax) note(errors, 'value_too_long', name);
  const values = entries
    .slice(-exceptionsMax)
    .map((entry, index) => readException(entry, `${name}.values.${index}`, errors))
    .filter((entry) => entry !== undefined);
  return values.length === 0 ? undefined : { values };
}

function readException(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  const source = typeof value === 'string' ? { value } : value;
  if (!isRecord(source)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const exception = emptyRecord();
  const type = readText(own(source, 'type'), `${name}.type`, errors, {
    charsMax: nameCharsMax,
    over: 'cut',
    lenient: true,
  });
  const message = readExceptionValue(own(source, 'value'), `${name}.value`, errors);
  if (type !== undefined) exception['type'] = type;
  if (message !== undefined) exception['value'] = message;
  if (type === undefined && message === undefined) note(errors, 'invalid_data', `${name}.type`);
  const module = readText(own(source, 'module'), `${name}.module`, errors, {
    charsMax: nameCharsMax,
    over: 'cut',
  });
  if (module !== undefined) exception['module'] = module;
  const thread = readText(own(source, 'thread_id'), `${name}.thread_id`, errors, {
    charsMax: 128,
    over: 'cut',
    lenient: true,
  });
  if (thread !== undefined) exception['thread_id'] = thread;
  const mechanism = readMechanism(own(source, 'mechanism'), `${name}.mechanism`, errors);
  if (mechanism !== undefined) exception['mechanism'] = mechanism;
  addStacks(exception, source, name, errors);
  keepUnknown(exception, source, exceptionFields, smallBag, name, errors);
  return exception;
}

const exceptionFields = new Set([
  'type',
  'value',
  'module',
  'thread_id',
  'mechanism',
  'stacktrace',
  'raw_stacktrace',
]);

function addStacks(target: JsonRecord, source: JsonRecord, name: string, errors: EventError[]): void {
  for (const field of ['stacktrace', 'raw_stacktrace']) {
    const stack = readStacktrace(own(source, field), `${name}.${field}`, errors);
    if (stack !== undefined) target[field] = stack;
  }
}

/** Text, or any JSON made text (with sorted keys, so that the order they were sent in changes nothing). */
function readExceptionValue(value: unknown, name: string, errors: EventError[]): string | undefined {
  if (absent(value)) return undefined;
  if (typeof value === 'string')
    return readText(value, name, errors, { charsMax: messageCharsMax, over: 'cut' });
  return jsonAsText(value, messageCharsMax);
}

const mechanismFlags = ['handled', 'synthetic', 'is_exception_group'];
const mechanismCounts = ['exception_id', 'parent_id'];
const mechanismTexts = ['source', 'description', 'help_link'];
const mechanismFields = new Set([
  'type',
  'data',
  'meta',
  ...mechanismFlags,
  ...mechanismCounts,
  ...mechanismTexts,
]);

function readMechanism(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (absent(value)) return undefined;
  const source = typeof value === 'string' ? { type: value } : value;
  if (!isRecord(source)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const mechanism = emptyRecord();
  const type = readText(own(source, 'type'), `${name}.type`, errors, { charsMax: 128, over: 'cut' });
  if (type === undefined) note(errors, 'invalid_data', `${name}.type`);
  mechanism['type'] = type ?? 'generic';
  for (const field of mechanismFlags)
    put(mechanism, field, readFlag(own(source, field), `${name}.${field}`, errors));
  for (const field of mechanismCounts)
    put(mechanism, field, readCount(own(source, field), `${name}.${field}`, errors));
  for (const field of mechanismTexts) {
    const rule = { charsMax: 1024, over: 'cut' } as const;
    put(mechanism, field, readText(own(source, field), `${name}.${field}`, errors, rule));
  }
  for (const field of ['data', 'meta']) {
    const bag = own(source, field);
    if (isRecord(bag)) mechanism[field] = boundedJson(bag, mediumBag).value;
    else if (!absent(bag)) note(errors, 'invalid_data', `${name}.${field}`, bag);
  }
  keepUnknown(mechanism, source, mechanismFields, smallBag, name, errors);
  return mechanism;
}

function put(target: JsonRecord, field: string, value: unknown): void {
  if (value !== undefined) target[field] = value;
}

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
  return boundedJson(named, mediumBag).value;
}

function byIndex(list: readonly unknown[]): JsonRecord {
  const named = emptyRecord();
  for (const [index, entry] of list.entries()) named[String(index)] = entry;
  return named;
}

const threadTexts = ['id', 'name', 'state'];
const threadFlags = ['crashed', 'current', 'main'];
const threadFields = new Set([...threadTexts, ...threadFlags, 'stacktrace', 'raw_stacktrace']);

/** `threads` in any of the three forms. Past the limit the crashed and current ones are kept before the rest. */
export function readThreads(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  const entries = readValues(value, name, errors);
  if (entries === undefined || entries.length === 0) return undefined;
  const values = keptThreads(entries, name, errors)
    .map((entry, index) => readThread(entry, `${name}.values.${index}`, errors))
    .filter((entry) => entry !== undefined);
  return values.length === 0 ? undefined : { values };
}

function keptThreads(entries: readonly unknown[], name: string, errors: EventError[]): readonly unknown[] {
  if (entries.length <= threadsMax) return entries;
  note(errors, 'value_too_long', name);
  const matters = (entry: unknown) =>
    isRecord(entry) && (own(entry, 'crashed') === true || own(entry, 'current') === true);
  const first = entries.filter(matters).slice(0, threadsMax);
  return [...first, ...entries.filter((entry) => !matters(entry)).slice(0, threadsMax - first.length)];
}

function readThread(value: unknown, name: string, errors: EventError[]): JsonRecord | undefined {
  if (!isRecord(value)) {
    note(errors, 'invalid_data', name, value);
    return undefined;
  }
  const thread = emptyRecord();
  for (const field of threadTexts) {
    const rule = { charsMax: nameCharsMax, over: 'cut', lenient: true } as const;
    put(thread, field, readText(own(value, field), `${name}.${field}`, errors, rule));
  }
  for (const field of threadFlags)
    put(thread, field, readFlag(own(value, field), `${name}.${field}`, errors));
  addStacks(thread, value, name, errors);
  keepUnknown(thread, value, threadFields, smallBag, name, errors);
  return thread;
}
