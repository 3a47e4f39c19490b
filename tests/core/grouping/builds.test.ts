import { describe, expect, it } from '@jest/globals';
import type { NormalizedEvent, StackFrame } from '../../../schemas/event.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';

/** A mapped frame with the minified one that it came from; `source` names its function, or the head of it. */
interface Mapped {
  readonly raw: string;
  readonly file?: string;
  readonly name?: string;
  readonly head?: string;
  readonly line?: string;
  readonly above?: string;
}

function eventOf(build: number, type: string, frames: readonly Mapped[]): NormalizedEvent {
  const mapped = frames.map(({ file = 'cart.js', name, head, line = 'return a.b;', above }, index) => ({
    filename: `../src/${file}`,
    function: name ?? '<anonymous>',
    lineno: 10 * build + index,
    colno: 5 + build,
    context_line: `  ${line}`,
    ...(above === undefined ? {} : { pre_context: [`  ${above}`] }),
    data: { ...(name === undefined ? { head } : { named: 'source' }) },
  }));
  const raw = frames.map((frame, index) => ({
    filename: `https://shop.example/assets/main-${build}.js`,
    function: frame.raw,
    lineno: 1,
    colno: 900 * build + index,
  }));
  const stack = (all: readonly object[]) => ({ frames: all.toReversed() as StackFrame[] });
  const exception = { type, value: 'no price', stacktrace: stack(mapped), raw_stacktrace: stack(raw) };
  return { platform: 'javascript', exception: { values: [exception] } } as unknown as NormalizedEvent;
}

const keyOf = (type: string, frames: readonly Mapped[], build = 1) =>
  computeFingerprint(eventOf(build, type, frames)).hash;

describe('builds share an issue', () => {
  const listener: Mapped = {
    raw: 'HTMLButtonElement.<anonymous>',
    file: 'main.js',
    head: "wire('pay', () => {",
  };
  const total: Mapped = { raw: 't.total', name: 'total' };

  it('whatever name the minifier gave', () => {
    const key = keyOf('TypeError', [{ raw: 'e', name: 'add' }]);
    expect(keyOf('TypeError', [{ raw: 'Xn', name: 'add' }], 2)).toBe(key);
    expect(keyOf('TypeError', [{ raw: 'add', name: 'add' }], 2)).toBe(key);
  });

  it('whichever callers a minifier has put the function into', () => {
    const key = keyOf('TypeError', [total, listener]);
    expect(keyOf('TypeError', [total], 2)).toBe(key);
    expect(keyOf('TypeError', [total, { raw: 'n', file: 'main.js', name: 'start' }, listener], 2)).toBe(key);
  });

  it('wherever the statements of an anonymous function moved', () => {
    const helper: Mapped = {
      raw: 'r',
      file: 'invariant.js',
      name: 'invariant',
      line: 'throw new Error(text);',
    };
    const key = keyOf('Error', [helper, { ...listener, line: 'cart.pay();' }]);
    expect(keyOf('Error', [helper, { ...listener, line: 'const cart = open();' }], 2)).toBe(key);
    expect(keyOf('Error', [helper, { ...listener, head: "wire('sell', () => {" }])).not.toBe(key);
  });

  it('where an error is made on one line and thrown on another', () => {
    const made = "const error = new Error('no price');";
    const key = keyOf('Error', [{ ...total, line: made }]);
    expect(keyOf('Error', [{ ...total, line: 'throw error;', above: made }], 2)).toBe(key);
  });

  it('under the type that its line throws', () => {
    const line = "throw new shop.PaymentRefused('no price');";
    const key = keyOf('PaymentRefused', [{ ...total, line }]);
    for (const type of ['t', 'Li', 'Xm1']) expect(keyOf(type, [{ ...total, line }], 2)).toBe(key);
    expect(keyOf('t', [{ ...total, line: "throw new OutOfStock('no price');" }])).not.toBe(key);
  });
});

describe('errors are two issues', () => {
  it('of one function with different failing lines', () => {
    const at = (line: string) => keyOf('TypeError', [{ raw: 'e', name: 'total', line }]);
    expect(at('return a.price;')).not.toBe(at('return a.weight;'));
  });

  it('of anonymous functions in two named ones', () => {
    const within = (name: string) =>
      keyOf('TypeError', [
        { raw: '', head: 'items.map((item) => item.a.b)' },
        { raw: 'e', name },
      ]);
    expect(within('total')).not.toBe(within('weigh'));
  });

  it('where the line throws what its callers pass', () => {
    const from = (name: string) =>
      keyOf('Error', [
        { raw: 'o', name: 'stop', line: 'throw new Error(message);' },
        { raw: 'e', name },
      ]);
    expect(from('pay')).not.toBe(from('sell'));
  });
});
