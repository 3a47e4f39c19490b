import type { SavedView } from '../../src/core/store/saved-views.ts';
import { storePart } from '../db.ts';
import { defaulted, flag, integer, oneOf, tableOf, text } from '../table.ts';

const views = tableOf('saved_views', {
  id: defaulted(integer),
  ownerId: integer,
  name: text,
  query: text,
  sort: oneOf<SavedView['sort']>(),
  isShared: flag,
  createdAtMs: integer,
});

const settings = tableOf('page_settings', {
  ownerId: integer,
  timeZone: text,
  defaultView: text,
  hasShortcuts: flag,
});
const chosen = settings.without('ownerId');

export const savedViewStore = storePart(
  {
    async listSavedViews(db, ownerId) {
      const [ownViews, shared] = await Promise.all([
        views.list(db, 'WHERE owner_id = $1 ORDER BY id', [ownerId]),
        views.list(db, 'WHERE is_shared = 1 AND owner_id <> $1 ORDER BY id LIMIT 200', [ownerId]),
      ]);
      return [...ownViews, ...shared];
    },
    findSavedView: (db, id) => views.find(db, 'WHERE id = $1', [id]),
    findPageSettings: (db, ownerId) => chosen.find(db, 'WHERE owner_id = $1', [ownerId]),
  },
  {
    addSavedView: (tx, view) => views.insertReturning(tx, view),
    changeSavedView: (tx, id, change) =>
      views.updateReturning(tx, change, { where: 'id = $1', values: [id] }),
    deleteSavedView: async (tx, id) =>
      (await tx.run('DELETE FROM saved_views WHERE id = $1', [id])).changes > 0,
    async writePageSettings(tx, ownerId, newSettings) {
      const onConflict = settings.mergeOn({ key: ['ownerId'], otherwise: 'given' });
      await settings.insert(tx, { ownerId, ...newSettings }, { onConflict });
    },
  },
);
