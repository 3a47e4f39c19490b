import { expect, it } from '@jest/globals';
import { createProber } from '../../src/net/prober.ts';

it.each([
  [undefined, 8],
  [2, 2],
])('limits parallel checks: %p is %d', async (atOnceMax, most) => {
  const asked: string[] = [];
  const answers: Array<(texts: string[]) => void> = [];
  const resolver = {
    addresses: async () => [],
    records: async () => [],
    texts: (name: string) => {
      asked.push(name);
      return new Promise<string[]>((resolve) => answers.push(resolve));
    },
  };
  const prober = createProber({ resolver, deadlineMs: 600_000, ...(atOnceMax && { atOnceMax }) });
  const names = Array.from({ length: most + 3 }, (_, nth) => `${nth}.example`);
  const all = Promise.all(names.map((name) => prober.texts(name)));
  const underWay: string[][] = [];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  for (let done = 0; done < names.length; done += 1) {
    await settled();
    underWay.push([...asked]);
    answers.shift()?.([]);
  }
  // Also where fewer were asked than may be, nothing is left waiting.
  for (let answer = answers.shift(); answer !== undefined; answer = answers.shift()) {
    answer([]);
    await settled();
  }
  expect(underWay).toEqual(names.map((_name, done) => names.slice(0, most + done)));
  expect((await all).every(({ ok }) => ok)).toBe(true);
});
