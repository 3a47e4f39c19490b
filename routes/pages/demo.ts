// The pages of the public demo: those of the workspace, and one that says what an act would do. Acts
// themselves are no part of it.
import { wouldModel } from '../../src/core/workspace/would/would.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { wouldPage } from '../../src/pages/help/would.ts';
import { auditCsv } from './audit.ts';
import { workspacePages } from './index.ts';

/** Every page and file that the demo has; nothing that acts. */
export function demoPages(): Declaration[] {
  const shown = workspacePages().filter(({ kind, path }) => kind !== 'act' && path !== '/audit.csv');
  return [
    ...shown,
    auditCsv({ isRecorded: false }),
    page({ path: '/would', model: wouldModel, view: wouldPage }),
  ];
}
