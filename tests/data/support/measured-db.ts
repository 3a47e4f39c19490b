// A database that tells how much each transaction did.
import type { Db, Transaction } from '../../../data/db.ts';

/** What the greatest transaction so far did. */
export interface Greatest {
  statements: number;
  changes: number;
}

/** The same database; the greatest numbers of one transaction are kept in `greatest`. */
export function measuredDb(db: Db, greatest: Greatest): Db {
  const write: Db['write'] = (job, bytes) =>
    db.write((tx) => {
      const own = { statements: 0, changes: 0 };
      const counted = <Value>(
        answer: Promise<Value>,
        changesOf: (value: Value) => number,
      ): Promise<Value> => {
        own.statements += 1;
        greatest.statements = Math.max(greatest.statements, own.statements);
        return answer.then((value) => {
          own.changes += changesOf(value);
          greatest.changes = Math.max(greatest.changes, own.changes);
          return value;
        });
      };
      const measured: Transaction = {
        all: <Row>(sql: string, values?: Parameters<Transaction['all']>[1]) =>
          counted(tx.all<Row>(sql, values), () => 0),
        get: <Row>(sql: string, values?: Parameters<Transaction['get']>[1]) =>
          counted(tx.get<Row>(sql, values), () => 0),
        run: (sql, values) => counted(tx.run(sql, values), ({ changes }) => changes),
        allMany: <Row>(...asked: Parameters<Transaction['allMany']>) =>
          counted(tx.allMany<Row>(...asked), () => 0),
        updateMany: (asked, rows) =>
          counted(tx.updateMany(asked, rows), (missed) => rows.length - missed.length),
      };
      return job(measured);
    }, bytes);
  return { ...db, write, run: (sql, values) => write((tx) => tx.run(sql, values)) };
}
