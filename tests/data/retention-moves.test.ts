import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../src/app/log.ts';
import { previewRegroup } from '../../src/core/regroup/preview.ts';
import { applyRegroup } from '../../src/core/regroup/regroup.ts';
import { runRetention } from '../../src/core/retention/retention.ts';
import { databases, startMs, storeAndDbForEachTest } from './support/databases.ts';
import { options, regroupTools } from './support/regrouping.ts';

const each = 130;

describe.each(databases)('retention and moved events on $name', (database) => {
  const { store, db } = storeAndDbForEachTest(database);
  const { deps, older, file } = regroupTools(() => ({ store, db }));

  const retain = () =>
    runRetention(
      {
        store,
        now: () => startMs + 100 * 86_400_000,
        config: { retention: { days: 90, events: 0, bytes: 0 } } as never,
        log: silentLog,
      },
      {
        isOver: () => false,
        sleep: async () => {},
        onProgress: () => {},
        isConfirmed: true,
        isDryRun: false,
      },
    );

  async function filed() {
    const on = await older();
    const filing = Array.from({ length: 2 * each }, (_, n) =>
      file(on, { old: 'x', key: n % 2 === 0 ? 'a' : 'b' }, { second: n, userHash: `u${n}` }),
    );
    const [id = 0] = await Promise.all(filing);
    return { on, id };
  }

  async function figures(projectId: number) {
    const row = await db.get<Record<string, number>>(
      `SELECT SUM(own_events_count) AS counted, SUM(own_events_count - evicted_events) AS stored,
         (SELECT SUM(events) FROM issue_hours WHERE project_id = $1) AS hours,
         (SELECT COUNT(*) FROM events WHERE project_id = $1) AS there
       FROM issues WHERE project_id = $1`,
      [projectId],
    );
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
  }

  it('regrouping moves the remaining events: deleted ones stay counted where they were', async () => {
    const { on, id } = await filed();
    await retain();
    expect(await figures(on.id)).toEqual({ counted: 260, stored: 101, hours: 260, there: 101 });
    const { moved } = await applyRegroup(deps(), on, await previewRegroup(deps(), on, options), options);
    expect(moved).toBeGreaterThan(40);
    expect(await figures(on.id)).toEqual({ counted: 260, stored: 101, hours: 260, there: 101 });
    // Whose events went cannot be told from whose events were moved: nobody is taken off.
    expect(await store.findIssue(on.id, id)).toMatchObject({ usersCount: 260, eventsCount: 260 - moved });
  });
});
