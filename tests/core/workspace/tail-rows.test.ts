// What a tail reads: each stored event once and in order, whatever happens to the numbers of rows.
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LiveEvent, LiveStore } from '../../../src/core/store/workspace.ts';
import { openRows, type TailRows } from '../../../src/core/workspace/tail-rows.ts';

let rows: LiveEvent[];
let nowMs: number;
beforeEach(() => {
  rows = [];
  nowMs = 1_000;
});

function put(row: number, eventId = `event ${row}`): void {
  rows.push({ row, eventId } as LiveEvent);
  rows.sort((one, other) => one.row - other.row);
}

function tailOf(rowsInOrder: boolean): TailRows {
  const store = {
    rowsInOrder,
    newestEventRow: async () => rows.at(-1)?.row ?? 0,
    listEventsFrom: async (row: number, limit: number) =>
      rows.filter((each) => each.row >= row).slice(0, limit),
  };
  return openRows(store as unknown as LiveStore, { settleMs: 500, clock: () => nowMs });
}

const idsOf = async (tail: TailRows): Promise<string[]> =>
  (await tail.read()).events.map(({ eventId }) => eventId);

describe('where one writes', () => {
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

  it('reads the first event there ever is', async () => {
    const tail = tailOf(true);
    expect(await idsOf(tail)).toEqual([]);
    put(1);
    expect(await idsOf(tail)).toEqual(['event 1']);
  });

  it('sees a number that comes again, once the newest rows went', async () => {
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

  it('says when there is more than one look reads', async () => {
    const tail = tailOf(true);
    await tail.read();
    for (let row = 1; row <= 700; row += 1) put(row);
    const first = await tail.read();
    const second = await tail.read();
    expect([first.isMore, second.isMore]).toEqual([true, false]);
    expect([...first.events, ...second.events].map(({ row }) => row)).toEqual(rows.map(({ row }) => row));
  });
});

describe('where several write', () => {
  /** A tail that has read row 7, with all that was under way before it settled. */
  async function begun(): Promise<TailRows> {
    put(7);
    const tail = tailOf(false);
    expect((await tail.read()).isMore).toBe(true);
    expect(tail.reached()).toBeNull();
    nowMs += 500;
    expect(await idsOf(tail)).toEqual([]);
    expect(tail.reached()).toBe(7);
    return tail;
  }

  it('waits for a lower number whose commit is under way, and shows both in order', async () => {
    const tail = await begun();
    put(9);
    expect(await tail.read()).toEqual({ events: [], isMore: true });
    nowMs += 499;
    expect(await idsOf(tail)).toEqual([]);
    put(8);
    expect(await idsOf(tail)).toEqual(['event 8', 'event 9']);
  });

  it('takes a gap for a number that nobody used once it is old enough', async () => {
    const tail = await begun();
    put(8);
    put(10);
    put(12);
    expect(await idsOf(tail)).toEqual(['event 8']);
    nowMs += 300;
    put(14);
    expect(await idsOf(tail)).toEqual([]);
    nowMs += 200;
    expect(await idsOf(tail)).toEqual(['event 10', 'event 12']);
    nowMs += 300;
    expect(await idsOf(tail)).toEqual(['event 14']);
  });
});
