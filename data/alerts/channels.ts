import { splitRecipients } from '../../schemas/alert-channel-fields.ts';
import type { ChannelChange, ChannelRecord, NewChannel } from '../../src/core/store/alert-records.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { countRows, readSlice } from '../paging.ts';
import { defaulted, integer, tableOf, text } from '../table.ts';
import { channels, deliveries } from './rows.ts';
import { removeRulesWithoutChannel, rulesOf } from './rules.ts';

export function channelStore(db: Db) {
  return {
    listChannels: () => readChannels(db, '', []),
    listChannelRecords: (projectId) => readChannels(db, 'WHERE project_id = $1', [projectId]),
    findChannelRecord: (id) => findChannel(db, id),
    async findChannelOfRecipient(id, address) {
      const channel = await findChannel(db, id);
      if (channel?.type !== 'email') return null;
      const isRecipient = splitRecipients(channel.address.toLowerCase()).includes(address.toLowerCase());
      return isRecipient ? channel : null;
    },
    addChannel: (channel) => db.write((tx) => addChannel(tx, channel)),
    changeChannel: (id, change) => db.write((tx) => changeChannel(tx, id, change)),
    deleteChannel: (id) => db.write((tx) => deleteChannel(tx, id)),
    endPauses: (nowMs) =>
      db.write(async (tx) => {
        await tx.run(
          `UPDATE alert_channels SET state = CASE last_error WHEN '' THEN 'on' ELSE 'failing' END,
             state_since_ms = $1, paused_until_ms = NULL
           WHERE state = 'paused' AND paused_until_ms <= $1`,
          [nowMs],
        );
      }),
    async listDeliveries(channelId, slice) {
      const list = {
        columns: deliveries.columns(),
        from: 'FROM alert_deliveries WHERE channel_id = $1',
        atMs: 'at_ms',
        id: 'id',
        values: [channelId],
      };
      const sliced = await readSlice(db, list, slice);
      return { ...sliced, rows: sliced.rows.map(deliveries.rowOf) };
    },
    findDelivery: (channelId, deliveryId) =>
      deliveries.find(db, 'WHERE channel_id = $1 AND id = $2', [channelId, deliveryId]),
    async deliveryDays(fromMs, toMs) {
      const day = '(at_ms / 86400000) * 86400000';
      const rows = await db.all<{ channelId: number; atMs: number; arrived: number; notArrived: number }>(
        `SELECT channel_id AS "channelId", ${day} AS "atMs", SUM(CASE state WHEN 'arrived' THEN 1 ELSE 0 END) AS arrived,
           SUM(CASE state WHEN 'arrived' THEN 0 ELSE 1 END) AS "notArrived"
         FROM alert_deliveries WHERE at_ms >= $1 AND at_ms <= $2 GROUP BY channel_id, ${day}
         ORDER BY channel_id, 2`,
        [fromMs, toMs],
      );
      const byChannel = Map.groupBy(rows, ({ channelId }) => channelId);
      return new Map([...byChannel].map(([id, days]) => [id, days.map(({ channelId: _id, ...day }) => day)]));
    },
  } satisfies Partial<StoreParts>;
}

async function readChannels(query: Query, where: string, values: SqlValue[]): Promise<ChannelRecord[]> {
  const rows = await channels.list(query, `${where} ORDER BY id`, values);
  const ofChannel = await rulesOf(query);
  return rows.map((row) => ({ ...row, rules: ofChannel.get(row.id) ?? [] }));
}

async function findChannel(query: Query, id: number): Promise<ChannelRecord | null> {
  return (await readChannels(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function addChannel(tx: Query, channel: NewChannel): Promise<ChannelRecord> {
  const created = await channels.insertReturning(tx, {
    ...channel,
    state: 'on',
    stateSinceMs: channel.createdAtMs,
    lastError: '',
  });
  return { ...created, rules: [] };
}

async function changeChannel(tx: Query, id: number, change: ChannelChange): Promise<ChannelRecord | null> {
  if (change.quietHours !== undefined) {
    // A rule that waits for the old quiet hours is checked again at once.
    await tx.run(
      `UPDATE alert_rule_channels SET closes_at_ms = 0
       WHERE channel_id = $1 AND EXISTS (SELECT 1 FROM alert_channels WHERE id = $1 AND quiet_hours <> $2)`,
      [id, change.quietHours],
    );
  }
  const { name, address, target, secret, settings, quietHours } = change;
  const { state, stateSinceMs, pausedUntilMs, lastError } = change;
  await channels.update(
    tx,
    { name, address, target, secret, settings, quietHours, state, stateSinceMs, pausedUntilMs, lastError },
    { where: 'id = $1', values: [id] },
  );
  return findChannel(tx, id);
}

async function deleteChannel(tx: Query, id: number): Promise<ChannelRecord | null> {
  const channel = await findChannel(tx, id);
  if (channel === null) return null;
  for (const table of [
    'alert_deliveries',
    'pending_notifications',
    'alert_rule_channels',
    'report_schedules',
    'push_subscriptions',
  ]) {
    await tx.run(`DELETE FROM ${table} WHERE channel_id = $1`, [id]);
  }
  await removeRulesWithoutChannel(tx);
  await tx.run('DELETE FROM alert_channels WHERE id = $1', [id]);
  return channel;
}

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

export function pushStore(db: Db) {
  return {
    addPushSubscription: (subscription) =>
      db.write(async (tx) => {
        const { channelId, endpoint } = subscription;
        const sameEndpoint = 'channel_id = $1 AND endpoint = $2';
        await tx.run(`DELETE FROM push_subscriptions WHERE ${sameEndpoint}`, [channelId, endpoint]);
        return subscriptions.insertReturning(tx, subscription);
      }),
    listPushSubscriptions: (channelId) =>
      subscriptions.list(db, 'WHERE channel_id = $1 ORDER BY id', [channelId]),
    findPushSubscription: (channelId, id) => subscriptions.find(db, ofChannel, [channelId, id]),
    countPushSubscriptions: (memberId) =>
      countRows(db, 'FROM push_subscriptions WHERE member_id = $1', [memberId]),
    removePushSubscription: (channelId, id) =>
      db.write(
        async (tx) =>
          (await tx.run(`DELETE FROM push_subscriptions ${ofChannel}`, [channelId, id])).changes > 0,
      ),
  } satisfies Partial<StoreParts>;
}
