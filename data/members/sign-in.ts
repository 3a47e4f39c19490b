import { challengesMax, type SignInMethods } from '../../src/core/store/members.ts';
import { type Query, storePart } from '../db.ts';
import { defaulted, integer, json, nullable, tableOf, text } from '../table.ts';
import { members } from './rows.ts';

const challenges = tableOf('sign_in_challenges', { hash: text, body: text, expiresAtMs: integer });

const identities = tableOf('member_identities', {
  id: defaulted(integer),
  memberId: integer,
  issuer: text,
  subject: text,
  email: nullable(text),
  createdAtMs: integer,
  usedAtMs: integer,
});

const passkeys = tableOf('member_passkeys', {
  id: defaulted(integer),
  memberId: integer,
  credentialId: text,
  publicKey: text,
  counter: integer,
  transports: json<readonly string[]>(),
  name: text,
  createdAtMs: integer,
  usedAtMs: defaulted(nullable(integer)),
});

const byMemberAndId = 'WHERE member_id = $1 AND id = $2';

export const signInStore = storePart(
  {
    hasPasskeys: async (db) => (await db.get('SELECT 1 FROM member_passkeys LIMIT 1')) !== undefined,
    findPasskey: (db, credentialId) => passkeys.find(db, 'WHERE credential_id = $1', [credentialId]),
    listPasskeys: (db, memberId) => passkeys.list(db, 'WHERE member_id = $1 ORDER BY id', [memberId]),
    listMembersByEmail: (db, email) =>
      members.list(db, 'WHERE removed_at_ms IS NULL AND LOWER(email) = $1 ORDER BY id LIMIT 10', [
        email.toLowerCase(),
      ]),
    hasRemovedMember: async (db, email) =>
      (await db.get('SELECT 1 FROM members WHERE removed_at_ms IS NOT NULL AND LOWER(email) = $1 LIMIT 1', [
        email.toLowerCase(),
      ])) !== undefined,
    findIdentity: (db, issuer, subject) =>
      identities.find(db, 'WHERE issuer = $1 AND subject = $2', [issuer, subject]),
    listIdentities: (db, memberId) => identities.list(db, 'WHERE member_id = $1 ORDER BY id', [memberId]),
    async listSignInMethods(db, memberId) {
      const isListed = memberId === undefined ? '' : 'WHERE member_id = $1';
      const rows = await db.all<{ memberId: number; issuer: string | null }>(
        `SELECT DISTINCT member_id AS "memberId", NULL AS issuer FROM member_passkeys ${isListed}
         UNION ALL SELECT member_id, issuer FROM member_identities ${isListed} ORDER BY 1, 2`,
        memberId === undefined ? [] : [memberId],
      );
      const methods = new Map<number, SignInMethods>();
      for (const { memberId, issuer } of rows) {
        const { hasPasskey = false, issuers = [] } = methods.get(memberId) ?? {};
        methods.set(memberId, {
          hasPasskey: hasPasskey || issuer === null,
          issuers: issuer === null ? issuers : [...issuers, issuer],
        });
      }
      return methods;
    },
    touchIdentity: async (db, id, email, usedAtMs) => {
      await db.write((tx) => identities.update(tx, { email, usedAtMs }, { where: 'id = $1', values: [id] }));
    },
  },
  {
    async addChallenge(tx, challenge, nowMs) {
      await tx.run('DELETE FROM sign_in_challenges WHERE expires_at_ms <= $1', [nowMs]);
      await tx.run(
        `DELETE FROM sign_in_challenges WHERE hash IN (SELECT hash FROM sign_in_challenges
         ORDER BY expires_at_ms DESC LIMIT 100 OFFSET $1)`,
        [challengesMax - 1],
      );
      await challenges.insert(tx, challenge);
    },
    async takeChallenge(tx, hash, nowMs) {
      const row = await tx.get<{ body: string; expiresAtMs: number }>(
        'DELETE FROM sign_in_challenges WHERE hash = $1 RETURNING body, expires_at_ms AS "expiresAtMs"',
        [hash],
      );
      return row === undefined || row.expiresAtMs <= nowMs ? null : row.body;
    },
    addPasskey: (tx, passkey) =>
      passkeys.insertReturning(tx, passkey, { onConflict: '(credential_id) DO NOTHING' }),
    async usePasskey(tx, id, counter, usedAtMs) {
      const where = 'id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))';
      return (await passkeys.update(tx, { counter, usedAtMs }, { where, values: [id, counter] })) > 0;
    },
    renamePasskey: (tx, memberId, id, name) =>
      passkeys.updateReturning(tx, { name }, { where: 'member_id = $1 AND id = $2', values: [memberId, id] }),
    removePasskey: (tx, memberId, id) => passkeys.deleteReturning(tx, byMemberAndId, [memberId, id]),
    removeIdentity: (tx, memberId, id) => identities.deleteReturning(tx, byMemberAndId, [memberId, id]),
    addIdentity: (tx, identity) => identities.insertReturning(tx, identity, { onConflict: 'DO NOTHING' }),
  },
);

export async function removeSignInMethods(tx: Pick<Query, 'run'>, memberId: number): Promise<void> {
  const tables = [
    'member_sessions',
    'sign_in_links',
    'member_identities',
    'member_passkeys',
    'personal_tokens',
  ];
  for (const table of tables) {
    await tx.run(`DELETE FROM ${table} WHERE member_id = $1`, [memberId]);
  }
}
