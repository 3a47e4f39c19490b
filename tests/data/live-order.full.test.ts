import { afterAll, expect, it } from '@jest/globals';
import { createEventReader } from '../../src/core/page-models/live-tail-reader.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { storeAt } from './support/databases.ts';
import { eventOf, startMs } from './support/events.ts';
import { postgresDatabase } from './support/postgres.ts';

describeWithPrograms('the live tail on PostgreSQL', ['initdb', 'postgres'], () => {
  const database = postgresDatabase();
  afterAll(() => database.end());

  it('shows an event whose transaction was open while later ones were visible', async () => {
    const store = await storeAt(await database.createMigrated());
    const { id: other } = await store.createProject({ name: 'other', createdAtMs: startMs });
    await store.recordEvent(eventOf({ kind: 'before' }));
    const tail = createEventReader(store);
    await tail.read();
    expect(tail.reached()).not.toBeNull();

    const filed = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const late = eventOf({ kind: 'late' });
    const writing = store.transaction(async (within) => {
      await within.recordEvent(late);
      filed.resolve();
      await mayCommit.promise;
    });
    await filed.promise;
    const later = eventOf({ kind: 'later', projectId: other });
    await store.recordEvent(later);
    for (let look = 0; look < 20; look += 1) {
      expect(await tail.read()).toEqual({ events: [], isMore: true });
    }
    mayCommit.resolve();
    await writing;
    const { events } = await tail.read();
    expect(events.map(({ eventId }) => eventId)).toEqual([late.eventId, later.eventId]);
    await store.close();
  });
});
