// Pages of the public demo: those of the workspace without form actions, and a preview of what an action would do.
import { actionPreviewModel } from '../../src/core/page-models/action-previews/action-previews.ts';
import { page } from '../../src/http/pages/declarations.ts';
import { actionPreviewPage } from '../../src/web/help/action-preview.ts';
import { auditCsv } from './audit.ts';
import { workspacePages } from './index.ts';

/** They write an audit entry, and the demo is read-only. */
const recorded: readonly string[] = ['/audit.csv', '/users/{user_hash}/export'];

export function demoPages() {
  const all = workspacePages();
  const acts = all.filter(({ kind }) => kind === 'act');
  const roleOf = (address: string) => [...acts, ...all].find(({ path }) => path === address)?.requiredRole;
  return [
    ...all.filter(({ kind, path }) => kind !== 'act' && !recorded.includes(path)),
    auditCsv({ isRecorded: false }),
    page('/action-preview', 'viewer', (context) => actionPreviewModel(context, roleOf), actionPreviewPage),
  ];
}
