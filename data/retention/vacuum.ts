// Room that removed rows leave in a SQLite file, given back to the disk in small steps: made whole again at
// once, a file of some gigabytes would be written anew while nobody is answered. Queries only.
import type { VacuumStep } from '../../src/core/store/storage/retention.ts';
import type { Db } from '../db.ts';

/** Pages that stay for what comes next: a file that shrinks and grows with every event gains nothing. */
const sparePages = 256;
/** Of one transaction. */
const stepPages = 200;
const stepMsMax = 10;

/** SQLite's number for `auto_vacuum = INCREMENTAL`, which is chosen when a file is made. */
const incremental = 2;

export async function vacuumStep(db: Db): Promise<VacuumStep> {
  // PostgreSQL does it by itself.
  if (db.dbms === 'postgres') return { mode: 'not needed', pages: 0, done: true };
  const step = await db.write<VacuumStep>(async (tx) => {
    const mode = await tx.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum');
    if (mode?.auto_vacuum !== incremental) return { mode: 'none', pages: 0, done: true };
    const free = (await tx.get<{ freelist_count: number }>('PRAGMA freelist_count'))?.freelist_count ?? 0;
    const wanted = Math.min(stepPages, free - sparePages);
    const startedMs = performance.now();
    let pages = 0;
    // One page each: run to its end the statement would keep the process for as long as it takes.
    for (; pages < wanted && performance.now() - startedMs < stepMsMax; pages += 1) {
      await tx.run('PRAGMA incremental_vacuum(1)');
    }
    return { mode: 'steps', pages, done: pages >= free - sparePages };
  });
  // The file is cut only where the log is folded in, which nobody would do on a disk that takes nothing.
  if (step.done && step.pages > 0) await db.foldLog?.();
  return step;
}
