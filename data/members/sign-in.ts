import {
  challengesMax,
  type MemberIdentity,
  type Passkey,
  type SignInMethods,
  type SignInStore,
} from '../../src/core/store/members.ts';
import type { StoreParts } from '../../src/core/store/store.ts';
import type { Db, Query } from '../db.ts';
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

export function signInStore(db: Db): SignInStore {
  return {
    ...challengeQueries(db),
    ...passkeyQueries(db),
    listMembersByEmail: (email) =>
      members.list(db, 'WHERE removed_at_ms IS NULL AND LOWER(email) = $1 ORDER BY id LIMIT 10', [
        email.toLowerCase(),
      ]),
    hasRemovedMember: async (email) =>
      (await db.get('SELECT 1 FROM members WHERE removed_at_ms IS NOT NULL AND LOWER(email) = $1 LIMIT 1', [
        email.toLowerCase(),
      ])) !== undefined,
    addIdentity: (identity) =>
      db.write((tx) => identities.insertReturning(tx, identity, { onConflict: 'DO NOTHING' })),
    findIdentity: (issuer, subject) =>
      identities.find(db, 'WHERE issuer = $1 AND subject = $2', [issuer, subject]),
    listIdentities: (memberId) => identities.list(db, 'WHERE member_id = $1 ORDER BY id', [memberId]),
    listSignInMethods: (memberId) => listSignInMethods(db, memberId),
    touchIdentity: async (id, email, usedAtMs) => {
      await db.write((tx) => identities.update(tx, { email, usedAtMs }, { where: 'id = $1', values: [id] }));
    },
    removeIdentity: (memberId, id) => removeOwned<MemberIdentity>(db, identities, memberId, id),
  };
}

async function listSignInMethods(db: Db, memberId?: number): Promise<ReadonlyMap<number, SignInMethods>> {
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
}

function challengeQueries(db: Db) {
  return {
    addChallenge: (challenge, nowMs) =>
      db.write(async (tx) => {
        await tx.run('DELETE FROM sign_in_challenges WHERE expires_at_ms <= $1', [nowMs]);
        await tx.run(
          `DELETE FROM sign_in_challenges WHERE hash IN (SELECT hash FROM sign_in_challenges
           ORDER BY expires_at_ms DESC LIMIT 100 OFFSET $1)`,
          [challengesMax - 1],
        );
        await challenges.insert(tx, challenge);
      }),
    takeChallenge: (hash, nowMs) =>
      db.write(async (tx) => {
        const row = await tx.get<{ body: string; expiresAtMs: number }>(
          'DELETE FROM sign_in_challenges WHERE hash = $1 RETURNING body, expires_at_ms AS "expiresAtMs"',
          [hash],
        );
        return row === undefined || row.expiresAtMs <= nowMs ? null : row.body;
      }),
  } satisfies Partial<StoreParts>;
}

function passkeyQueries(db: Db) {
  return {
    addPasskey: (passkey) =>
      db.write((tx) => passkeys.insertReturning(tx, passkey, { onConflict: '(credential_id) DO NOTHING' })),
    hasPasskeys: async () => (await db.get('SELECT 1 FROM member_passkeys LIMIT 1')) !== undefined,
    findPasskey: (credentialId) => passkeys.find(db, 'WHERE credential_id = $1', [credentialId]),
    listPasskeys: (memberId) => passkeys.list(db, 'WHERE member_id = $1 ORDER BY id', [memberId]),
    usePasskey: async (id, counter, usedAtMs) =>
      db.write(async (tx) => {
        const where = 'id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))';
        return (await passkeys.update(tx, { counter, usedAtMs }, { where, values: [id, counter] })) > 0;
      }),
    renamePasskey: (memberId, id, name) =>
      db.write((tx) =>
        passkeys.updateReturning(
          tx,
          { name },
          { where: 'member_id = $1 AND id = $2', values: [memberId, id] },
        ),
      ),
    removePasskey: (memberId, id) => removeOwned<Passkey>(db, passkeys, memberId, id),
  } satisfies Partial<StoreParts>;
}

interface Owned<Row> {
  readonly name: string;
  find(query: Query, tail: string, values: readonly number[]): Promise<Row | null>;
}

function removeOwned<Row>(db: Db, table: Owned<Row>, memberId: number, id: number): Promise<Row | null> {
  return db.write(async (tx) => {
    const ofMember = 'WHERE member_id = $1 AND id = $2';
    const found = await table.find(tx, ofMember, [memberId, id]);
    const { changes } = await tx.run(`DELETE FROM ${table.name} ${ofMember}`, [memberId, id]);
    return changes === 0 ? null : found;
  });
}

const ofMember = [
  ...['member_sessions', 'sign_in_links', 'member_identities', 'member_passkeys', 'personal_tokens'],
] as const;

export async function removeSignInMethods(tx: Pick<Query, 'run'>, memberId: number): Promise<void> {
  for (const table of ofMember) {
    await tx.run(`DELETE FROM ${table} WHERE member_id = $1`, [memberId]);
  }
}
