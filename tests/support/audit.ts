// What tests ask the audit history for.
import type { AuditFilter } from '../../src/core/store/audit.ts';

/** All that was ever done. */
export const wholeAudit: AuditFilter = {
  actorKind: null,
  actorName: null,
  action: null,
  objectKind: null,
  objectId: null,
  projectId: null,
  requestId: null,
  fromMs: null,
  toMs: null,
};
