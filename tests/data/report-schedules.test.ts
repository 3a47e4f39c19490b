import { describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/core/store/store.ts';
import { mailChannelOf } from './support/channels.ts';
import { databases, startMs, storeForEachTest } from './support/databases.ts';

describe.each(databases)('schedules of reports on $name', (database) => {
  const store = storeForEachTest(database);
  const addChannel = async (projectId: number | null = null): Promise<number> => {
    const made = await store.addChannel(mailChannelOf({ projectId }));
    return made.id;
  };
  const add = (channelId: number, more: object = {}) =>
    store.addReportSchedule({
      ...{ projectId: null, channelId, kind: 'week', atMinute: 480, zone: 'UTC', dueAtMs: startMs },
      ...{ createdAtMs: startMs, createdBy: 'Mara' },
      ...more,
    } as Parameters<Store['addReportSchedule']>[0]);

  it('are one for each channel and kind', async () => {
    const channelId = await addChannel();
    const made = await add(channelId);
    expect(await add(channelId, { zone: 'Asia/Tokyo' })).toBeNull();
    const month = await add(channelId, { kind: 'month' });
    expect(await store.listReportSchedules(null)).toEqual([made, month]);
    expect(await store.findReportSchedule(made?.id ?? 0)).toEqual(made);
  });

  it('are changed, and listed by their project', async () => {
    const made = await add(await addChannel());
    const own = await add(await addChannel(1), { projectId: 1 });
    expect(await store.listReportSchedules(1)).toEqual([own]);
    const change = { atMinute: 0, zone: 'Asia/Tokyo', dueAtMs: startMs + 5 };
    expect(await store.changeReportSchedule(made?.id ?? 0, change)).toEqual({ ...made, ...change });
    expect(await store.changeReportSchedule(99, change)).toBeNull();
  });

  it('are claimed by one of many processes', async () => {
    const made = await add(await addChannel());
    if (made === null) throw new Error('none was made');
    expect(await store.listDueSchedules(startMs - 1)).toEqual([]);
    expect(await store.listDueSchedules(startMs)).toEqual([made]);
    const put = await Promise.all([1, 2, 3].map(() => store.postponeSchedule(made, startMs + 7)));
    expect(put.filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await store.listDueSchedules(startMs)).toEqual([]);
    expect(await store.listDueSchedules(startMs + 7)).toEqual([{ ...made, dueAtMs: startMs + 7 }]);
  });

  it('are deleted with their channel, with their project, and when stopped', async () => {
    const channelId = await addChannel();
    await add(channelId);
    await store.deleteChannel(channelId);
    await add(await addChannel(1), { projectId: 1 });
    const made = await add(await addChannel());
    await store.endProject(1, startMs);
    while (!(await store.removeProjectSlice(1)).done);
    expect(await store.listReportSchedules(null)).toEqual([made]);
    expect(await store.deleteReportSchedule(made?.id ?? 0)).toBe(true);
    expect(await store.deleteReportSchedule(made?.id ?? 0)).toBe(false);
  });

  it('a message keeps its HTML until it is tried; others have none', async () => {
    const channelId = await addChannel();
    const message = {
      projectId: null,
      channelId,
      atMs: startMs,
      subject: 's',
      rule: 'r',
      why: 'w',
      path: null,
    };
    await store.addDelivery({ ...message, messageId: 'one', body: 'text', html: '<p>text</p>' });
    await store.addDelivery({ ...message, messageId: 'two', body: 'text' });
    const lease = { untilMs: startMs + 9, perChannel: 9, limit: 9 };
    const due = await store.claimDeliveries(startMs, lease);
    expect(due.map(({ messageId, body, html }) => [messageId, body, html]).toSorted()).toEqual([
      ['one', 'text', '<p>text</p>'],
      ['two', 'text', null],
    ]);
  });
});
