import { describe, expect, it } from '@jest/globals';
import type { Db } from '../../data/db.ts';
import { incidentStore } from '../../data/incidents/incidents.ts';
import { openDb } from '../../data/open-store.ts';
import type { IncidentChangeRequest } from '../../schemas/incidents.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createIncident, updateIncident } from '../../src/core/incidents/incidents.ts';
import { createMonitor } from '../../src/core/monitors/monitors.ts';
import { byNamed, openTestApp } from '../support/app.ts';
import { databases } from './support/databases.ts';

const dayMs = 86_400_000;

describe.each(databases)('the incidents of a resource on $name', (database) => {
  it('are all related to it, and cost no more when others have more', async () => {
    const url = await database.createMigrated();
    const app = await openTestApp({ env: { DATABASE_URL: url } });
    const { deps } = app;
    const monitors: number[] = [];
    for (const name of ['Mail', 'Web']) {
      const asked = { type: 'tcp', name, host: 'db.example:1' } as const;
      monitors.push((await createMonitor(deps, null, asked, commandLineSource)).monitor.id);
    }
    const { body } = await app.post('/store', { message: 'The cart is gone' });
    const link = { kind: 'issue', id: body.issue_id } as const;
    const incident = async (title: string, hit: number[], change: IncidentChangeRequest = {}) => {
      const { id } = await createIncident(deps, null, { title, monitors: hit }, byNamed('Mara'));
      await updateIncident(deps, null, id, { message: 'We look.' }, byNamed('Mara'));
      await updateIncident(deps, null, id, change, byNamed('Mara'));
    };
    const over = { state: 'resolved' } as const;
    await incident('Long ago', monitors, over);
    app.advance(100 * dayMs);
    await incident('Mail is late', monitors.slice(0, 1), { ...over, link });
    await incident('All is slow', monitors, { link });
    const db = await openDb(url, {});
    try {
      const counted = countingRows(db);
      const { listIncidents, listLinkedIncidents } = incidentStore(counted.db);
      const fromMs = deps.now() - 90 * dayMs;
      const ties = [
        { side: 'affects', kind: 'monitor', ids: monitors.slice(0, 1) },
        { side: 'affects', kind: 'monitor', ids: monitors.slice(1) },
        { side: 'cause', kind: 'issue', ids: [99, body.issue_id] },
        { side: 'cause', kind: 'release', ids: [1] },
      ] as const;
      const before = [];
      for (const tie of ties) {
        const found = await listLinkedIncidents(tie, fromMs);
        before.push(counted.rows());
        const all = await listIncidents(fromMs);
        const own = ({ affects, links }: (typeof all)[number]) => (tie.side === 'affects' ? affects : links);
        const isTied = ({ kind, id }: { kind: string; id: number }): boolean =>
          kind === tie.kind && tie.ids.some((each) => each === id);
        const same = all.filter((each) => own(each).some(isTied)).map((each) => ({ ...each, updates: [] }));
        expect(found).toEqual(same);
        counted.rows();
      }
      // Of two incidents: themselves, and their five links.
      expect(before).toEqual([7, 4, 7, 0]);
      for (const title of ['a', 'b', 'c']) await incident(title, []);
      for (const [at, tie] of ties.entries()) {
        await listLinkedIncidents(tie, fromMs);
        expect(counted.rows()).toBe(before[at]);
      }
      await listIncidents(fromMs);
      expect(counted.rows()).toBeGreaterThan(20);
    } finally {
      await db.close();
      await app.close();
    }
  });
});

/** A database that counts the rows that it answers; `rows` says how many since it was asked last. */
function countingRows(db: Db): { readonly db: Db; rows(): number } {
  let rows = 0;
  return {
    db: {
      ...db,
      async all<Row>(sql: string, values?: Parameters<Db['all']>[1]) {
        const found = await db.all<Row>(sql, values);
        rows += found.length;
        return found;
      },
    },
    rows() {
      const counted = rows;
      rows = 0;
      return counted;
    },
  };
}
