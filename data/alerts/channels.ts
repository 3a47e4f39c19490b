// Alert channels in SQL, and what pages look at of their deliveries: queries only.
import type { AlertStore, ChannelChange, KeptChannel, NewChannel } from '../../src/core/store/alerting.ts';
import type { ChannelType } from '../../src/core/store/alerts.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query, SqlValue } from '../db.ts';
import { readSlice } from '../slices.ts';
import { type DeliveryRow, deliveryColumns, deliveryOf } from './deliveries.ts';
import { removeUntold, rulesOf } from './rules.ts';

interface ChannelRow {
  readonly id: number;
  readonly project_id: number | null;
  readonly name: string;
  readonly type: string;
  readonly address: string;
  readonly shown: string;
  readonly secret: string;
  readonly quiet_hours: string;
  readonly state: string;
  readonly state_since_ms: number;
  readonly paused_until_ms: number | null;
  readonly last_fault: string;
  readonly created_at_ms: number;
  readonly created_by: string;
}

type ChannelStore = Pick<
  AlertStore,
  | 'listChannels'
  | 'findChannel'
  | 'listDeliveries'
  | 'findDelivery'
  | 'deliveryDays'
  | 'addChannel'
  | 'listKeptChannels'
  | 'findKeptChannel'
  | 'changeChannel'
  | 'deleteChannel'
  | 'endPauses'
>;

/** Channels, and what pages read of them. */
export function channelStore(db: Db): ChannelStore {
  return {
    listChannels: () => readChannels(db, '', []),
    findChannel: (id) => findChannel(db, id),
    listKeptChannels: (projectId) => readChannels(db, 'WHERE project_id = $1', [projectId]),
    findKeptChannel: (id) => findChannel(db, id),
    addChannel: (channel) => db.write((tx) => addChannel(tx, channel)),
    changeChannel: (id, change) => db.write((tx) => changeChannel(tx, id, change)),
    deleteChannel: (id) => db.write((tx) => deleteChannel(tx, id)),
    endPauses: (nowMs) =>
      db.write(async (tx) => {
        await tx.run(
          `UPDATE alert_channels SET state = CASE last_fault WHEN '' THEN 'on' ELSE 'failing' END,
             state_since_ms = $1, paused_until_ms = NULL
           WHERE state = 'paused' AND paused_until_ms <= $1`,
          [nowMs],
        );
      }),
    async listDeliveries(channelId, slice) {
      const list = {
        columns: deliveryColumns,
        from: 'FROM alert_deliveries WHERE channel_id = $1',
        atMs: 'at_ms',
        id: 'id',
        values: [channelId],
      };
      const sliced = await readSlice<DeliveryRow>(db, list, slice);
      return { ...sliced, rows: sliced.rows.map(deliveryOf) };
    },
    async findDelivery(channelId, deliveryId) {
      const row = await db.get<DeliveryRow>(
        `SELECT ${deliveryColumns} FROM alert_deliveries WHERE channel_id = $1 AND id = $2`,
        [channelId, deliveryId],
      );
      return row === undefined ? null : deliveryOf(row);
    },
    async deliveryDays(fromMs, toMs) {
      const day = '(at_ms / 86400000) * 86400000';
      const rows = await db.all<{ channel_id: number; day_ms: number; arrived: number; other: number }>(
        `SELECT channel_id, ${day} AS day_ms, SUM(CASE state WHEN 'arrived' THEN 1 ELSE 0 END) AS arrived,
           SUM(CASE state WHEN 'arrived' THEN 0 ELSE 1 END) AS other
         FROM alert_deliveries WHERE at_ms >= $1 AND at_ms <= $2 GROUP BY channel_id, ${day}
         ORDER BY channel_id, day_ms`,
        [fromMs, toMs],
      );
      const byChannel = Map.groupBy(rows, (row) => Number(row.channel_id));
      const dayOf = (row: (typeof rows)[number]) => ({
        atMs: Number(row.day_ms),
        arrived: Number(row.arrived),
        notArrived: Number(row.other),
      });
      return new Map([...byChannel].map(([id, days]) => [id, days.map(dayOf)]));
    },
  };
}

async function readChannels(query: Query, where: string, values: SqlValue[]): Promise<KeptChannel[]> {
  const rows = await query.all<ChannelRow>(`SELECT * FROM alert_channels ${where} ORDER BY id`, values);
  const rules = await rulesOf(query);
  return rows.map((row) => ({
    id: Number(row.id),
    projectId: numberOrNull(row.project_id),
    name: row.name,
    type: row.type as ChannelType,
    address: row.address,
    target: row.shown,
    secret: row.secret,
    quietHours: row.quiet_hours,
    state: row.state as KeptChannel['state'],
    stateSinceMs: Number(row.state_since_ms),
    pausedUntilMs: numberOrNull(row.paused_until_ms),
    lastFault: row.last_fault,
    createdAtMs: Number(row.created_at_ms),
    createdBy: row.created_by,
    rules: rules.get(Number(row.id)) ?? [],
  }));
}

async function findChannel(query: Query, id: number): Promise<KeptChannel | null> {
  return (await readChannels(query, 'WHERE id = $1', [id]))[0] ?? null;
}

async function addChannel(tx: Query, channel: NewChannel): Promise<KeptChannel> {
  const row = await tx.get<{ id: number }>(
    `INSERT INTO alert_channels (project_id, name, type, address, shown, secret, quiet_hours, state,
       state_since_ms, last_fault, created_at_ms, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'on', $8, '', $9, $10) RETURNING id`,
    [
      channel.projectId,
      channel.name,
      channel.type,
      channel.address,
      channel.target,
      channel.secret,
      channel.quietHours,
      channel.createdAtMs,
      channel.createdAtMs,
      channel.createdBy,
    ],
  );
  const made = row === undefined ? null : await findChannel(tx, Number(row.id));
  if (made === null) throw new Error('A channel was made and is not there.');
  return made;
}

async function changeChannel(tx: Query, id: number, change: ChannelChange): Promise<KeptChannel | null> {
  if (change.quietHours !== undefined) {
    // What waits because of the hours from before is looked at at once.
    await tx.run(
      `UPDATE alert_rule_channels SET closes_at_ms = 0
       WHERE channel_id = $1 AND EXISTS (SELECT 1 FROM alert_channels WHERE id = $1 AND quiet_hours <> $2)`,
      [id, change.quietHours],
    );
  }
  await tx.run(
    `UPDATE alert_channels SET name = COALESCE($2, name), address = COALESCE($3, address),
       shown = COALESCE($4, shown), secret = COALESCE($5, secret), quiet_hours = COALESCE($6, quiet_hours),
       state = COALESCE($7, state), state_since_ms = COALESCE(CAST($8 AS BIGINT), state_since_ms),
       paused_until_ms = CASE WHEN $9 = 1 THEN CAST($10 AS BIGINT) ELSE paused_until_ms END,
       last_fault = COALESCE($11, last_fault)
     WHERE id = $1`,
    [
      id,
      change.name ?? null,
      change.address ?? null,
      change.target ?? null,
      change.secret ?? null,
      change.quietHours ?? null,
      change.state ?? null,
      change.stateSinceMs ?? null,
      Number(change.pausedUntilMs !== undefined),
      change.pausedUntilMs ?? null,
      change.lastFault ?? null,
    ],
  );
  return findChannel(tx, id);
}

async function deleteChannel(tx: Query, id: number): Promise<KeptChannel | null> {
  const there = await findChannel(tx, id);
  if (there === null) return null;
  for (const table of ['alert_deliveries', 'alert_gathered', 'alert_rule_channels', 'report_schedules']) {
    await tx.run(`DELETE FROM ${table} WHERE channel_id = $1`, [id]);
  }
  await removeUntold(tx);
  await tx.run('DELETE FROM alert_channels WHERE id = $1', [id]);
  return there;
}
