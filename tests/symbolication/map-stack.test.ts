import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { StackFrame } from '../../schemas/event.ts';
import { readSourceContext } from '../../src/symbolication/source-context.ts';
import { readSourceMap } from '../../src/symbolication/source-map.ts';
import {
  displayedSourcePath,
  isThirdParty,
  sourceUrlOf,
  symbolicateStack,
} from '../../src/symbolication/symbolicate-stack.ts';

interface ExpectedFrame {
  minified: { function: string | null; line: number; column: number };
  original: { source: string; line: number; column: number; name: string | null; text: string } | null;
}

const folder = join(import.meta.dirname, '../fixtures/sourcemaps');
const expected: Record<string, { frames: ExpectedFrame[] }> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
);
const file = 'https://cdn.example.com/assets/app.min.js';

function sentFrames(frames: readonly ExpectedFrame[]): StackFrame[] {
  return frames
    .map(({ minified }) => ({
      filename: file,
      lineno: minified.line,
      colno: minified.column,
      ...(minified.function === null ? {} : { function: minified.function }),
    }))
    .toReversed();
}

describe.each(Object.keys(expected))('a program bundled by %s', (bundler) => {
  const frames = expected[bundler]?.frames ?? [];
  const map = readSourceMap(readFileSync(join(folder, bundler, 'app.min.js.map')));
  const mapped = symbolicateStack(sentFrames(frames), () => ({ map, address: `${file}.map` })).toReversed();

  it.each(frames.map((frame, index) => [index, frame] as const))(
    'maps frame %i',
    (index, { original, minified }) => {
      const { frame, mapped: isMapped } = mapped[index] ?? { frame: {}, mapped: false };
      expect(isMapped).toBe(original !== null);
      if (original === null) {
        expect(frame).toMatchObject({ filename: file, lineno: minified.line, colno: minified.column });
      } else {
        expect(frame).toMatchObject({
          filename: original.source,
          lineno: original.line,
          colno: original.column,
        });
        expect(frame.context_line?.trim()).toBe(original.text);
      }
    },
  );

  it('names a function as its source does', () => {
    const names = mapped.map(({ frame }) => frame.function);
    expect(names.slice(0, 6)).toEqual(['add', 'label', '<anonymous>', 'checkout', 'run', '?']);
    expect(mapped[2]?.frame['data']).toMatchObject({ head: 'return [n].map((x) => label(x)).join();' });
  });

  it('names it as its caller does where there is no source, else as it was sent', () => {
    const bare = { ...map, contentOf: () => null };
    const names = symbolicateStack(sentFrames(frames), () => ({
      map: bare,
      address: `${file}.map`,
    })).toReversed();
    for (const [index, { minified }] of frames.entries()) {
      const called = frames[index + 1]?.original?.name ?? minified.function ?? undefined;
      expect(names[index]?.frame.function).toBe(called);
    }
  });
});

describe('a frame', () => {
  const map = readSourceMap(
    Buffer.from(
      JSON.stringify({
        version: 3,
        sources: ['webpack://shop/./src/a.js'],
        names: ['__webpack_require__'],
        mappings: 'AAAAA',
      }),
    ),
  );
  const one = (frame: StackFrame) =>
    symbolicateStack([frame], () => ({ map, address: 'https://x.example/a.js.map' }))[0]?.frame;

  it.each([
    ['no line', { filename: 'a', colno: 1 }],
    ['no line', { filename: 'a', lineno: 0, colno: 1 }],
    ['no column', { filename: 'a', lineno: 1 }],
    ['no column', { filename: 'a', lineno: 1, colno: 0 }],
    ['no mapping', { filename: 'a', lineno: 9, colno: 1 }],
  ])('stays as it is, with a reason: %s', (why, frame) => {
    expect(one(frame)).toEqual({ ...frame, data: { unmapped: why } });
    for (const data of ['text', null, ['a']]) {
      expect(one({ ...frame, data })).toEqual({ ...frame, data: { unmapped: why } });
    }
  });

  it('loses the data of the minified file, and keeps the rest', () => {
    const sent = { filename: 'a', lineno: 1, colno: 1, module: 'a', context_line: '{snip}', vars: { x: 1 } };
    expect(one(sent)).toEqual({
      filename: './src/a.js',
      abs_path: 'webpack://shop/./src/a.js',
      lineno: 1,
      colno: 1,
      in_app: true,
      vars: { x: 1 },
      data: { sourcemap: 'https://x.example/a.js.map' },
    });
  });

  it('never takes a name that only a bundler uses', () => {
    const frames = [
      { filename: 'a', lineno: 1, colno: 1 },
      { filename: 'a', function: 't', lineno: 1, colno: 1 },
    ];
    const mapped = symbolicateStack(frames, () => ({ map, address: 'https://x.example/a.js.map' }));
    expect(mapped[1]?.frame.function).toBe('t');
  });
});

describe('source names', () => {
  it.each([
    ['webpack://shop/./src/a.js', './src/a.js'],
    ['webpack:///src/a.js', 'src/a.js'],
    ['webpack:///./~/x/y.js', './~/x/y.js'],
    ['../src/a.js', '../src/a.js'],
    ['https://x.example/a.js', 'https://x.example/a.js'],
  ])('%s is shown as %s', (source, shown) => expect(displayedSourcePath(source)).toBe(shown));

  it.each([
    ['node_modules/x/y.js', true],
    ['../node_modules/x.js', true],
    ['./~/x/y.js', true],
    ['webpack/bootstrap', true],
    ['./src/node_modules.js', false],
    ['src/a.js', false],
  ])('%s is third party: %s', (shown, is) => expect(isThirdParty(shown)).toBe(is));

  it('resolves a source against its map', () => {
    expect(sourceUrlOf('../src/a.js', 'https://x.example/assets/a.js.map')).toBe(
      'https://x.example/src/a.js',
    );
    expect(sourceUrlOf('../src/a.js', '~/assets/a.js.map')).toBe('../src/a.js');
  });
});

describe('the lines around a line', () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);

  it.each(['\n', '\r\n', '\r'])('are five on each side, for lines that end in %j', (end) => {
    const context = readSourceContext(text.join(end), 10);
    expect(context?.pre_context).toEqual(text.slice(4, 9));
    expect(context?.context_line).toBe('line 10');
    expect(context?.post_context).toEqual(text.slice(10, 15));
  });

  it('are fewer at the ends, and none beyond', () => {
    expect(readSourceContext(text.join('\n'), 1)?.pre_context).toEqual([]);
    expect(readSourceContext(text.join('\n'), 20)?.post_context).toEqual([]);
    expect(readSourceContext(text.join('\n'), 21)).toBeNull();
  });

  it('are cut when they are very long', () => {
    expect(readSourceContext('x'.repeat(100_000), 1)?.context_line).toHaveLength(1_024 + ' {snip}'.length);
  });
});
