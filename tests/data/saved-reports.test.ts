import { describe, expect, it } from '@jest/globals';
import { databases, startMs, storeForEachTest } from './support/databases.ts';

const report = (period: string, body: object = {}) => ({
  projectId: null,
  period,
  madeAtMs: startMs,
  madeBy: 'ada',
  sums: '{"events":3}',
  body: JSON.stringify(body),
});

describe.each(databases)('stored summary reports on $name', (database) => {
  const store = storeForEachTest(database);

  it('are stored once for a period and owner, whoever is faster', async () => {
    const asked = [1, 2, 3].map(() => store.saveReport(report('2026-W46'), [1]));
    const made = (await Promise.all(asked)).filter((each) => each !== null);
    expect(made).toHaveLength(1);
    const own = await store.saveReport({ ...report('2026-W46'), projectId: 1 }, [1]);
    expect(own).toMatchObject({ projectId: 1, period: '2026-W46' });
    expect(await store.saveReport({ ...report('2026-W46'), projectId: 1 }, [1])).toBeNull();
    expect(await store.findReportOf(null, '2026-W46')).toEqual(made[0]);
    expect(await store.findReportOf(1, '2026-W46')).toEqual(own);
    expect(await store.findSavedReport(own?.id ?? 0)).toEqual(own);
    expect(await store.findReportOf(2, '2026-W46')).toBeNull();
  });

  it('are listed by period, the newest first, for one owner', async () => {
    for (const period of ['2026-W09', '2026-W46', '2025-W52']) await store.saveReport(report(period), []);
    await store.saveReport({ ...report('2026-W45'), projectId: 1 }, []);
    const listed = await store.listSavedReports(null);
    expect(listed.map(({ period }) => period)).toEqual(['2026-W46', '2026-W09', '2025-W52']);
    expect(listed[0]).not.toHaveProperty('body');
    expect((await store.listSavedReports(1)).map(({ period }) => period)).toEqual(['2026-W45']);
  });

  it('can be deleted, and created again', async () => {
    const made = await store.saveReport(report('2026-W46'), [1]);
    expect(await store.deleteSavedReport(made?.id ?? 0)).toBe(true);
    expect(await store.deleteSavedReport(made?.id ?? 0)).toBe(false);
    expect(await store.saveReport(report('2026-W46'), [1])).not.toBeNull();
  });

  it('leave out a project that was deleted while they were computed', async () => {
    await store.endProject(1, startMs);
    while (!(await store.removeProjectSlice(1)).done);
    await store.saveReport(report('2026-W46', { projects: [{ project_id: 1, name: 'shop' }] }), [1]);
    expect((await store.findReportOf(null, '2026-W46'))?.body).toBe('{"projects":[]}');
  });

  it('leave out a deleted project, and keep their totals', async () => {
    const { id } = await store.createProject({ name: 'other', createdAtMs: startMs });
    const body = {
      sums: { events: 3 },
      projects: [
        { project_id: 1, name: 'shop' },
        { project_id: id, name: 'other' },
      ],
      incidents: [{ project: { project_id: 1, name: 'shop' } }, { project: null }],
      ending: [{ project_id: null, name: 'all' }],
    };
    // More than one transaction rewrites.
    const periods = Array.from({ length: 25 }, (_, nth) => `2026-W${10 + nth}`);
    for (const period of periods) await store.saveReport(report(period, body), [1, id]);
    await store.endProject(1, startMs);
    while (!(await store.removeProjectSlice(1)).done);
    for (const period of periods) {
      const kept = await store.findReportOf(null, period);
      expect(JSON.parse(kept?.body ?? '')).toEqual({
        sums: { events: 3 },
        projects: [{ project_id: id, name: 'other' }],
        incidents: [{ project: null }],
        ending: [{ project_id: null, name: 'all' }],
      });
      expect(kept?.sums).toBe('{"events":3}');
    }
  });
});
