// Exceptions and threads, read as docs/events.md, "Fields" says; their stacks are in stacktrace.ts.
import type { EventError } from '../../../schemas/event.ts';
import { jsonAsText, mediumBag, notedBag, smallBag } from '../reading/bounded-json.ts';
import {
  absent,
  emptyRecord,
  isRecord,
  type JsonRecord,
  note,
  own,
  put,
  readCount,
  readFlag,
  readText,
  readValues,
} from '../reading/lenient.ts';
import { keepUnknown } from './fields.ts';
import { readStacktrace } from './stacktrace.ts';

export const exceptionsMax = 50;
export const threadsMax = 256;
const nameCharsMax = 256;
const messageCharsMax = 8192;

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
    if (isRecord(bag)) mechanism[field] = notedBag(bag, mediumBag, `${name}.${field}`, errors);
    else if (!absent(bag)) note(errors, 'invalid_data', `${name}.${field}`, bag);
  }
  keepUnknown(mechanism, source, mechanismFields, smallBag, name, errors);
  return mechanism;
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
