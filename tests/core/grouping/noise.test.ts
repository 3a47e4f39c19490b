import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized, reordered } from '../../support/events.ts';
import { codes, codesIn, noise, sentences, written } from '../../support/noise.ts';
import { runs } from '../../support/test-level.ts';

const numRuns = runs(2_000);
const groupingOf = (raw: unknown) => computeFingerprint(normalized(raw));

type Shape = (message: string) => object;

const circumstances = fc.record({
  lineShift: fc.nat(400),
  address: noise['address'] as fc.Arbitrary<string>,
  release: fc.option(noise['shortHash'] as fc.Arbitrary<string>, { nil: undefined }),
  user: noise['id'] as fc.Arbitrary<string>,
  server: fc.nat(99),
  form: fc.constantFrom('NFC', 'NFD'),
  isReordered: fc.boolean(),
});
type Circumstances = typeof circumstances extends fc.Arbitrary<infer T> ? T : never;

const shapes: Readonly<Record<string, (about: Circumstances) => Shape>> = {
  message: () => (message) => ({ platform: 'php', message }),
  'exception without a stack': () => (value) => ({
    platform: 'python',
    exception: { values: [{ type: 'Größenfehler', value }] },
  }),
  'exception with a stack': (about) => (value) => ({
    platform: 'node',
    exception: {
      values: [
        {
          type: 'ShopError',
          value,
          stacktrace: {
            frames: [
              frame(about, '/srv/shop/releases/20260101/src/jobs/run.js', 'run', 12),
              frame(about, '/srv/shop/releases/20260101/src/cart/größe.js', 'prüfen', 80),
            ],
          },
        },
      ],
    },
  }),
  'native crash': (about) => (value) => ({
    platform: 'native',
    exception: {
      values: [
        {
          type: 'SIGABRT',
          value,
          stacktrace: {
            frames: [
              {
                function: 'Cart::total(int)',
                package: '/opt/shop/bin/shop',
                instruction_addr: about.address,
              },
              {
                function: 'abort',
                package: '/lib/x86_64-linux-gnu/libc.so.6',
                instruction_addr: about.address,
              },
            ],
          },
        },
      ],
    },
  }),
};

function frame(about: Circumstances, filename: string, name: string, line: number) {
  return {
    filename,
    function: name,
    lineno: line + about.lineShift,
    colno: 1 + (about.lineShift % 40),
    in_app: true,
  };
}

function eventOf(shape: string, message: string, about: Circumstances): unknown {
  const event = {
    ...shapes[shape]?.(about)(message),
    release: about.release,
    user: { id: about.user },
    server_name: `web-${about.server}`,
    tags: { attempt: String(about.server) },
    timestamp: 1_700_000_000 + about.lineShift,
  };
  const spelled = JSON.parse(JSON.stringify(event).normalize(about.form));
  return about.isReordered ? reordered(spelled) : spelled;
}

const codeSets = fc.record(
  Object.fromEntries(Object.entries(codes).map(([name, all]) => [name, fc.constantFrom(...all)])),
);

describe('random pairs', () => {
  it(`that differ in noise alone share an issue: ${numRuns} runs`, () => {
    const pair = fc
      .tuple(fc.constantFrom(...sentences), fc.constantFrom(...Object.keys(shapes)), codeSets)
      .chain(([sentence, shape, code]) =>
        fc.tuple(
          fc.constant(shape),
          written(sentence, code),
          written(sentence, code),
          circumstances,
          circumstances,
        ),
      );
    fc.assert(
      fc.property(pair, ([shape, a, b, aboutA, aboutB]) => {
        const [first, second] = [
          groupingOf(eventOf(shape, a, aboutA)),
          groupingOf(eventOf(shape, b, aboutB)),
        ];
        expect({ a, parts: first.parts }).toEqual({ a, parts: second.parts });
        expect(first.hash).toBe(second.hash);
      }),
      { numRuns },
    );
  });

  it(`that differ in a code have two issues: ${numRuns} runs`, () => {
    const coded = sentences.filter((sentence) => codesIn(sentence).length > 0);
    const pair = fc
      .tuple(fc.constantFrom(...coded), fc.constantFrom(...Object.keys(shapes)), codeSets, codeSets)
      .filter(([sentence, , a, b]) => codesIn(sentence).some((name) => a[name] !== b[name]))
      .chain(([sentence, shape, codeA, codeB]) =>
        fc.tuple(fc.constant(shape), written(sentence, codeA), written(sentence, codeB), circumstances),
      );
    fc.assert(
      fc.property(pair, ([shape, a, b, about]) => {
        const [first, second] = [groupingOf(eventOf(shape, a, about)), groupingOf(eventOf(shape, b, about))];
        expect({ a, b, parts: first.parts }).not.toEqual({ a, b, parts: second.parts });
        expect(first.hash).not.toBe(second.hash);
      }),
      { numRuns },
    );
  });
});
