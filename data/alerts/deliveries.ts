// Messages and their tries in SQL: queries only.
import type { AlertStore, DueDelivery, KeptChannel, NewDelivery } from '../../src/core/store/alerting.ts';
import type { ChannelType, Delivery, DeliveryAttempt } from '../../src/core/store/alerts.ts';
import { numberOrNull } from '../columns.ts';
import type { Db, Query } from '../db.ts';

export interface DeliveryRow {
  readonly id: number;
  readonly channel_id: number;
  readonly at_ms: number;
  readonly subject: string;
  readonly rule: string;
  readonly why: string;
  readonly path: string | null;
  readonly body: string;
  readonly state: string;
  readonly attempts: string;
  readonly next_try_at_ms: number | null;
}

export const deliveryColumns =
  'id, channel_id, at_ms, subject, rule, why, path, body, state, attempts, next_try_at_ms';

/** A delivery as pages have it. */
export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: Number(row.id),
    channelId: Number(row.channel_id),
    atMs: Number(row.at_ms),
    subject: row.subject,
    rule: row.rule,
    why: row.why,
    path: row.path,
    state: row.state as Delivery['state'],
    attempts: JSON.parse(row.attempts) as DeliveryAttempt[],
    nextTryAtMs: numberOrNull(row.next_try_at_ms),
    sent: row.body,
  };
}

type DeliveryStore = Pick<AlertStore, 'addDelivery' | 'claimDeliveries' | 'finishTry' | 'hurryDeliveries'>;

/** The queries on deliveries. */
export function deliveryStore(db: Db): DeliveryStore {
  return {
    addDelivery: (delivery) => db.write((tx) => addDelivery(tx, delivery)),
    claimDeliveries: (nowMs, lease) => db.write((tx) => claim(tx, nowMs, lease)),
    finishTry: ({ id, tries }, attempt, { state, nextTryAtMs }) =>
      db.write(async (tx) => {
        const row = await tx.get<{ attempts: string }>(
          'SELECT attempts FROM alert_deliveries WHERE id = $1 AND tries = $2',
          [id, tries],
        );
        if (row === undefined) return false;
        const attempts = JSON.stringify([...(JSON.parse(row.attempts) as DeliveryAttempt[]), attempt]);
        const { changes } = await tx.run(
          `UPDATE alert_deliveries SET attempts = $3, tries = tries + 1, state = $4, next_try_at_ms = $5
           WHERE id = $1 AND tries = $2`,
          [id, tries, attempts, state, nextTryAtMs],
        );
        return changes > 0;
      }),
    hurryDeliveries: (channelId, nowMs) =>
      db.write(async (tx) => {
        const { changes } = await tx.run(
          `UPDATE alert_deliveries SET next_try_at_ms = $2 WHERE channel_id = $1 AND state = 'waiting'`,
          [channelId, nowMs],
        );
        return changes;
      }),
  };
}

async function addDelivery(tx: Query, delivery: NewDelivery): Promise<Delivery> {
  const row = await tx.get<DeliveryRow>(
    `INSERT INTO alert_deliveries (project_id, channel_id, message_id, at_ms, subject, rule, why, path, body,
       html, state, tries, attempts, next_try_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting', 0, '[]', $11) RETURNING ${deliveryColumns}`,
    [
      delivery.projectId,
      delivery.channelId,
      delivery.messageId,
      delivery.atMs,
      delivery.subject,
      delivery.rule,
      delivery.why,
      delivery.path,
      delivery.body,
      delivery.html ?? null,
      delivery.atMs,
    ],
  );
  if (row === undefined) throw new Error('A delivery was written and is not there.');
  return deliveryOf(row);
}

interface DueRow {
  readonly id: number;
  readonly message_id: string;
  readonly at_ms: number;
  readonly subject: string;
  readonly path: string | null;
  readonly body: string;
  readonly html: string | null;
  readonly tries: number;
  readonly channel_id: number;
}

interface ChannelPart {
  readonly id: number;
  readonly type: string;
  readonly address: string;
  readonly secret: string;
  readonly state: string;
  readonly last_fault: string;
}

/** One channel after the other, so that one that hangs keeps nobody else waiting. */
async function claim(
  tx: Query,
  nowMs: number,
  { untilMs, perChannel, limit }: Parameters<AlertStore['claimDeliveries']>[1],
): Promise<DueDelivery[]> {
  const channels = await tx.all<ChannelPart>(
    `SELECT id, type, address, secret, state, last_fault FROM alert_channels WHERE state <> 'paused' AND id IN
       (SELECT channel_id FROM alert_deliveries WHERE next_try_at_ms <= $1) ORDER BY id`,
    [nowMs],
  );
  const found: DueDelivery[] = [];
  for (const channel of channels) {
    if (found.length >= limit) break;
    const rows = await tx.all<DueRow>(
      `UPDATE alert_deliveries SET next_try_at_ms = $3 WHERE id IN (
         SELECT id FROM alert_deliveries WHERE channel_id = $1 AND next_try_at_ms <= $2
         ORDER BY next_try_at_ms, id LIMIT $4)
       AND next_try_at_ms <= $2
       RETURNING id, message_id, at_ms, subject, path, body, html, tries, channel_id`,
      [channel.id, nowMs, untilMs, Math.min(perChannel, limit - found.length)],
    );
    found.push(...rows.map((row) => dueOf(row, channel)));
  }
  return found;
}

function dueOf(row: DueRow, channel: ChannelPart): DueDelivery {
  return {
    id: Number(row.id),
    messageId: row.message_id,
    atMs: Number(row.at_ms),
    subject: row.subject,
    path: row.path,
    body: row.body,
    html: row.html,
    tries: Number(row.tries),
    channel: {
      id: Number(channel.id),
      type: channel.type as ChannelType,
      address: channel.address,
      secret: channel.secret,
      state: channel.state as KeptChannel['state'],
      lastFault: channel.last_fault,
    },
  };
}
