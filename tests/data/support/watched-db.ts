// A database whose statements are written down as they are run.
import type { Db, Query, Transaction } from '../../../data/db.ts';

/** The same database; the text of every statement it runs is added to `seen`. */
export function watchedDb(db: Db, seen: Set<string>): Db {
  const wrap = (query: Query): Query => {
    const note = (sql: string): string => {
      seen.add(sql);
      return sql;
    };
    return {
      all: (sql, values) => query.all(note(sql), values),
      get: (sql, values) => query.get(note(sql), values),
      run: (sql, values) => query.run(note(sql), values),
    };
  };
  const many = (tx: Transaction): Transaction => ({
    ...wrap(tx),
    allMany: (asked, rows) => {
      seen.add(asked.sql);
      return tx.allMany(asked, rows);
    },
    updateMany: (asked, rows) => {
      seen.add(asked.sql);
      return tx.updateMany(asked, rows);
    },
  });
  return { ...db, ...wrap(db), write: (job, bytes) => db.write((tx) => job(many(tx)), bytes) };
}
