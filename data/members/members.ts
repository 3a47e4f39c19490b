// Members of the workspace: queries only. Sessions and links stand beside.
import {
  adminTokenSetting,
  type FoundLink,
  type FoundSession,
  type Holder,
  type ListedMember,
  type Member,
  type MemberStore,
  type NewSession,
  sessionsMax,
} from '../../src/core/store/members.ts';
import type { Db, Query } from '../db.ts';
import { listOf } from '../value-lists.ts';
import {
  foundSession,
  holderOf,
  holderValues,
  type MemberRow,
  memberColumns,
  memberOf,
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

type LinkQueries = Pick<MemberStore, 'addLink' | 'findLink' | 'withdrawLinks' | 'spendLink'>;

interface LinkRow {
  readonly member_id: number | null;
  readonly token_hash: string | null;
  readonly expires_at_ms: number;
  readonly used_at_ms: number | null;
}

/** For so long a link that is over can still be told from one that never was. */
const keptMs = 7 * 24 * 60 * 60_000;

const unknownLink: FoundLink = { state: 'unknown', expiresAtMs: null, member: null };

/** The part of `MemberStore` that speaks of links. */
function linkQueries(db: Db): LinkQueries {
  return {
    addLink: (holder, link) =>
      db.write(async (tx) => {
        const [memberId, tokenHash] = holderValues(holder);
        await tx.run('DELETE FROM sign_in_links WHERE expires_at_ms <= $1', [link.createdAtMs - keptMs]);
        if (memberId !== null) await withdraw(tx, Number(memberId));
        await tx.run(
          `INSERT INTO sign_in_links (hash, member_id, token_hash, created_at_ms, expires_at_ms)
           VALUES ($1, $2, $3, $4, $5)`,
          [link.hash, memberId, tokenHash, link.createdAtMs, link.expiresAtMs],
        );
      }),
    async findLink(hash, nowMs) {
      const row = await db.get<LinkRow>(selectLink, [hash, adminTokenSetting]);
      return row === undefined ? unknownLink : linkOf(db, row, nowMs);
    },
    withdrawLinks: (memberId) => db.write((tx) => withdraw(tx, memberId)),
    spendLink: (hash, session) =>
      db.write(async (tx) => {
        // The constraint decides: of two who come at once, the second finds it used.
        const row = await tx.get<LinkRow>(
          `UPDATE sign_in_links SET used_at_ms = $2 WHERE hash = $1 AND used_at_ms IS NULL
             AND expires_at_ms > $2
             AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $3))
           RETURNING member_id, token_hash, expires_at_ms, NULL AS used_at_ms`,
          [hash, session.createdAtMs, adminTokenSetting],
        );
        if (row === undefined) {
          const there = await tx.get<LinkRow>(selectLink, [hash, adminTokenSetting]);
          return there === undefined ? unknownLink : linkOf(tx, there, session.createdAtMs);
        }
        const begun = await beginSession(tx, holderOf(row), session);
        return begun === null
          ? unknownLink
          : { state: 'open', expiresAtMs: row.expires_at_ms, member: begun.member };
      }),
  };
}

const selectLink = `SELECT member_id, token_hash, expires_at_ms, used_at_ms FROM sign_in_links WHERE hash = $1
  AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $2))`;

/** The queries of `MemberStore`. */
export function memberStore(db: Db): MemberStore {
  return {
    ...linkQueries(db),
    ...sessionQueries(db),
    addMember: (member) =>
      db.write((tx) =>
        oneMember(
          tx,
          `INSERT INTO members (name, name_key, email, role, created_at_ms, created_by)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (name_key) WHERE removed_at_ms IS NULL DO NOTHING RETURNING ${memberColumns}`,
          [member.name, member.nameKey, member.email, member.role, member.createdAtMs, member.createdBy],
        ),
      ),
    findMember: (memberId) => oneMember(db, `${selectMember} AND id = $1`, [memberId]),
    findMemberByName: (nameKey) => oneMember(db, `${selectMember} AND name_key = $1`, [nameKey]),
    listMembers: (nowMs) => listMembers(db, nowMs),
    changeMember: (memberId, change) =>
      db.write((tx) =>
        oneMember(
          tx,
          `UPDATE members SET role = COALESCE($2, role), email = CASE WHEN $3 = 1 THEN $4 ELSE email END
           WHERE id = $1 AND removed_at_ms IS NULL RETURNING ${memberColumns}`,
          [memberId, change.role ?? null, Number(change.email !== undefined), change.email ?? null],
        ),
      ),
    removeMember: (memberId, nowMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM member_sessions WHERE member_id = $1', [memberId]);
        await tx.run('DELETE FROM sign_in_links WHERE member_id = $1', [memberId]);
        return oneMember(
          tx,
          `UPDATE members SET removed_at_ms = $2 WHERE id = $1 AND removed_at_ms IS NULL
           RETURNING ${memberColumns}`,
          [memberId, nowMs],
        );
      }),
  };
}

const selectMember = `SELECT ${memberColumns} FROM members WHERE removed_at_ms IS NULL`;

async function oneMember(
  query: Pick<Query, 'get'>,
  sql: string,
  values: Parameters<Query['get']>[1],
): Promise<Member | null> {
  const row = await query.get<MemberRow>(sql, values);
  return row === undefined ? null : memberOf(row);
}

async function listMembers(db: Db, nowMs: number): Promise<ListedMember[]> {
  const rows = await db.all<MemberRow & { sessions: number; link_ends_at_ms: number | null }>(
    `SELECT ${memberColumns},
       (SELECT COUNT(*) FROM member_sessions s WHERE s.member_id = members.id AND s.expires_at_ms > $1)
         AS sessions,
       (SELECT MAX(l.expires_at_ms) FROM sign_in_links l
        WHERE l.member_id = members.id AND l.used_at_ms IS NULL AND l.expires_at_ms > $1) AS link_ends_at_ms
     FROM members WHERE removed_at_ms IS NULL ORDER BY name_key, id`,
    [nowMs],
  );
  return rows.map((row) => ({
    ...memberOf(row),
    sessionsCount: Number(row.sessions),
    linkEndsAtMs: row.link_ends_at_ms,
  }));
}

async function withdraw(tx: Query, memberId: number): Promise<number> {
  const { changes } = await tx.run('DELETE FROM sign_in_links WHERE member_id = $1 AND used_at_ms IS NULL', [
    memberId,
  ]);
  return changes;
}

async function linkOf(query: Pick<Query, 'get'>, row: LinkRow, nowMs: number): Promise<FoundLink> {
  const member =
    row.member_id === null
      ? undefined
      : await query.get<MemberRow>(
          `SELECT ${memberColumns} FROM members WHERE id = $1 AND removed_at_ms IS NULL`,
          [row.member_id],
        );
  if (row.member_id !== null && member === undefined) return unknownLink;
  const state = row.used_at_ms !== null ? 'used' : row.expires_at_ms <= nowMs ? 'over' : 'open';
  return { state, expiresAtMs: row.expires_at_ms, member: member === undefined ? null : memberOf(member) };
}

/** The part of `MemberStore` that speaks of sessions. */
function sessionQueries(db: Db): SessionQueries {
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
async function beginSession(tx: Query, holder: Holder, session: NewSession): Promise<FoundSession | null> {
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
