import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEventReader,
  findResumeRow,
  type TailEventReader,
} from '../../../src/core/page-models/live-tail-reader.ts';
import type { LiveEvent, LiveStore } from '../../../src/core/store/page-queries.ts';

let rows: LiveEvent[];
let writers: string[];
beforeEach(() => {
  rows = [];
  writers = [];
});

function put(row: number, eventId = `event ${row}`): void {
  rows.push({ row, eventId } as LiveEvent);
  rows.sort((one, other) => one.row - other.row);
}

const tailOf = (rowsInOrder: boolean): TailEventReader => createEventReader(storeOf(rowsInOrder));

function storeOf(rowsInOrder: boolean): LiveStore {
  const store = {
    rowsInOrder,
    eventWriters: async () => [...writers],
    newestEventRow: async () => rows.at(-1)?.row ?? 0,
    listEventsFrom: async (row: number, limit: number) =>
      rows.filter((each) => each.row >= row).slice(0, limit),
    listEventsBetween: async (after: number, upTo: number, _any: unknown, limit: number) =>
      rows
        .filter(({ row }) => row > after && row <= upTo)
        .reverse()
        .slice(0, limit),
  };
  return store as unknown as LiveStore;
}

const idsOf = async (tail: TailEventReader): Promise<string[]> =>
  (await tail.read()).events.map(({ eventId }) => eventId);

describe('with one writer', () => {
  it('reads on from the newest', async () => {
    put(7);
    const tail = tailOf(true);
    expect(await idsOf(tail)).toEqual([]);
    expect(tail.reached()).toBe(7);
    put(8);
    put(12);
    expect(await idsOf(tail)).toEqual(['event 8', 'event 12']);
    expect(await idsOf(tail)).toEqual([]);
  });

  it('reads the first event of an empty store', async () => {
    const tail = tailOf(true);
    expect(await idsOf(tail)).toEqual([]);
    put(1);
    expect(await idsOf(tail)).toEqual(['event 1']);
  });

  it('sees a reused row number after the newest rows were deleted', async () => {
    put(7);
    put(8);
    const tail = tailOf(true);
    await tail.read();
    rows.pop();
    put(8, 'another');
    expect(await idsOf(tail)).toEqual(['another']);
    rows = [];
    expect(await idsOf(tail)).toEqual([]);
    put(1, 'the first again');
    expect(await idsOf(tail)).toEqual(['the first again']);
  });

  it('reports that there are more rows than one query reads', async () => {
    const tail = tailOf(true);
    await tail.read();
    for (let row = 1; row <= 700; row += 1) put(row);
    const first = await tail.read();
    const second = await tail.read();
    expect([first.isMore, second.isMore]).toEqual([true, false]);
    expect([...first.events, ...second.events].map(({ row }) => row)).toEqual(rows.map(({ row }) => row));
  });
});

describe('with several writers', () => {
  async function begun(): Promise<TailEventReader> {
    put(7);
    const tail = tailOf(false);
    await tail.read();
    expect(tail.reached()).toBe(7);
    return tail;
  }

  it('begins after all open transactions have ended', async () => {
    put(7);
    writers = ['3/1', '4/1'];
    const tail = tailOf(false);
    expect(await tail.read()).toEqual({ events: [], isMore: true });
    writers = ['4/1', '3/2'];
    expect(await tail.read()).toEqual({ events: [], isMore: true });
    expect(tail.reached()).toBeNull();
    writers = ['3/2'];
    expect(await idsOf(tail)).toEqual([]);
    expect(tail.reached()).toBe(7);
  });

  it('waits for a lower row number of an open transaction, and shows both in order', async () => {
    const tail = await begun();
    writers = ['3/1'];
    put(9);
    for (let look = 0; look < 50; look += 1) {
      expect(await tail.read()).toEqual({ events: [], isMore: true });
    }
    put(8);
    writers = ['3/2'];
    expect(await idsOf(tail)).toEqual(['event 8', 'event 9']);
  });

  it('treats a gap as unused after the transactions of that time have ended', async () => {
    const tail = await begun();
    writers = ['3/1'];
    put(8);
    put(10);
    put(12);
    expect(await idsOf(tail)).toEqual(['event 8']);
    put(14);
    writers = ['3/1', '4/1'];
    expect(await idsOf(tail)).toEqual([]);
    // Who began later has no number below those that were seen.
    writers = ['4/1'];
    expect(await idsOf(tail)).toEqual(['event 10', 'event 12']);
    writers = [];
    expect(await idsOf(tail)).toEqual(['event 14']);
  });

  it('reads again what was committed while it listed open transactions', async () => {
    const tail = await begun();
    put(9);
    expect(await tail.read()).toEqual({ events: [], isMore: true });
    put(8);
    expect(await idsOf(tail)).toEqual(['event 8', 'event 9']);
  });
});

describe('a client that has the newest rows continues', () => {
  it('from the newest, or below the first gap among them where several write', async () => {
    for (const row of [3, 5, 6, 8, 9]) put(row);
    expect(await findResumeRow(storeOf(true), 9, 4)).toBe(9);
    expect(await findResumeRow(storeOf(false), 9, 4)).toBe(6);
    expect(await findResumeRow(storeOf(false), 9, 2)).toBe(9);
    rows = [];
    expect(await findResumeRow(storeOf(false), 0, 4)).toBe(0);
  });

  it('without a scan of all rows where few are visible to it', async () => {
    for (const row of [1, 2, 1_000_000]) put(row);
    const store = storeOf(false);
    const spans: number[] = [];
    const counted: LiveStore = {
      ...store,
      listEventsBetween(after, upTo, filter, limit) {
        spans.push(upTo - after);
        return store.listEventsBetween(after, upTo, filter, limit);
      },
    };
    expect(await findResumeRow(counted, 1_000_000, 4)).toBe(1_000_000);
    expect(await findResumeRow(counted, 900_000, 4)).toBe(899_996);
    expect(Math.max(...spans)).toBeLessThanOrEqual(20_000);
  });
});
