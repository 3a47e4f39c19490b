import { describe, expect, it } from '@jest/globals';
import { feedbackStore } from '../../data/feedback/feedback.ts';
import { openDb } from '../../data/open-store.ts';
import { projectStore } from '../../data/projects/projects.ts';
import { StoreBusyError } from '../../src/core/errors.ts';
import type { FeedbackFilter } from '../../src/core/store/feedback.ts';
import { databases, startMs, storeForEachTest } from './support/databases.ts';
import { eventIdOf, eventOf } from './support/events.ts';
import { reportOf } from './support/reports.ts';

const screenshot = {
  contentType: 'image/png' as const,
  width: 640,
  height: 480,
  name: 'shot.png',
  bytes: Buffer.from([0x89, 0x50, 0, 0xff, 0x0a]),
};
const untouched = { state: 'open', stateAtMs: null, stateBy: null };
const all: FeedbackFilter = { spam: false, descending: true, limit: 10, offset: 0 };

describe.each(databases)('bug reports on $name', (database) => {
  const store = storeForEachTest(database);

  it('are stored completely, screenshots byte for byte, and never shown to another project', async () => {
    const { id } = await store.recordFeedback(
      reportOf({ screenshots: [screenshot, { ...screenshot, name: null }] }),
    );
    const { projectId: _, reportId: __, details, screenshots: ___, ...kept } = reportOf();
    expect(await store.findFeedback(1, id)).toEqual({
      feedback: { ...kept, ...untouched, projectId: 1, id, issueId: null, screenshotCount: 2 },
      details,
      screenshots: [
        { contentType: 'image/png', width: 640, height: 480, name: 'shot.png', sizeBytes: 5 },
        { contentType: 'image/png', width: 640, height: 480, name: null, sizeBytes: 5 },
      ],
    });
    expect(await store.findScreenshot(1, id, 1)).toEqual(screenshot);
    expect(await store.findScreenshot(1, id, 3)).toBeNull();
    expect(await store.findFeedback(2, id)).toBeNull();
    expect(await store.findScreenshot(2, id, 1)).toBeNull();
    expect(await store.deleteFeedback(2, id)).toBe(false);
  });

  it('are stored once where they have an id, also when they come at once', async () => {
    const report = reportOf({ reportId: 'a'.repeat(32), screenshots: [screenshot] });
    const filed = await Promise.all([1, 2, 3].map(() => store.recordFeedback(report)));
    expect(new Set(filed.map((each) => each.id)).size).toBe(1);
    expect(filed.filter((each) => !each.duplicate)).toHaveLength(1);
    const others = await Promise.all([1, 2].map(() => store.recordFeedback(reportOf())));
    expect(new Set(others.map((each) => each.id)).size).toBe(2);
    expect((await store.listFeedback(1, all)).total).toBe(3);
  });

  it('are queued only within the memory limit for texts and screenshots', async () => {
    const limits = { waitingBytesMax: 8_000 + screenshot.bytes.length };
    const db = await openDb(await database.createMigrated(), { limits });
    try {
      await projectStore(db).createProject({ name: 'shop', createdAtMs: startMs });
      const { recordFeedback } = feedbackStore(db);
      const half = 'x'.repeat(500);
      const both = async (second: string) => {
        const reports = [{ message: half, screenshots: [screenshot] }, { message: second }];
        const filed = await Promise.allSettled(reports.map((parts) => recordFeedback(reportOf(parts))));
        return filed.map((each) => (each.status === 'fulfilled' ? 'kept' : each.reason));
      };
      expect(await both(half)).toEqual(['kept', 'kept']);
      expect(await both(`${half}x`)).toEqual(['kept', expect.any(StoreBusyError)]);
    } finally {
      await db.close();
    }
  });

  it('link to the issue of their error, whichever came first, and after a merge', async () => {
    const before = await store.recordFeedback(reportOf({ eventId: eventIdOf('a') }));
    expect(before.issueId).toBeNull();
    const { issueId } = await store.recordEvent(eventOf({ id: 'a', kind: 'a' }));
    const other = await store.recordEvent(eventOf({ id: 'b', kind: 'b' }));
    expect((await store.recordFeedback(reportOf({ eventId: eventIdOf('a') }))).issueId).toBe(issueId);
    expect((await store.findFeedback(1, before.id))?.feedback.issueId).toBe(issueId);
    await store.mergeIssues(1, other.issueId, [issueId], { actor: 'ada', nowMs: startMs });
    expect((await store.listFeedback(1, { ...all, issueId: other.issueId })).total).toBe(2);
    expect((await store.listFeedback(1, { ...all, eventId: eventIdOf('b') })).total).toBe(0);
  });

  it('are listed by page, order, words and kind', async () => {
    for (let made = 0; made < 5; made += 1) {
      await store.recordFeedback(
        reportOf({
          createdAtMs: startMs + made,
          message: `Report ${made} 50%`,
          spam: made === 4,
          name: made === 3 ? 'BEA' : null,
        }),
      );
    }
    const messages = async (filter: Partial<FeedbackFilter>) =>
      (await store.listFeedback(1, { ...all, ...filter })).rows
        .map((row) => row.message.slice(7, 8))
        .join('');
    expect(await messages({})).toBe('3210');
    expect(await messages({ descending: false, limit: 2, offset: 1 })).toBe('12');
    expect(await messages({ spam: true })).toBe('4');
    expect(await messages({ search: 'bea' })).toBe('3');
    expect(await messages({ search: '50%' })).toBe('3210');
    expect(await messages({ search: '5_%' })).toBe('');
    expect(await messages({ category: 'idea' })).toBe('');
    expect(await messages({ domain: 'other.example' })).toBe('');
  });
});
