import type { ActorAndTime } from '../../src/core/store/issues.ts';
import { issueLinksMax } from '../../src/core/store/triage.ts';
import { type Query, storePart } from '../db.ts';
import { addActivity } from '../issues/activity.ts';
import { groupOf } from '../issues/group.ts';
import { defaulted, flag, integer, type RowOf, tableOf, text } from '../table.ts';

const settings = tableOf('project_triage', {
  projectId: integer,
  ownershipRules: text,
  assignsOwners: flag,
  repositoryUrl: text,
});
const triageSettings = settings.without('projectId');

const links = tableOf('issue_links', {
  id: defaulted(integer),
  projectId: integer,
  issueId: integer,
  url: text,
  createdAtMs: integer,
  createdBy: text,
});
const shown = links.without('projectId');

export const triageStore = storePart(
  {
    findTriageSettings: (db, projectId) => triageSettings.find(db, 'WHERE project_id = $1', [projectId]),
    listIssueLinks: (db, projectId, issueId) =>
      shown.list(
        db,
        `WHERE project_id = $1 AND issue_id IN (${groupOf('$1', '$2')}) ORDER BY id LIMIT ${issueLinksMax}`,
        [projectId, issueId],
      ),
  },
  {
    async writeTriageSettings(tx, projectId, change) {
      const onConflict = settings.mergeOn({ key: ['projectId'], otherwise: 'given' });
      await settings.insert(tx, { projectId, ...change }, { onConflict });
    },
    async addIssueLink(tx, link, actor) {
      const added = await links.insertReturning(tx, link, {
        onConflict: '(project_id, issue_id, url) DO NOTHING',
      });
      if (added !== null) await recordLinkActivity(tx, 'linked', added, { actor, nowMs: link.createdAtMs });
      return added;
    },
    async removeIssueLink(tx, projectId, linkId, action) {
      const link = await links.find(tx, 'WHERE project_id = $1 AND id = $2', [projectId, linkId]);
      if (link === null) return false;
      await tx.run('DELETE FROM issue_links WHERE project_id = $1 AND id = $2', [projectId, linkId]);
      await recordLinkActivity(tx, 'unlinked', link, action);
      return true;
    },
  },
);

function recordLinkActivity(
  tx: Query,
  kind: 'linked' | 'unlinked',
  { projectId, issueId, url }: RowOf<typeof links>,
  action: ActorAndTime,
): Promise<void> {
  // What stands behind a question mark may be a secret, and outlives the link here.
  const { origin, pathname } = new URL(url);
  const detail = { url: origin + pathname };
  return addActivity(tx, { projectId, issueId, kind, detail }, action);
}
