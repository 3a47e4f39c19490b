import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { describeWithPrograms } from '../support/needs.ts';
import { isNightly } from '../support/test-level.ts';
import { type Deed, readTrace, traceUntil } from './power/disk-trace.ts';
import { createDisk } from './power/lost-power.ts';

const program = join(import.meta.dirname, '../data/support/write-until-killed.ts');
const cuts = isNightly ? 500 : 120;
const answersWanted = isNightly ? 1_000 : 400;

describeWithPrograms('power loss', ['strace'], ({ strace }) => {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-power-'));
  let deeds: Deed[] = [];
  beforeAll(async () => {
    const [file, trace] = [join(folder, 'source.db'), join(folder, 'trace')];
    await traceUntil(strace ?? '', [program, `sqlite:${file}`, '0'], trace, answersWanted);
    deeds = readTrace(trace, file);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function losses(
    cuts: number,
    syncs: (file: string) => boolean,
  ): { lost: number; broken: number; answered: number } {
    const disk = createDisk(syncs);
    const answered: string[] = [];
    const first = deeds.findIndex(({ kind }) => kind === 'answer');
    const found = { lost: 0, broken: 0, answered: 0 };
    let cut = 0;
    for (const [index, deed] of deeds.entries()) {
      disk.does(deed);
      if (deed.kind === 'answer') answered.push(...deed.text.split('\n').filter(Boolean));
      if (index < first + (cut * (deeds.length - first - 1)) / cuts) continue;
      const place = join(folder, `cut-${cut}`);
      mkdirSync(place);
      // Of what was not synced nothing, a third, two or all: a device keeps what it likes.
      let nth = 0;
      disk.losePower(
        (file) => join(place, basename(file)),
        () => (nth++ + cut) % 3 < cut % 4,
      );
      const { ids, isWhole } = lookAt(join(place, 'source.db'));
      found.lost = Math.max(found.lost, answered.filter((id) => !ids.has(id)).length);
      if (!isWhole) found.broken += 1;
      rmSync(place, { recursive: true });
      cut += 1;
    }
    return { ...found, answered: answered.length };
  }

  it('at any point leaves every event that was answered, in a whole file', () => {
    const found = losses(cuts, () => true);
    const syncs = deeds.filter(({ kind }) => kind === 'sync').length;
    process.stderr.write(
      `F2b: ${cuts} cuts through ${deeds.length} writes, ${syncs} syncs and ${found.answered} answers: at most ${found.lost} lost, ${found.broken} files broken\n`,
    );
    expect(found).toEqual({ lost: 0, broken: 0, answered: found.answered });
    expect(found.answered).toBeGreaterThanOrEqual(answersWanted);
  });

  it('would lose answered events if the WAL were not synced', () => {
    expect(losses(10, (file) => !file.endsWith('-wal')).lost).toBeGreaterThan(0);
  });
});

function lookAt(file: string): { ids: Set<string>; isWhole: boolean } {
  const database = new Database(file);
  try {
    const isWhole = database.pragma('integrity_check', { simple: true }) === 'ok';
    return {
      ids: new Set(database.prepare('SELECT event_id FROM events').pluck().all() as string[]),
      isWhole,
    };
  } catch {
    return { ids: new Set(), isWhole: false };
  } finally {
    database.close();
  }
}
