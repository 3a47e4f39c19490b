import { mediumJsonLimit } from '../parsing/bounded-json.ts';
import type { FieldReader } from '../parsing/field-reader.ts';
import { createFieldTable, type TextRule } from '../parsing/field-table.ts';
import { isAbsent, isEmptyList, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import { messageCharsMax, readLevel } from './message.ts';

const breadcrumbsMax = 100;
const word: TextRule = { charsMax: 128, over: 'cut' };
const message: TextRule = { charsMax: messageCharsMax, over: 'cut', lenient: true };

/** The newest 100. */
export function readBreadcrumbs(event: FieldReader, name: string): JsonObject | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > breadcrumbsMax) event.note('value_too_long', name);
  const values = event.records(`${name}.values`, entries.slice(-breadcrumbsMax), readBreadcrumb);
  return values.length === 0 ? undefined : { values };
}

function readBreadcrumb(crumb: FieldReader): JsonObject {
  crumb.all(crumbFields, mediumJsonLimit);
  return crumb.kept;
}

/** PHP sends an empty list for no data. */
function readCrumbData(crumb: FieldReader, name: string): unknown {
  const data = crumb.sent(name);
  if (isAbsent(data) || isEmptyList(data)) return undefined;
  if (isJsonObject(data) || Array.isArray(data)) return crumb.bagOf(name, data, mediumJsonLimit);
  crumb.note('invalid_data', name, data);
  return undefined;
}

const crumbFields = createFieldTable<FieldReader>([
  ['timestamp', (crumb, name) => crumb.moment(name)],
  ['type category event_id', (crumb, name) => crumb.text(name, word)],
  ['message', (crumb, name) => crumb.text(name, message)],
  ['level', (crumb, name) => crumb.read(name, readLevel)],
  ['data', (crumb, name) => crumb.read(name, readCrumbData)],
]);
