import { mediumBag } from '../reading/bounded-json.ts';
import { fieldTable, type TextRule } from '../reading/field-table.ts';
import type { Fields } from '../reading/fields.ts';
import { absent, isEmptyList, isRecord, type JsonRecord } from '../reading/lenient.ts';
import { messageCharsMax, readLevel } from './message.ts';

const breadcrumbsMax = 100;
const word: TextRule = { charsMax: 128, over: 'cut' };
const message: TextRule = { charsMax: messageCharsMax, over: 'cut', lenient: true };

/** The newest 100. */
export function readBreadcrumbs(event: Fields, name: string): JsonRecord | undefined {
  const entries = event.entries(name) ?? [];
  if (entries.length > breadcrumbsMax) event.note('value_too_long', name);
  const values = event.records(`${name}.values`, entries.slice(-breadcrumbsMax), readBreadcrumb);
  return values.length === 0 ? undefined : { values };
}

function readBreadcrumb(crumb: Fields): JsonRecord {
  crumb.all(crumbFields, mediumBag);
  return crumb.kept;
}

/** PHP sends an empty list for no data. */
function readCrumbData(crumb: Fields, name: string): unknown {
  const data = crumb.sent(name);
  if (absent(data) || isEmptyList(data)) return undefined;
  if (isRecord(data) || Array.isArray(data)) return crumb.bagOf(name, data, mediumBag);
  crumb.note('invalid_data', name, data);
  return undefined;
}

const crumbFields = fieldTable<Fields>([
  ['timestamp', (crumb, name) => crumb.moment(name)],
  ['type category event_id', (crumb, name) => crumb.text(name, word)],
  ['message', (crumb, name) => crumb.text(name, message)],
  ['level', (crumb, name) => crumb.read(name, readLevel)],
  ['data', (crumb, name) => crumb.read(name, readCrumbData)],
]);
