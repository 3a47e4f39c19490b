import {
  adminTokenSetting,
  type FoundLink,
  type ListedMember,
  type Member,
  type SessionOwner,
  sessionsMax,
} from '../../src/core/store/members.ts';
import { type Query, type StoreMethod, storePart } from '../db.ts';
import type { RowOf } from '../table.ts';
import { toValueList } from '../value-lists.ts';
import { foundSession, links, members, ownedSessions, ownerColumns, ownerOf, sessions } from './rows.ts';
import { removeSignInMethods } from './sign-in.ts';

const ofOwner = '((member_id IS NOT NULL AND member_id = $1) OR (member_id IS NULL AND token_hash = $2))';

type LinkRow = RowOf<typeof links>;

/** For this long a link answers "expired" or "used" instead of "unknown". */
const keptMs = 7 * 24 * 60 * 60_000;

const unknownLink: FoundLink = { state: 'unknown', expiresAtMs: null, member: null, byMail: false };

const ofHash = `WHERE hash = $1
  AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $2))`;

export const memberStore = storePart(
  {
    async findLink(db, hash, nowMs) {
      const row = await links.find(db, ofHash, [hash, adminTokenSetting]);
      return row === null ? unknownLink : linkOf(db, row, nowMs);
    },
    async findSession(db, hash, nowMs) {
      const row = await ownedSessions.find(
        db,
        `WHERE hash = $1 AND expires_at_ms > $2
         AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $3))`,
        [hash, nowMs, adminTokenSetting],
      );
      return row && withMember(db, row);
    },
    async sessionsThatHold(db, sessionIds, nowMs) {
      if (sessionIds.length === 0) return [];
      const { placeholders, values } = toValueList(sessionIds, 3);
      const rows = await db.all<{ id: number }>(
        `SELECT held.id FROM member_sessions held LEFT JOIN members ON members.id = held.member_id
         WHERE held.expires_at_ms > $1 AND held.id IN (${placeholders})
         AND ((held.member_id IS NOT NULL AND members.id IS NOT NULL AND members.removed_at_ms IS NULL)
           OR (held.member_id IS NULL AND held.token_hash = (SELECT value FROM meta WHERE name = $2)))`,
        [nowMs, adminTokenSetting, ...values],
      );
      return rows.map(({ id }) => id);
    },
    listSessions: (db, owner, nowMs) =>
      sessions.list(db, `WHERE ${ofOwner} AND expires_at_ms > $3 ORDER BY seen_at_ms DESC, id DESC`, [
        ...ownerValues(owner),
        nowMs,
      ]),
    async endSession(db, owner, sessionId) {
      const { changes } = await db.run(`DELETE FROM member_sessions WHERE ${ofOwner} AND id = $3`, [
        ...ownerValues(owner),
        sessionId,
      ]);
      return changes > 0;
    },
    async endSessions(db, owner, exceptId) {
      const { changes } = await db.run(`DELETE FROM member_sessions WHERE ${ofOwner} AND id <> $3`, [
        ...ownerValues(owner),
        exceptId ?? 0,
      ]);
      return changes;
    },
    findMember,
    findMemberByName: (db, nameKey) =>
      members.find(db, `WHERE removed_at_ms IS NULL AND name_key = $1`, [nameKey]),
    async listMembers(db, nowMs, memberId) {
      const isListed = memberId === undefined ? '' : 'AND id = $2';
      const rows = await db.all<ListedMember>(
        `SELECT ${members.columns()},
           (SELECT COUNT(*) FROM member_sessions s WHERE s.member_id = members.id AND s.expires_at_ms > $1)
             AS "sessionsCount",
           (SELECT MAX(l.expires_at_ms) FROM sign_in_links l
            WHERE l.member_id = members.id AND l.by_mail = 0 AND l.used_at_ms IS NULL AND l.expires_at_ms > $1) AS "linkEndsAtMs"
         FROM members WHERE removed_at_ms IS NULL ${isListed} ORDER BY name_key, id`,
        memberId === undefined ? [nowMs] : [nowMs, memberId],
      );
      return rows.map((row) => members.rowOf(row));
    },
  },
  {
    async addLink(tx, sessionOwner, link) {
      const owner = ownerColumns(sessionOwner);
      await tx.run('DELETE FROM sign_in_links WHERE expires_at_ms <= $1', [link.createdAtMs - keptMs]);
      if (owner.memberId !== null && !link.byMail)
        await deleteOpenLinks(tx, owner.memberId, 'AND by_mail = 0');
      await links.insert(tx, { ...link, ...owner });
    },
    revokeLinks: (tx, memberId) => deleteOpenLinks(tx, memberId),
    async redeemLink(tx, hash, session) {
      // Of two requests at once, the second finds the link used.
      const row = await links.updateReturning(
        tx,
        { usedAtMs: session.createdAtMs },
        {
          where: `hash = $1 AND used_at_ms IS NULL AND expires_at_ms > $2
            AND (member_id IS NOT NULL OR token_hash = (SELECT value FROM meta WHERE name = $3))`,
          values: [hash, session.createdAtMs, adminTokenSetting],
        },
      );
      if (row === null) {
        const existing = await links.find(tx, ofHash, [hash, adminTokenSetting]);
        return existing === null ? unknownLink : linkOf(tx, existing, session.createdAtMs);
      }
      const started = await beginSession(tx, ownerOf(row), session);
      return started === null
        ? unknownLink
        : { state: 'open', expiresAtMs: row.expiresAtMs, member: started.member, byMail: row.byMail };
    },
    addSession: (tx, owner, session) => beginSession(tx, owner, session),
    async touchSession(tx, sessionId, nowMs, expiresAtMs) {
      const used = { seenAtMs: nowMs, expiresAtMs };
      const row = await ownedSessions.updateReturning(tx, used, { where: 'id = $1', values: [sessionId] });
      if (row?.memberId != null) await touchMember(tx, row.memberId, nowMs);
    },
    async endTokenSessions(tx) {
      await tx.run('DELETE FROM sign_in_links WHERE member_id IS NULL');
      return (await tx.run('DELETE FROM member_sessions WHERE member_id IS NULL')).changes;
    },
    addMember: (tx, member) =>
      members.insertReturning(tx, member, {
        onConflict: '(name_key) WHERE removed_at_ms IS NULL DO NOTHING',
      }),
    changeMember: (tx, memberId, { role, email }) =>
      members.updateReturning(tx, { role, email }, activeMember(memberId)),
    async extendInvitation(tx, memberId, invitedUntilMs) {
      const pending = 'id = $1 AND removed_at_ms IS NULL AND seen_at_ms IS NULL';
      return (await members.update(tx, { invitedUntilMs }, { where: pending, values: [memberId] })) > 0;
    },
    async removeMember(tx, memberId, removedAtMs) {
      await removeSignInMethods(tx, memberId);
      await tx.run('DELETE FROM saved_views WHERE owner_id = $1 AND is_shared = 0', [memberId]);
      await tx.run('DELETE FROM push_subscriptions WHERE member_id = $1', [memberId]);
      await tx.run('DELETE FROM page_settings WHERE owner_id = $1', [memberId]);
      await tx.run('DELETE FROM team_members WHERE member_id = $1', [memberId]);
      await tx.run('DELETE FROM member_projects WHERE member_id = $1', [memberId]);
      return members.updateReturning(tx, { removedAtMs }, activeMember(memberId));
    },
  },
);

function activeMember(memberId: number) {
  return { where: 'id = $1 AND removed_at_ms IS NULL', values: [memberId] };
}

function findMember(query: Pick<Query, 'get'>, memberId: number): Promise<Member | null> {
  return members.find(query, 'WHERE removed_at_ms IS NULL AND id = $1', [memberId]);
}

async function deleteOpenLinks(tx: Query, memberId: number, condition = ''): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM sign_in_links WHERE member_id = $1 AND used_at_ms IS NULL ${condition}`,
    [memberId],
  );
  return changes;
}

async function linkOf(query: Pick<Query, 'get'>, row: LinkRow, nowMs: number): Promise<FoundLink> {
  const member = row.memberId === null ? null : await findMember(query, row.memberId);
  if (row.memberId !== null && member === null) return unknownLink;
  const state = row.usedAtMs !== null ? 'used' : row.expiresAtMs <= nowMs ? 'over' : 'open';
  return { state, expiresAtMs: row.expiresAtMs, member, byMail: row.byMail };
}

/** Removes expired sessions and those beyond `sessionsMax`. Null for a removed member. */
const beginSession: StoreMethod<'addSession'> = async (tx, owner, session) => {
  const { createdAtMs } = session;
  if (await isInvitationOver(tx, ownerColumns(owner).memberId, createdAtMs)) return null;
  await tx.run('DELETE FROM member_sessions WHERE expires_at_ms <= $1', [createdAtMs]);
  await tx.run(
    `DELETE FROM member_sessions WHERE id IN (SELECT id FROM member_sessions WHERE ${ofOwner}
     ORDER BY seen_at_ms DESC, id DESC LIMIT 1000 OFFSET $3)`,
    [...ownerValues(owner), sessionsMax - 1],
  );
  const row = await ownedSessions.insertReturning(tx, {
    ...session,
    ...ownerColumns(owner),
    seenAtMs: createdAtMs,
  });
  if (row.memberId !== null) await touchMember(tx, row.memberId, createdAtMs);
  const found = await withMember(tx, row);
  if (found === null) await tx.run('DELETE FROM member_sessions WHERE id = $1', [row.id]);
  return found;
};

/** However the member signs in: an invitation that expired has to be sent again. */
async function isInvitationOver(tx: Query, memberId: number | null, nowMs: number): Promise<boolean> {
  const member = memberId === null ? null : await findMember(tx, memberId);
  const endsAtMs = member?.invitedUntilMs ?? null;
  return endsAtMs !== null && endsAtMs <= nowMs;
}

async function withMember(query: Pick<Query, 'get'>, row: RowOf<typeof ownedSessions>) {
  if (row.memberId === null) return foundSession(row, null);
  const member = await findMember(query, row.memberId);
  return member && foundSession(row, member);
}

async function touchMember(tx: Query, memberId: number, seenAtMs: number): Promise<void> {
  await members.update(tx, { seenAtMs, invitedUntilMs: null }, { where: 'id = $1', values: [memberId] });
}

function ownerValues(owner: SessionOwner): [memberId: number | null, tokenHash: string | null] {
  const { memberId, tokenHash } = ownerColumns(owner);
  return [memberId, tokenHash];
}
