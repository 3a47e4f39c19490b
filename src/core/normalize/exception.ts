import { jsonAsText, smallJsonLimit } from '../parsing/bounded-json.ts';
import type { FieldReader } from '../parsing/field-reader.ts';
import type { TextRule } from '../parsing/field-table.ts';
import { getOwn, isJsonObject, isTextAbsent, type JsonObject } from '../parsing/unknown-values.ts';
import { readBoundedMap } from './free-form-fields.ts';
import { messageCharsMax } from './message.ts';
import { readStacktrace } from './stacktrace.ts';

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
  const { kept: result } = exception;
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
    mechanism.keep('type', 'generic');
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
  return mechanism.kept;
}

/** Beyond the limit crashed and current threads have priority. */
export function readThreads(event: FieldReader, name: string): JsonObject | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > threadsMax) event.note('value_too_long', name);
  const values = event.records(`${name}.values`, keptThreads(entries), readThread);
  return values.length === 0 ? undefined : { values };
}

function keptThreads(entries: readonly unknown[]): readonly unknown[] {
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
  return thread.kept;
}
