import { expect, it } from '@jest/globals';
import { copyText, createMemoCache } from '../../../src/core/parsing/memo-cache.ts';

const room = { textsMax: 100, charactersMax: 20 };

it('a memo cache returns the stored result, and none of other texts', () => {
  const memory = createMemoCache<number>(room);
  expect(memory.find('a')).toBeUndefined();
  expect(memory.set('a', 1)).toBe(1);
  expect(memory.find('a')).toBe(1);
  expect(memory.find('b')).toBeUndefined();
  memory.set('a', 2);
  expect(memory.find('a')).toBe(2);
});

it('a memo cache has a limit of entries, and keeps those in use', () => {
  const memory = createMemoCache<number>(room);
  memory.set('often', -1);
  for (let index = 0; index < 1000; index += 1) {
    memory.set(`rare ${index}`, index);
    expect(memory.find('often')).toBe(-1);
  }
  const held = Array.from({ length: 1000 }, (_, index) => memory.find(`rare ${index}`));
  expect(held.filter((answer) => answer !== undefined).length).toBeLessThanOrEqual(room.textsMax);
  expect(held.at(-1)).toBe(999);
});

it('a memo cache does not store long texts', () => {
  const memory = createMemoCache<number>(room);
  memory.set('a'.repeat(20), 1);
  memory.set('a'.repeat(21), 2);
  expect([memory.find('a'.repeat(20)), memory.find('a'.repeat(21))]).toEqual([1, undefined]);
});

it('a memo cache turns off and empties itself without hits, and turns on again', () => {
  const memory = createMemoCache<number>(room);
  memory.set('before', 1);
  for (let index = 0; index <= 4096; index += 1) {
    const text = `new ${index}`;
    if (memory.find(text) === undefined) memory.set(text, index);
  }
  memory.set('meanwhile', 1);
  expect([memory.find('before'), memory.find('meanwhile')]).toEqual([undefined, undefined]);
  const wakes = Array.from({ length: 70_000 }).some(() => {
    memory.set('after', 1);
    return memory.find('after') === 1;
  });
  expect(wakes).toBe(true);
});

it('copying a text gives an equal text', () => {
  for (const text of ['', 'a', ' ', 'été', '\u{1f600}', '\ud800', 'long enough to be cut'.slice(3, 19)]) {
    expect(copyText(text)).toBe(text);
  }
});
