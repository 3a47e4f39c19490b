import type { DueDelivery } from '../../src/core/store/alert-records.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query, StoreMethod } from '../db.ts';
import { actionLinks, channels, deliveries } from './rows.ts';

export function deliveryStore(db: Db) {
  return {
    addDelivery: (delivery) => db.write((tx) => addDelivery(tx, delivery)),
    claimDeliveries: (nowMs, lease) => db.write((tx) => claim(tx, nowMs, lease)),
    finishTry: ({ id, tries }, attempt, { state, nextTryAtMs, threadTs }) =>
      db.write(async (tx) => {
        const condition = { where: 'id = $1 AND tries = $2', values: [id, tries] };
        const row = await deliveries.find(tx, `WHERE ${condition.where}`, condition.values);
        if (row === null) return false;
        const change = {
          attempts: [...row.attempts, attempt],
          tries: tries + 1,
          state,
          nextTryAtMs,
          threadTs,
        };
        return (await deliveries.update(tx, change, condition)) > 0;
      }),
    retryDeliveriesNow: (channelId, nowMs, leaseMs) =>
      db.write((tx) => {
        const where = `channel_id = $1 AND state = 'waiting' AND next_try_at_ms > $2`;
        return deliveries.update(tx, { nextTryAtMs: nowMs }, { where, values: [channelId, nowMs + leaseMs] });
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
  } satisfies Partial<StoreParts>;
}

const addDelivery: StoreMethod<'addDelivery'> = async (
  tx,
  { body, html, recipients, thread, ...delivery },
) => {
  const { keys, isNew } = thread ?? { keys: [], isNew: false };
  for (const key of isNew ? keys : []) await endThread(tx, delivery.channelId, key);
  return deliveries.insertReturning(tx, {
    ...delivery,
    sent: body,
    html: html ?? null,
    recipients: recipients ?? null,
    threadKey: keys.length === 1 ? (keys[0] ?? null) : null,
    state: 'waiting',
    tries: 0,
    attempts: [],
    nextTryAtMs: delivery.atMs,
  });
};

async function endThread(tx: Query, channelId: number, key: string): Promise<void> {
  const condition = { where: 'channel_id = $1 AND thread_key = $2', values: [channelId, key] };
  await deliveries.update(tx, { threadKey: null }, condition);
}

/** The thread of the newest message that has one; null too where that thread takes no reply. */
async function findThread(tx: Query, channelId: number, key: string): Promise<string | null> {
  const row = await tx.get<{ ts: string }>(
    `SELECT thread_ts AS ts FROM alert_deliveries WHERE channel_id = $1 AND thread_key = $2 AND thread_ts IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
    [channelId, key],
  );
  return row === undefined || row.ts === '' ? null : row.ts;
}

/** A message waits for earlier ones of its thread, but not for one that goes on failing: about three minutes. */
const triesAwaited = 4;

const channelColumns = channels.only('id', 'type', 'address', 'secret', 'settings', 'state', 'lastError');

/** Channel by channel, so that one that hangs does not delay the others. */
const claim: StoreMethod<'claimDeliveries'> = async (tx, nowMs, { untilMs, perChannel, limit }) => {
  const ready = await channelColumns.list(
    tx,
    `WHERE state <> 'paused' AND id IN
       (SELECT channel_id FROM alert_deliveries WHERE next_try_at_ms <= $1) ORDER BY id`,
    [nowMs],
  );
  const found: DueDelivery[] = [];
  for (const channel of ready) {
    if (found.length >= limit) break;
    const rows = await tx.all<Omit<DueDelivery, 'channel' | 'threadTs'> & { threadKey: string | null }>(
      `UPDATE alert_deliveries SET next_try_at_ms = $3 WHERE id IN (
         SELECT id FROM alert_deliveries d WHERE channel_id = $1 AND next_try_at_ms <= $2
           AND (thread_key IS NULL OR NOT EXISTS (SELECT 1 FROM alert_deliveries e
             WHERE e.channel_id = $1 AND e.thread_key = d.thread_key AND e.id < d.id AND e.state = 'waiting'
               AND e.tries < ${triesAwaited}))
         ORDER BY next_try_at_ms, id LIMIT $4)
       AND next_try_at_ms <= $2
       RETURNING id, message_id AS "messageId", at_ms AS "atMs", subject, path, body, html, recipients, tries,
         thread_key AS "threadKey"`,
      [channel.id, nowMs, untilMs, Math.min(perChannel, limit - found.length)],
    );
    for (const { threadKey, ...row } of rows) {
      const threadTs = threadKey === null ? null : await findThread(tx, channel.id, threadKey);
      found.push({ ...row, threadTs, channel });
    }
  }
  return found;
};
