import { minuteMs } from '../../src/core/parsing/durations.ts';
import type { TokenScope } from '../../src/core/store/members.ts';
import { storePart } from '../db.ts';
import { defaulted, integer, json, nullable, tableOf, text } from '../table.ts';
import { members } from './rows.ts';

const tokens = tableOf('personal_tokens', {
  id: defaulted(integer),
  memberId: integer,
  hash: text,
  prefix: text,
  lastFour: text,
  name: text,
  scopes: json<readonly TokenScope[]>(),
  createdAtMs: integer,
  expiresAtMs: integer,
  lastUsedAtMs: defaulted(nullable(integer)),
}).without('hash');

/** The minimum time between writes: each is a commit. */
const touchEveryMs = minuteMs;

export const personalTokenStore = storePart(
  {
    async findPersonalToken(db, hash) {
      const token = await tokens.find(db, 'WHERE hash = $1', [hash]);
      if (token === null) return null;
      const member = await members.find(db, 'WHERE removed_at_ms IS NULL AND id = $1', [token.memberId]);
      return member && { token, member };
    },
    listPersonalTokens: (db, memberId) =>
      memberId === null
        ? tokens.list(db, 'ORDER BY member_id, id')
        : tokens.list(db, 'WHERE member_id = $1 ORDER BY id', [memberId]),
    async touchPersonalToken(db, id, usedAtMs) {
      await db.run(
        `UPDATE personal_tokens SET last_used_at_ms = $2 WHERE id = $1
         AND (last_used_at_ms IS NULL OR last_used_at_ms <= $3)`,
        [id, usedAtMs, usedAtMs - touchEveryMs],
      );
    },
  },
  {
    addPersonalToken: (tx, token) => tokens.insertReturning(tx, token),
    removePersonalToken: (tx, memberId, id) =>
      tokens.deleteReturning(tx, 'WHERE member_id = $1 AND id = $2', [memberId, id]),
  },
);
