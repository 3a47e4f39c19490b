// Sessions of members and of the workspace's token: queries only.
import {
  adminTokenSetting,
  type FoundSession,
  type Holder,
  type MemberStore,
  type NewSession,
  sessionsMax,
} from '../../src/core/store/members.ts';
import type { Db, Query } from '../db.ts';
import { listOf } from '../value-lists.ts';
import {
  foundSession,
  holderValues,
  type MemberRow,
  memberColumns,
  type SessionRow,
  sessionColumns,
  sessionOf,
} from './rows.ts';

type SessionQueries = Pick<
  MemberStore,
  | 'addSession'
  | 'findSession'
  | 'sessionsThatHold'
  | 'touchSession'
  | 'listSessions'
  | 'endSession'
  | 'endSessions'
  | 'endTokenSessions'
>;

type OwnedSessionRow = SessionRow & { readonly member_id: number | null; readonly token_hash: string | null };

const ownedColumns = `${sessionColumns}, member_id, token_hash`;
const ofHolder = '((member_id IS NOT NULL AND member_id = $1) OR (member_id IS NULL AND token_hash = $2))';

/** The part of `MemberStore` that speaks of sessions. */
export function sessionQueries(db: Db): SessionQueries {
  return {
    addSession: (holder, session) => db.write((tx) => beginSession(tx, holder, session)),
    async findSession(hash, nowMs) {
      const row = await db.get<OwnedSessionRow>(
        `SELECT ${ownedColumns} FROM member_sessions WHERE hash = $1 AND expires_at_ms > $2
         AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $3))`,
        [hash, nowMs, adminTokenSetting],
      );
      return row === undefined ? null : withMember(db, row);
    },
    async sessionsThatHold(sessionIds, nowMs) {
      if (sessionIds.length === 0) return [];
      const { marks, values } = listOf(sessionIds, 3);
      const rows = await db.all<{ id: number }>(
        `SELECT held.id FROM member_sessions held LEFT JOIN members ON members.id = held.member_id
         WHERE held.expires_at_ms > $1 AND held.id IN (${marks})
         AND ((held.member_id IS NOT NULL AND members.id IS NOT NULL AND members.removed_at_ms IS NULL)
           OR (held.member_id IS NULL AND held.token_hash = (SELECT value FROM meta WHERE name = $2)))`,
        [nowMs, adminTokenSetting, ...values],
      );
      return rows.map(({ id }) => id);
    },
    touchSession: (sessionId, nowMs, expiresAtMs) =>
      db.write(async (tx) => {
        const row = await tx.get<{ member_id: number | null }>(
          'UPDATE member_sessions SET seen_at_ms = $2, expires_at_ms = $3 WHERE id = $1 RETURNING member_id',
          [sessionId, nowMs, expiresAtMs],
        );
        if (row?.member_id != null) await sawMember(tx, row.member_id, nowMs);
      }),
    async listSessions(holder, nowMs) {
      const rows = await db.all<SessionRow>(
        `SELECT ${sessionColumns} FROM member_sessions WHERE ${ofHolder} AND expires_at_ms > $3
         ORDER BY seen_at_ms DESC, id DESC`,
        [...holderValues(holder), nowMs],
      );
      return rows.map(sessionOf);
    },
    async endSession(holder, sessionId) {
      const { changes } = await db.run(`DELETE FROM member_sessions WHERE ${ofHolder} AND id = $3`, [
        ...holderValues(holder),
        sessionId,
      ]);
      return changes > 0;
    },
    async endSessions(holder, exceptId) {
      const { changes } = await db.run(`DELETE FROM member_sessions WHERE ${ofHolder} AND id <> $3`, [
        ...holderValues(holder),
        exceptId ?? 0,
      ]);
      return changes;
    },
    endTokenSessions: () =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM sign_in_links WHERE member_id IS NULL');
        return (await tx.run('DELETE FROM member_sessions WHERE member_id IS NULL')).changes;
      }),
  };
}

/**
 * Begins a session within a transaction; what of the holder's is over, or more than `sessionsMax`, goes.
 * Answers null for a member who is none any more.
 */
export async function beginSession(
  tx: Query,
  holder: Holder,
  session: NewSession,
): Promise<FoundSession | null> {
  const [memberId, tokenHash] = holderValues(holder);
  const { hash, createdAtMs, expiresAtMs, userAgent, net } = session;
  await tx.run('DELETE FROM member_sessions WHERE expires_at_ms <= $1', [createdAtMs]);
  await tx.run(
    `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE ${ofHolder}
     ORDER BY seen_at_ms DESC, id DESC LIMIT 1000 OFFSET $3)`,
    [memberId, tokenHash, sessionsMax - 1],
  );
  const row = await tx.get<OwnedSessionRow>(
    `INSERT INTO member_sessions
       (hash, member_id, token_hash, created_at_ms, seen_at_ms, expires_at_ms, user_agent, net)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7) RETURNING ${ownedColumns}`,
    [hash, memberId, tokenHash, createdAtMs, expiresAtMs, userAgent, net],
  );
  if (row === undefined) throw new Error('A new session returned no row.');
  if (row.member_id !== null) await sawMember(tx, row.member_id, createdAtMs);
  const found = await withMember(tx, row);
  if (found === null) await tx.run('DELETE FROM member_sessions WHERE id = $1', [row.id]);
  return found;
}

async function withMember(query: Pick<Query, 'get'>, row: OwnedSessionRow): Promise<FoundSession | null> {
  if (row.member_id === null) return foundSession(row, null);
  const member = await query.get<MemberRow>(
    `SELECT ${memberColumns} FROM members WHERE id = $1 AND removed_at_ms IS NULL`,
    [row.member_id],
  );
  return member === undefined ? null : foundSession(row, member);
}

async function sawMember(tx: Query, memberId: number, nowMs: number): Promise<void> {
  await tx.run('UPDATE members SET seen_at_ms = $2 WHERE id = $1', [memberId, nowMs]);
}
