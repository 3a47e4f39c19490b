import type { AuditFilter } from '../../src/core/store/audit.ts';

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
