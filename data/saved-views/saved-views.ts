import type { SavedView, SavedViewStore } from '../../src/core/store/saved-views.ts';
import type { Db } from '../db.ts';
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

export function savedViewStore(db: Db): SavedViewStore {
  return {
    async listSavedViews(ownerId) {
      const [ownViews, shared] = await Promise.all([
        views.list(db, 'WHERE owner_id = $1 ORDER BY id', [ownerId]),
        views.list(db, 'WHERE is_shared = 1 AND owner_id <> $1 ORDER BY id LIMIT 200', [ownerId]),
      ]);
      return [...ownViews, ...shared];
    },
    findSavedView: (id) => views.find(db, 'WHERE id = $1', [id]),
    addSavedView: (view) => db.write((tx) => views.insertReturning(tx, view)),
    changeSavedView: (id, change) =>
      db.write((tx) => views.updateReturning(tx, change, { where: 'id = $1', values: [id] })),
    deleteSavedView: (id) =>
      db.write(async (tx) => (await tx.run('DELETE FROM saved_views WHERE id = $1', [id])).changes > 0),
    findPageSettings: (ownerId) => chosen.find(db, 'WHERE owner_id = $1', [ownerId]),
    writePageSettings: (ownerId, newSettings) =>
      db.write(async (tx) => {
        const onConflict = settings.mergeOn({ key: ['ownerId'], otherwise: 'given' });
        await settings.insert(tx, { ownerId, ...newSettings }, { onConflict });
      }),
  };
}
