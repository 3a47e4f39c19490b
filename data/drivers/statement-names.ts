// Names for prepared statements: a bounded number, each the same for the same text in every process.
import { hash } from 'node:crypto';

/**
 * Texts that get a name; each connection keeps so many prepared at most. All that we ask of every event are
 * far fewer.
 */
const namesMax = 300;
/** Texts that were asked once and may come again. */
const onceMax = 1_000;

/**
 * Names texts of SQL, so that a connection prepares each of them once. A text is named when it is asked for
 * the second time, as long as there are names left; the others go without (undefined), which is slower and
 * leaves nothing behind. A name is made from its text, so that a pooler between us and the database can share
 * it among connections.
 */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  const once = new Set<string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= namesMax) return known;
    if (!once.delete(sql)) {
      if (once.size >= onceMax) once.delete(once.values().next().value as string);
      once.add(sql);
      return undefined;
    }
    const name = `n_${hash('sha256', sql).slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}
