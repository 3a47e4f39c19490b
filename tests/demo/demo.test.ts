// The demo put together: what it is made of, how long it is kept, and that it is only read.
import { describe, expect, it } from '@jest/globals';
import { demoAt, demoWorld, openDemo } from '../../src/demo/demo.ts';

const seed = 'demo-1';
const goldenMs = Date.UTC(2026, 10, 21, 0, 5);
const minuteMs = 60_000;
const eventsOf = (seedOf: string, nowMs: number) =>
  demoAt(seedOf, nowMs).world.errors.stored.map(({ row, eventId, atMs }) => ({ row, eventId, atMs }));

describe('K: the demo of a moment', () => {
  it('follows from seed and time alone', async () => {
    const [one, other] = [demoAt(seed, goldenMs), demoAt(seed, goldenMs + 4 * minuteMs)];
    expect(other.nowMs).toBe(goldenMs);
    expect(await other.uptime.listIncidents(0)).toEqual(await one.uptime.listIncidents(0));
    const events = eventsOf(seed, goldenMs);
    expect(events.length).toBeGreaterThan(400);
    expect(eventsOf(seed, goldenMs + 4 * minuteMs)).toEqual(events);
    expect(eventsOf('demo-2', goldenMs)).not.toEqual(events);
  });

  it('is one for all who look within five minutes, and made anew after them', () => {
    const demo = openDemo(seed);
    const first = demo.at(goldenMs);
    expect(demo.at(goldenMs + 5 * minuteMs - 1)).toBe(first);
    const next = demo.ahead(goldenMs);
    expect(next.nowMs).toBe(goldenMs + 5 * minuteMs);
    expect(demo.at(goldenMs + 5 * minuteMs)).toBe(next);
    expect(demo.at(goldenMs + 15 * minuteMs)).not.toBe(first);
  });

  it('has worlds that mean the same trouble', () => {
    const { errors, delivery, uptime } = demoWorld(seed, goldenMs);
    expect(errors.trouble).toEqual(delivery.trouble);
    expect(uptime.incidents.map(({ id }) => id)).toContain(errors.trouble.incidentId);
  });

  it('refuses what would write, by name', () => {
    const { store } = demoAt(seed, goldenMs);
    expect(() => store.createProject({ name: 'x', createdAtMs: 0 } as never)).toThrow(
      'The demo has no createProject: it is only read.',
    );
  });
});
