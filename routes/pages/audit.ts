import { writeAuditEntry } from '../../src/core/audit/audit.ts';
import { type AuditEntryView, buildAuditPage, exportAuditEntries } from '../../src/core/page-models/audit.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import { type CsvColumn, toCsv } from '../../src/http/pages/csv.ts';
import { type Declaration, file, page } from '../../src/http/pages/declarations.ts';
import { auditPage } from '../../src/web/audit/audit.ts';

export function auditPages() {
  return [page('/audit', 'viewer', buildAuditPage, auditPage), auditCsv({ isRecorded: true })];
}

/** The export is itself audited, except in the demo, which is read-only. */
export function auditCsv({ isRecorded }: { readonly isRecorded: boolean }): Declaration {
  return file('/audit.csv', 'admin', (context) => exportCsv(context, isRecorded));
}

const columns: ReadonlyArray<CsvColumn<AuditEntryView>> = [
  ['entry', ({ entry }) => entry],
  ['at', ({ at }) => at],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor', ({ actor }) => actor.name],
  ['token', ({ actor }) => actor.token],
  ['action', ({ action }) => action],
  ['object_kind', ({ object }) => object.kind],
  ['object_id', ({ object }) => object.id],
  ['object', ({ object }) => object.name],
  ['project_id', (entry) => entry.project_id],
  ['summary', ({ summary }) => summary],
  ['network', ({ network }) => network],
  ['request_id', (entry) => entry.request_id],
  ['hash', ({ hash }) => hash],
];

async function exportCsv(context: RequestContext, isRecorded: boolean) {
  const { text, rows } = await toCsv(columns, exportAuditEntries(context));
  if (isRecorded) {
    await writeAuditEntry(context.deps, context.by, {
      action: 'audit.exported',
      object: { kind: 'audit', id: null, name: '' },
      summary: rows === 1 ? '1 entry' : `${rows} entries`,
    });
  }
  return { contentType: 'text/csv; charset=utf-8', bytes: text, filename: 'audit.csv' };
}
