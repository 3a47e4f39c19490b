// What is taken out of the events of a project before they are stored: names of fields, and addresses; and
// whether it takes bug reports of apps.
import type { Project } from '../store/projects.ts';

/** Names of one project that are filtered beside ours, and characters of each. */
const scrubFieldsMax = 100;
const scrubFieldCharactersMax = 100;

/** Field names out of a list with commas or lines between them, or why it is none. */
export type ScrubFields =
  | { readonly ok: true; readonly fields: string[] }
  | { readonly ok: false; readonly why: string; readonly field: string | null };

/** Reads names of fields. A name without a letter would match nothing: names are compared by their words. */
export function readScrubFields(text: string): ScrubFields {
  const fields = text
    .split(/[,\r\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const bad = fields.find((field) => field.length > scrubFieldCharactersMax || !/\p{L}/u.test(field));
  if (bad !== undefined) return { ok: false, why: 'is not a valid field name.', field: bad };
  if (fields.length > scrubFieldsMax) {
    return { ok: false, why: `Enter at most ${scrubFieldsMax} field names.`, field: null };
  }
  return { ok: true, fields: [...new Set(fields)] };
}

/** The settings of a project in words. */
export function settingsText({ scrubFields, storeIpAddresses, bugReports }: Project): string {
  const fields = scrubFields.length === 0 ? 'none' : scrubFields.join(', ');
  const addresses = storeIpAddresses ? 'truncated to /24 and /48' : 'dropped';
  const reports = bugReports ? 'taken' : 'refused';
  return `also redacted ${fields}; IP addresses ${addresses}; bug reports of apps ${reports}`;
}
