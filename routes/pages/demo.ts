// Pages of the public demo: those of the workspace without form actions, and a preview of what an action
// would do.
import { wouldModel } from '../../src/core/workspace/would/would.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { wouldPage } from '../../src/pages/help/would.ts';
import { auditCsv } from './audit.ts';
import { workspacePages } from './index.ts';

export function demoPages(): Declaration[] {
  const shown = workspacePages().filter(({ kind, path }) => kind !== 'act' && path !== '/audit.csv');
  return [
    ...shown,
    auditCsv({ isRecorded: false }),
    page({ path: '/would', model: wouldModel, view: wouldPage }),
  ];
}
