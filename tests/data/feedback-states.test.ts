import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FeedbackFilter, WorkspaceFeedbackFilter } from '../../src/core/store/feedback.ts';
import type { CursorWindow } from '../../src/core/store/pagination.ts';
import { databases, startMs, storeForEachTest } from './support/databases.ts';
import { reportOf } from './support/reports.ts';

const open: WorkspaceFeedbackFilter = { projectIds: [1, 2], state: 'open', domain: null, search: null };
const firstPage: CursorWindow = { limit: 100, after: null, before: null };

describe.each(databases)('the states of bug reports on $name', (database) => {
  let other: number;
  const store = storeForEachTest(database);
  beforeEach(async () => {
    other = (await store.createProject({ name: 'other', createdAtMs: startMs })).id;
  });
  const record = async (given: Parameters<typeof reportOf>[0] = {}): Promise<number> =>
    (await store.recordFeedback(reportOf(given))).id;
  const listed = async (
    filter: Partial<WorkspaceFeedbackFilter> = {},
    window: Partial<typeof firstPage> = {},
  ) => {
    const asked = { ...open, projectIds: [1, other], ...filter };
    return (await store.listReports(asked, { ...firstPage, ...window })).rows.map(({ id }) => id);
  };

  it('are stored with their author, and counted', async () => {
    const [one, two, three] = [
      await record(),
      await record({ spam: true }),
      await record({ projectId: other }),
    ];
    expect(await store.countReports([1, other])).toEqual({ open: 2, resolved: 0, spam: 1 });
    const change = { state: 'resolved', by: 'Mara', atMs: startMs + 5 } as const;
    const changed = await store.changeFeedbackState(1, one, change);
    expect(changed).toMatchObject({
      state: 'resolved',
      spam: false,
      stateBy: 'Mara',
      stateAtMs: startMs + 5,
    });
    expect((await store.findFeedback(1, one))?.feedback).toEqual(changed);
    await store.changeFeedbackState(1, two, { ...change, state: 'open' });
    expect(await store.countReports([1, other])).toEqual({ open: 2, resolved: 1, spam: 0 });
    expect(await listed()).toEqual([three, two]);
    expect(await listed({ state: 'resolved' })).toEqual([one]);
    await record({ spam: true });
    const ofState = async (filter: Partial<FeedbackFilter>) =>
      (
        await store.listFeedback(1, { spam: false, descending: true, limit: 10, offset: 0, ...filter })
      ).rows.map(({ state }) => state);
    expect(await ofState({})).toEqual(['open', 'resolved']);
    expect(await ofState({ state: 'resolved' })).toEqual(['resolved']);
    expect(await ofState({ state: 'open' })).toEqual(['open']);
    expect(await ofState({ state: 'spam' })).toEqual(['spam']);
    expect(await ofState({ state: 'open', spam: true })).toEqual(['open']);
    expect(await store.countReports([])).toEqual({ open: 0, resolved: 0, spam: 0 });
    expect(await listed({ projectIds: [] })).toEqual([]);
  });

  it('are paged to the end and back, also with equal times', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 7; at += 1) {
      ids.unshift(await record({ createdAtMs: startMs + Math.floor(at / 3), projectId: at % 2 ? other : 1 }));
    }
    expect(await listed()).toEqual(ids);
    const place = (id: number | undefined) => ({
      atMs: startMs + Math.floor((ids.length - 1 - ids.indexOf(id ?? 0)) / 3),
      id: id ?? 0,
    });
    const walked: number[] = [];
    for (let page = await listed({}, { limit: 2 }); page.length > 0; ) {
      walked.push(...page);
      page = await listed({}, { limit: 2, after: place(page.at(-1)) });
    }
    expect(walked).toEqual(ids);
    const back = await listed({}, { limit: 3, before: place(ids[5]) });
    expect(back).toEqual(ids.slice(2, 5));
  });

  it('are found by words, page and domain, and never by author', async () => {
    const said = { name: 'Zora Quill', email: 'zora.quill@mail.example' };
    const id = await record({
      ...said,
      message: 'Der KÄSE fehlt, 100% sicher',
      url: 'https://a.example/Pay_Now',
    });
    await record({ message: 'another', url: 'https://b.example/', domain: 'b.example' });
    for (const search of ['KÄSE', 'fehlt', 'FEHLT', '100%', 'pay_now', 'a.example/pay']) {
      expect([search, await listed({ search })]).toEqual([search, [id]]);
    }
    for (const search of ['zora', 'Quill', 'mail.example', '1%0', 'payxnow']) {
      expect([search, await listed({ search })]).toEqual([search, []]);
    }
    expect(await listed({ domain: 'b.example' })).toHaveLength(1);
  });

  it('are listed by time, without spam', async () => {
    await record({ createdAtMs: startMs - 1 });
    await record({ createdAtMs: startMs + 2, projectId: other });
    await record({ createdAtMs: startMs + 1, spam: true });
    await record({ createdAtMs: startMs });
    expect(await store.reportMoments([1, other], startMs, 10)).toEqual([startMs + 2, startMs]);
    expect(await store.reportMoments([1], startMs, 10)).toEqual([startMs]);
    expect(await store.reportMoments([], startMs, 10)).toEqual([]);
  });
});
