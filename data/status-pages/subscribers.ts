import type {
  DueStatusDelivery,
  NewStatusMessage,
  StatusSubscriberStore,
  SubscriberKind,
} from '../../src/core/store/status-pages.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query } from '../db.ts';
import { announcements } from '../incidents/announcements.ts';
import { countRows } from '../paging.ts';
import { defaulted, integer, nullable, oneOf, ownerCondition, tableOf, text } from '../table.ts';
import { readInLists } from '../value-lists.ts';

const subscribers = tableOf('status_subscribers', {
  id: defaulted(integer),
  pageId: integer,
  kind: oneOf<SubscriberKind>(),
  address: text,
  secret: nullable(text),
  token: text,
  language: text,
  origin: nullable(text),
  createdAtMs: integer,
  confirmedAtMs: nullable(integer),
  expiresAtMs: nullable(integer),
  mails: integer,
  lastError: text,
});

const messages = tableOf('status_messages', {
  id: defaulted(integer),
  pageId: integer,
  publicId: text,
  atMs: integer,
  body: text,
});

const deliveries = tableOf('status_deliveries', {
  id: defaulted(integer),
  pageId: integer,
  subscriberId: integer,
  messageId: nullable(integer),
  kind: oneOf<SubscriberKind>(),
  tries: integer,
  nextTryAtMs: integer,
});

export function subscriberStore(db: Db): StatusSubscriberStore {
  return { ...listStore(db), ...queueStore(db) };
}

function listStore(db: Db) {
  return {
    addSubscriber: (subscriber) =>
      db.write((tx) =>
        subscribers.insertReturning(
          tx,
          { ...subscriber, lastError: '' },
          { onConflict: '(page_id, kind, address) DO NOTHING' },
        ),
      ),
    findSubscriber: (pageId, by) =>
      'id' in by
        ? subscribers.find(db, 'WHERE page_id = $1 AND id = $2', [pageId, by.id])
        : subscribers.find(db, 'WHERE page_id = $1 AND token = $2', [pageId, by.token]),
    findSubscriberByAddress: (pageId, kind, address) =>
      subscribers.find(db, 'WHERE page_id = $1 AND kind = $2 AND address = $3', [pageId, kind, address]),
    listSubscribers: (pageId) =>
      subscribers.list(db, 'WHERE page_id = $1 AND confirmed_at_ms IS NOT NULL ORDER BY id', [pageId]),
    countSubscribers: (pageId, kind) =>
      countRows(db, 'FROM status_subscribers WHERE page_id = $1 AND kind = $2', [pageId, kind]),
    async countConfirmed(pageIds) {
      const rows = await readInLists(pageIds, 1, ({ placeholders, values }) =>
        db.all<{ pageId: number; count: number }>(
          `SELECT page_id AS "pageId", COUNT(*) AS count FROM status_subscribers
           WHERE confirmed_at_ms IS NOT NULL AND page_id IN (${placeholders}) GROUP BY page_id`,
          values,
        ),
      );
      return new Map(rows.map(({ pageId, count }) => [pageId, Number(count)]));
    },
    async countConfirmationMails(address) {
      const sql = `SELECT COALESCE(SUM(mails), 0) AS count FROM status_subscribers
        WHERE address = $1 AND confirmed_at_ms IS NULL`;
      return Number((await db.get<{ count: number }>(sql, [address]))?.count ?? 0);
    },
    changeSubscriber: (id, change) =>
      db.write(async (tx) => {
        await subscribers.update(tx, change, { where: 'id = $1', values: [id] });
      }),
    removeSubscriber: (id) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM status_deliveries WHERE subscriber_id = $1', [id]);
        const { changes } = await tx.run('DELETE FROM status_subscribers WHERE id = $1', [id]);
        await removeSentMessages(tx);
        return changes > 0;
      }),
    removeExpiredSubscribers: (nowMs) =>
      db.write(async (tx) => {
        const expired = 'SELECT id FROM status_subscribers WHERE expires_at_ms <= $1';
        await tx.run(`DELETE FROM status_deliveries WHERE subscriber_id IN (${expired})`, [nowMs]);
        await tx.run('DELETE FROM status_subscribers WHERE expires_at_ms <= $1', [nowMs]);
      }),
    listEmailSubscribers(projectId) {
      const owner = ownerCondition(projectId);
      const ofPages = `page_id IN (SELECT id FROM status_pages WHERE ${owner.sql})`;
      return subscribers.list(db, `WHERE kind = 'email' AND ${ofPages} ORDER BY id`, owner.values);
    },
  } satisfies Partial<StoreParts>;
}

function queueStore(db: Db) {
  return {
    async findStatusMessageWork(nowMs) {
      const sql = `SELECT
        CASE WHEN EXISTS (SELECT 1 FROM status_announcements WHERE due_at_ms <= $1) THEN 1 ELSE 0 END AS to_announce,
        CASE WHEN EXISTS (SELECT 1 FROM status_deliveries
          WHERE kind IN ('email', 'webhook') AND next_try_at_ms <= $1) THEN 1 ELSE 0 END AS to_send,
        CASE WHEN EXISTS (SELECT 1 FROM status_subscribers WHERE expires_at_ms <= $1) THEN 1 ELSE 0 END AS to_expire`;
      const row = await db.get<{ to_announce: number; to_send: number; to_expire: number }>(sql, [nowMs]);
      const isOne = (value: number | undefined): boolean => value === 1;
      return {
        toAnnounce: isOne(row?.to_announce),
        toSend: isOne(row?.to_send),
        toExpire: isOne(row?.to_expire),
      };
    },
    takeAnnouncements: (nowMs, limit) =>
      db.write(async (tx) => {
        // What another server takes at the same time is not answered twice.
        const rows = await tx.all(
          `DELETE FROM status_announcements WHERE id IN (
             SELECT id FROM status_announcements WHERE due_at_ms <= $1 ORDER BY due_at_ms, id LIMIT $2)
           RETURNING ${announcements.columns()}`,
          [nowMs, limit],
        );
        const removed = rows.map(announcements.rowOf);
        return removed.toSorted((one, other) => one.dueAtMs - other.dueAtMs || one.id - other.id);
      }),
    addStatusMessage: (message) => db.write((tx) => addMessage(tx, message)),
    addConfirmationMail: ({ id: subscriberId, pageId }, nowMs) =>
      db.write(async (tx) => {
        const mail = { kind: 'email', messageId: null, tries: 0, nextTryAtMs: nowMs } as const;
        const hasNoDelivery = 'NOT EXISTS (SELECT 1 FROM status_deliveries WHERE subscriber_id = $1)';
        await deliveries.insert(
          tx,
          { ...mail, pageId, subscriberId },
          { when: hasNoDelivery, values: [subscriberId] },
        );
      }),
    claimStatusDeliveries: (nowMs, lease) =>
      db.write(async (tx) => [
        ...(await claim(tx, 'email', nowMs, lease)),
        ...(await claim(tx, 'webhook', nowMs, lease)),
      ]),
    finishStatusDelivery: ({ id, tries }, nextTryAtMs) =>
      db.write(async (tx) => {
        const condition = { where: 'id = $1 AND tries = $2', values: [id, tries] };
        if (nextTryAtMs !== null) {
          await deliveries.update(tx, { tries: tries + 1, nextTryAtMs }, condition);
          return;
        }
        await tx.run(`DELETE FROM status_deliveries WHERE ${condition.where}`, condition.values);
        await removeSentMessages(tx);
      }),
  } satisfies Partial<StoreParts>;
}

async function addMessage(tx: Query, message: NewStatusMessage): Promise<void> {
  const { id } = await messages.insertReturning(tx, message);
  await tx.run(
    `INSERT INTO status_deliveries (page_id, subscriber_id, message_id, kind, tries, next_try_at_ms)
     SELECT s.page_id, s.id, CAST($1 AS BIGINT), s.kind, 0, CAST($2 AS BIGINT) FROM status_subscribers s
     WHERE s.page_id = $3 AND s.confirmed_at_ms IS NOT NULL`,
    [id, message.atMs, message.pageId],
  );
  await removeSentMessages(tx);
}

async function removeSentMessages(tx: Query): Promise<void> {
  await tx.run(
    `DELETE FROM status_messages
     WHERE NOT EXISTS (SELECT 1 FROM status_deliveries d WHERE d.message_id = status_messages.id)`,
  );
}

async function claim(
  tx: Query,
  kind: SubscriberKind,
  nowMs: number,
  { untilMs, limits }: Parameters<StatusSubscriberStore['claimStatusDeliveries']>[1],
): Promise<DueStatusDelivery[]> {
  // First tries come first: addresses that fail do not hold up the others.
  const claimed = await tx.all(
    `UPDATE status_deliveries SET next_try_at_ms = $3 WHERE id IN (
       SELECT id FROM status_deliveries WHERE kind = $1 AND next_try_at_ms <= $2
       ORDER BY tries, next_try_at_ms, id LIMIT $4)
     AND next_try_at_ms <= $2
     RETURNING ${deliveries.columns()}`,
    [kind, nowMs, untilMs, limits[kind]],
  );
  const rows = claimed.map(deliveries.rowOf);
  const byId = <Each extends { readonly id: number }>(found: readonly Each[]): Map<number, Each> =>
    new Map(found.map((each) => [each.id, each]));
  const subscriberIds = rows.map(({ subscriberId }) => subscriberId);
  const subscribersById = byId(
    await readInLists(subscriberIds, 1, ({ placeholders, values }) =>
      subscribers.list(tx, `WHERE id IN (${placeholders})`, values),
    ),
  );
  const messageIds = [...new Set(rows.flatMap(({ messageId }) => messageId ?? []))];
  const messagesById = byId(
    await readInLists(messageIds, 1, ({ placeholders, values }) =>
      messages.list(tx, `WHERE id IN (${placeholders})`, values),
    ),
  );
  return rows.flatMap(({ id, tries, subscriberId, messageId }) => {
    const subscriber = subscribersById.get(subscriberId);
    const message = messageId === null ? null : messagesById.get(messageId);
    return subscriber === undefined || message === undefined ? [] : [{ id, tries, subscriber, message }];
  });
}
