// Members of the workspace: queries only. Sessions and links stand beside.
import type { ListedMember, Member, MemberStore } from '../../src/core/store/members.ts';
import type { Db, Query } from '../db.ts';
import { linkQueries } from './links.ts';
import { type MemberRow, memberColumns, memberOf } from './rows.ts';
import { sessionQueries } from './sessions.ts';

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
