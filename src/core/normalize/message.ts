import { type Level, levels } from '../../../schemas/event.ts';
import { jsonAsText, largeJsonLimit } from '../parsing/bounded-json.ts';
import type { FieldReader, TextRule } from '../parsing/field-reader.ts';
import { isEmptyList, isJsonObject, isTextAbsent, type JsonObject } from '../parsing/unknown-values.ts';

export const messageCharsMax = 8192;
const text: TextRule = { charsMax: messageCharsMax, over: 'cut' };
const lenientText: TextRule = { ...text, lenient: true };

const levelAliases = new Map<string, Level>([
  ['log', 'info'],
  ['notice', 'info'],
  ['trace', 'debug'],
  ['warn', 'warning'],
  ['critical', 'fatal'],
  ['alert', 'fatal'],
  ['emergency', 'fatal'],
  ['10', 'debug'],
  ['20', 'info'],
  ['30', 'warning'],
  ['40', 'error'],
  ['50', 'fatal'],
]);

/** A level name, another logger's name, or Python's number. */
export function readLevel(fields: FieldReader, name: string): Level | undefined {
  const sent = fields.sent(name);
  if (isTextAbsent(sent)) return undefined;
  const word = typeof sent === 'string' || typeof sent === 'number' ? String(sent).trim().toLowerCase() : '';
  const level = levels.find((known) => known === word) ?? levelAliases.get(word);
  if (level === undefined) fields.note('invalid_data', name, sent);
  return level;
}

/** A text becomes `formatted`; an object keeps template, text and parameters. */
export function readMessage(event: FieldReader, name: string): JsonObject | undefined {
  const sent = event.sent(name);
  if (isTextAbsent(sent) || sent === '' || isEmptyList(sent)) return undefined;
  if (isJsonObject(sent)) return readLogEntry(event, name, sent);
  if (typeof sent !== 'string') event.note('invalid_data', name, sent);
  const formatted = event.textOf(name, typeof sent === 'string' ? sent : textOf(sent), text);
  return formatted === undefined ? undefined : { formatted };
}

function readLogEntry(event: FieldReader, name: string, sent: JsonObject): JsonObject | undefined {
  const entry = event.within(name, sent);
  for (const field of ['message', 'formatted']) {
    const value = entry.sent(field);
    if (isTextAbsent(value) || isEmptyList(value)) continue;
    entry.setText(field, isStructure(value) ? textOf(value) : value, lenientText);
  }
  entry.json('params', largeJsonLimit, isStructure);
  const { result } = entry;
  if (result['message'] !== undefined || result['formatted'] !== undefined) return result;
  // An object of another form is kept as text.
  if (Object.keys(sent).length === 0) return undefined;
  event.note('invalid_data', name);
  if (result['params'] !== undefined) return undefined;
  entry.set('formatted', textOf(sent));
  return result;
}

function isStructure(value: unknown): boolean {
  return isJsonObject(value) || Array.isArray(value);
}

function textOf(value: unknown): string {
  return jsonAsText(value, messageCharsMax);
}
