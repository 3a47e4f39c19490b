import { issueLinksMax, type TriageStore } from '../../src/core/store/triage.ts';
import type { Db } from '../db.ts';
import { groupOf } from '../issues/group.ts';
import { defaulted, flag, integer, tableOf, text } from '../table.ts';

const settings = tableOf('project_triage', {
  projectId: integer,
  ownershipRules: text,
  assignsOwners: flag,
  repositoryUrl: text,
});
const given = settings.without('projectId');

const links = tableOf('issue_links', {
  id: defaulted(integer),
  projectId: integer,
  issueId: integer,
  url: text,
  createdAtMs: integer,
  createdBy: text,
});
const shown = links.without('projectId');

export function triageStore(db: Db): TriageStore {
  return {
    findTriageSettings: (projectId) => given.find(db, 'WHERE project_id = $1', [projectId]),
    writeTriageSettings: (projectId, change) =>
      db.write(async (tx) => {
        const onConflict = settings.mergeOn({ key: ['projectId'], otherwise: 'given' });
        await settings.insert(tx, { projectId, ...change }, { onConflict });
      }),
    listIssueLinks: (projectId, issueId) =>
      shown.list(
        db,
        `WHERE project_id = $1 AND issue_id IN (${groupOf('$1', '$2')}) ORDER BY id LIMIT ${issueLinksMax}`,
        [projectId, issueId],
      ),
    addIssueLink: (link) =>
      db.write((tx) =>
        links.insertReturning(tx, link, { onConflict: '(project_id, issue_id, url) DO NOTHING' }),
      ),
    removeIssueLink: (projectId, linkId) =>
      db.write(async (tx) => {
        const gone = 'DELETE FROM issue_links WHERE project_id = $1 AND id = $2';
        return (await tx.run(gone, [projectId, linkId])).changes > 0;
      }),
  };
}
