// /audit: the history, and the same to take away.
import { audited, byVisit } from '../../src/core/audit/audit.ts';
import { type AuditEntryView, auditModel, exportedEntries } from '../../src/core/workspace/audit.ts';
import type { Visit } from '../../src/core/workspace/visit.ts';
import { type Declaration, file, page } from '../../src/http/pages/declare.ts';
import { auditPage } from '../../src/pages/audit/audit.ts';

/** The page, and its CSV. */
export function auditPages(): Declaration[] {
  return [
    page({ path: '/audit', model: auditModel, view: auditPage }),
    file({ path: '/audit.csv', needs: 'admin', answer: exportCsv }),
  ];
}

const columns: ReadonlyArray<readonly [name: string, value: (entry: AuditEntryView) => unknown]> = [
  ['entry', ({ entry }) => entry],
  ['at', ({ at }) => at],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor', ({ actor }) => actor.name],
  ['action', ({ action }) => action],
  ['object_kind', ({ object }) => object.kind],
  ['object_id', ({ object }) => object.id],
  ['object', ({ object }) => object.name],
  ['project_id', (entry) => entry.project_id],
  ['summary', ({ summary }) => summary],
  ['net', ({ net }) => net],
  ['request_id', (entry) => entry.request_id],
  ['hash', ({ hash }) => hash],
];

async function exportCsv(visit: Visit) {
  const lines = [columns.map(([name]) => name).join(',')];
  for await (const entry of exportedEntries(visit)) {
    lines.push(columns.map(([, value]) => cell(value(entry))).join(','));
  }
  const entries = lines.length - 1;
  await audited(visit.deps, byVisit(visit), {
    action: 'audit.exported',
    object: { kind: 'audit', id: null, name: '' },
    summary: entries === 1 ? '1 entry' : `${entries} entries`,
  });
  return {
    contentType: 'text/csv; charset=utf-8',
    bytes: `${lines.join('\r\n')}\r\n`,
    filename: 'audit.csv',
  };
}

/** A cell as RFC 4180 has it; what a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
