import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { listenForStopSignals } from '../../src/app/serve.ts';

type Told = readonly [signal: 'SIGTERM' | 'SIGINT', atMs: number];

async function after(told: readonly Told[], underNpm: boolean): Promise<string> {
  const source = new EventEmitter();
  let nowMs = 0;
  const signals = listenForStopSignals(source, { underNpm, clock: () => nowMs });
  let known = 'nothing';
  void signals.requested.then(() => {
    known = 'asked';
  });
  void signals.forced.then(() => {
    known = 'insisted';
  });
  for (const [signal, atMs] of told) {
    nowMs = atMs;
    source.emit(signal);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return known;
}

describe('signals', () => {
  const once: Told[] = [['SIGTERM', 0]];
  const twiceAtOnce: Told[] = [
    ['SIGINT', 0],
    ['SIGINT', 3],
  ];
  const thrice: Told[] = [...twiceAtOnce, ['SIGINT', 400]];
  const twiceLater: Told[] = [
    ['SIGTERM', 0],
    ['SIGTERM', 1_000],
  ];
  const another: Told[] = [
    ['SIGINT', 0],
    ['SIGTERM', 3],
  ];

  it.each([
    ['none', [], true, 'nothing'],
    ['one', once, true, 'asked'],
    ['one', once, false, 'asked'],
    ['one that npm hands on', twiceAtOnce, true, 'asked'],
    ['two', twiceAtOnce, false, 'insisted'],
    ['one that npm hands on, and another', thrice, true, 'insisted'],
    ['two, the second long after', twiceLater, true, 'insisted'],
    ['two of two kinds', another, true, 'insisted'],
  ] as const)('%s: under npm %#: %s', async (_what, told, underNpm, known) => {
    expect(await after(told, underNpm)).toBe(known);
  });
});
