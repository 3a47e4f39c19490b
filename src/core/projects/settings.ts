import type { Project } from '../store/projects.ts';

const scrubFieldsMax = 100;
const scrubFieldCharactersMax = 100;

export type ScrubFieldsResult =
  | { readonly ok: true; readonly fields: string[] }
  | { readonly ok: false; readonly why: string; readonly field: string | null };

/** Splits at commas and lines. A name without letters is refused, because names are compared word by word. */
export function parseScrubFields(text: string): ScrubFieldsResult {
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

export function formatProjectSettings({ scrubFields, storeIpAddresses, bugReports }: Project): string {
  const fields = scrubFields.length === 0 ? 'none' : scrubFields.join(', ');
  const addresses = storeIpAddresses ? 'truncated to /24 and /48' : 'dropped';
  const reports = bugReports ? 'taken' : 'refused';
  return `also redacted ${fields}; IP addresses ${addresses}; bug reports of apps ${reports}`;
}
