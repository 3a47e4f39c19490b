import type { AlertStore } from '../../src/core/store/alert-records.ts';
import type { Db } from '../db.ts';
import { defaulted, integer, tableOf, text } from '../table.ts';

type PushStore = Pick<
  AlertStore,
  | 'addPushSubscription'
  | 'listPushSubscriptions'
  | 'findPushSubscription'
  | 'countPushSubscriptions'
  | 'removePushSubscription'
>;

const subscriptions = tableOf('push_subscriptions', {
  id: defaulted(integer),
  channelId: integer,
  memberId: integer,
  endpoint: text,
  p256dh: text,
  auth: text,
  device: text,
  createdAtMs: integer,
});

const ofChannel = 'WHERE channel_id = $1 AND id = $2';

export function pushStore(db: Db): PushStore {
  return {
    addPushSubscription: (subscription) =>
      db.write(async (tx) => {
        const { channelId, endpoint } = subscription;
        const same = 'channel_id = $1 AND endpoint = $2';
        await tx.run(`DELETE FROM push_subscriptions WHERE ${same}`, [channelId, endpoint]);
        return subscriptions.insertReturning(tx, subscription);
      }),
    listPushSubscriptions: (channelId) =>
      subscriptions.list(db, 'WHERE channel_id = $1 ORDER BY id', [channelId]),
    findPushSubscription: (channelId, id) => subscriptions.find(db, ofChannel, [channelId, id]),
    async countPushSubscriptions(memberId) {
      const row = await db.get<{ n: number }>(
        'SELECT COUNT(*) AS n FROM push_subscriptions WHERE member_id = $1',
        [memberId],
      );
      return row?.n ?? 0;
    },
    removePushSubscription: (channelId, id) =>
      db.write(
        async (tx) =>
          (await tx.run(`DELETE FROM push_subscriptions ${ofChannel}`, [channelId, id])).changes > 0,
      ),
  };
}
