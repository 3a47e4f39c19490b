// One-time sign-in links: queries only. A link is spent in the transaction that begins its session.
import { adminTokenSetting, type FoundLink, type MemberStore } from '../../src/core/store/members.ts';
import type { Db, Query } from '../db.ts';
import { holderOf, holderValues, type MemberRow, memberColumns, memberOf } from './rows.ts';
import { beginSession } from './sessions.ts';

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
export function linkQueries(db: Db): LinkQueries {
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
