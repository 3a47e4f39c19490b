import type { AlertStore, DueDelivery, NewDelivery } from '../../src/core/store/alert-records.ts';
import type { Delivery } from '../../src/core/store/alerts.ts';
import type { Db, Query } from '../db.ts';
import { actionLinks, channels, deliveries } from './rows.ts';

type DeliveryStore = Pick<
  AlertStore,
  | 'addDelivery'
  | 'claimDeliveries'
  | 'finishTry'
  | 'retryDeliveriesNow'
  | 'addActionLink'
  | 'findActionLink'
  | 'deleteActionLink'
>;

export function deliveryStore(db: Db): DeliveryStore {
  return {
    addDelivery: (delivery) => db.write((tx) => addDelivery(tx, delivery)),
    claimDeliveries: (nowMs, lease) => db.write((tx) => claim(tx, nowMs, lease)),
    finishTry: ({ id, tries }, attempt, { state, nextTryAtMs }) =>
      db.write(async (tx) => {
        const tried = { where: 'id = $1 AND tries = $2', values: [id, tries] };
        const row = await deliveries.find(tx, `WHERE ${tried.where}`, tried.values);
        if (row === null) return false;
        const change = { attempts: [...row.attempts, attempt], tries: tries + 1, state, nextTryAtMs };
        return (await deliveries.update(tx, change, tried)) > 0;
      }),
    retryDeliveriesNow: (channelId, nowMs) =>
      db.write((tx) => {
        const waiting = { where: `channel_id = $1 AND state = 'waiting'`, values: [channelId] };
        return deliveries.update(tx, { nextTryAtMs: nowMs }, waiting);
      }),
    addActionLink: (link, nowMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM alert_action_links WHERE expires_at_ms <= $1', [nowMs]);
        await actionLinks.insert(tx, link);
      }),
    findActionLink: (tokenHash, nowMs) =>
      actionLinks.find(db, 'WHERE token_hash = $1 AND expires_at_ms > $2', [tokenHash, nowMs]),
    deleteActionLink: (tokenHash) =>
      db.write(
        async (tx) =>
          (await tx.run('DELETE FROM alert_action_links WHERE token_hash = $1', [tokenHash])).changes > 0,
      ),
  };
}

function addDelivery(tx: Query, { body, html, recipients, ...delivery }: NewDelivery): Promise<Delivery> {
  return deliveries.insertReturning(tx, {
    ...delivery,
    sent: body,
    html: html ?? null,
    recipients: recipients ?? null,
    state: 'waiting',
    tries: 0,
    attempts: [],
    nextTryAtMs: delivery.atMs,
  });
}

const channelColumns = channels.only('id', 'type', 'address', 'secret', 'settings', 'state', 'lastFault');

/** Channel by channel, so that one that hangs does not delay the others. */
async function claim(
  tx: Query,
  nowMs: number,
  { untilMs, perChannel, limit }: Parameters<AlertStore['claimDeliveries']>[1],
): Promise<DueDelivery[]> {
  const ready = await channelColumns.list(
    tx,
    `WHERE state <> 'paused' AND id IN
       (SELECT channel_id FROM alert_deliveries WHERE next_try_at_ms <= $1) ORDER BY id`,
    [nowMs],
  );
  const found: DueDelivery[] = [];
  for (const channel of ready) {
    if (found.length >= limit) break;
    const rows = await tx.all<Omit<DueDelivery, 'channel'>>(
      `UPDATE alert_deliveries SET next_try_at_ms = $3 WHERE id IN (
         SELECT id FROM alert_deliveries WHERE channel_id = $1 AND next_try_at_ms <= $2
         ORDER BY next_try_at_ms, id LIMIT $4)
       AND next_try_at_ms <= $2
       RETURNING id, message_id AS "messageId", at_ms AS "atMs", subject, path, body, html, recipients, tries`,
      [channel.id, nowMs, untilMs, Math.min(perChannel, limit - found.length)],
    );
    found.push(...rows.map((row) => ({ ...row, channel })));
  }
  return found;
}
