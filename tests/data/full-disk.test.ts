// A disk that takes no more: refused and never half-accepted, reads go on, and a start with room again has everything.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openStore } from '../../data/open-store.ts';
import { silentLog } from '../../src/log.ts';
import { sqliteDatabase } from './support/databases.ts';
import { eventIdOf, eventOf, startMs } from './support/events.ts';

const program = join(import.meta.dirname, 'support', 'write-until-refused.ts');
/** Of 1,024 bytes each. */
const fileBlocksMax = 6000;

describe('a file that may not grow', () => {
  const database = sqliteDatabase();
  afterAll(() => database.end());

  it('refuses events as unavailable and keeps every accepted one', async () => {
    const address = await database.create();
    const command = `ulimit -f ${fileBlocksMax}; exec "$0" "$@"`;
    const said = execFileSync('bash', ['-c', command, process.execPath, program, address], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const { accepted, ...rest } = JSON.parse(said) as { accepted: number };
    expect(rest).toEqual({ refusal: 'StoreUnavailable', readable: true });
    expect(accepted).toBeGreaterThan(5);

    const store = await openStore(address, { now: () => startMs, log: silentLog });
    const { rows } = await store.listIssues(1, { orderBy: 'id', descending: false, limit: 9, offset: 0 });
    expect(rows.map((issue) => issue.eventsCount)).toEqual([accepted]);
    for (let index = 0; index < accepted; index += 1) {
      expect(await store.findEvent(1, eventIdOf(`e${index}`))).not.toBeNull();
    }
    expect(await store.recordEvent(eventOf({ id: `e${accepted}` }))).toMatchObject({ duplicate: false });
    await store.close();
  });
});
