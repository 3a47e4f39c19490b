import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { groupEvent } from '../../../src/core/grouping/group-event.ts';
import { normalized } from '../../support/events.ts';
import { inFull, runs } from '../../support/test-level.ts';

/** Few of each, so that frames share some names and differ in others. */
const few = (...texts: string[]) => fc.constantFrom(undefined, ...texts);
const frame = fc.record({
  function: few(
    'pay',
    'abort',
    '__awaiter',
    '_next',
    'MoveNext',
    'Shop.Cart.<Pay>d__3.MoveNext',
    '?',
    'a',
    'a<T>(b)',
  ),
  filename: few(
    'app.js',
    'src/cart.js',
    '/srv/app/src/cart.js',
    'node_modules/x/y.js',
    '<string>',
    'main.go',
  ),
  abs_path: few(
    '/srv/app/src/cart.js',
    'https://shop.example/app.min.js',
    '/usr/lib/libc.so',
    'webpack:///./a.js',
  ),
  module: few('main', 'a.b', 'Shop.Cart+<Pay>d__3', 'java.util.Objects', 'org.postgresql.Driver'),
  package: few('/usr/lib/libc.so.6', '/app/shop', 'Shop, Version=1.0.0.0'),
  platform: few('javascript', 'native', 'csharp', 'java', 'go', 'python', 'php'),
  in_app: fc.constantFrom(undefined, true, false),
  lineno: fc.constantFrom(undefined, 1, 40),
  colno: fc.constantFrom(undefined, 7, 900),
  context_line: few('throw error;', "throw new PaymentRefused('no');", "require 'a.php';"),
  instruction_addr: few('0x1010', '0x2020'),
  image_addr: few('0x1000'),
});
const exception = fc.record({
  type: few('TypeError', 'e', 'SIGABRT', 'Shop\\Refused', 'class@anonymous /srv/a.php'),
  value: few(
    'x is not a function',
    'order 17 was answered with 404',
    'connect ECONNREFUSED 10.0.0.3:5432',
    '',
  ),
  stacktrace: fc.record({ frames: fc.array(frame, { maxLength: 7 }) }),
});
const event = fc.record({
  platform: fc.constantFrom('javascript', 'node', 'native', 'csharp', 'java', 'go', 'python', 'php', 'other'),
  message: few('cart 5 of 9', 'GET /api/orders/7 500'),
  exception: fc.record({ values: fc.array(exception, { maxLength: 3 }) }),
});

function grouped(raw: NormalizedEvent): unknown {
  const { secondaryHash, ...grouping } = groupEvent(raw);
  return { ...grouping, secondaryHash: secondaryHash() };
}

function tire(): void {
  // A memory rests once 2,048 texts in a row were new to it: the row may begin anywhere in the first of two.
  for (let index = 0; index < 4_200; index += 1) {
    const frames = [{ function: `do${index}`, filename: `f${index}.x` }];
    const values = [{ type: `E${index}`, value: `failed ${index}`, stacktrace: { frames } }];
    grouped(normalized({ platform: index % 2 === 0 ? 'javascript' : 'php', exception: { values } }));
  }
}

inFull(it)('grouping is the same with a warm cache, a cold one, and none', () => {
  const events = fc.sample(event, runs(640)).map((raw) => normalized(JSON.parse(JSON.stringify(raw))));
  const all = () => events.map((each) => grouped(each));
  const [first, again] = [all(), all()];
  tire();
  const bare = all();
  expect(first).toEqual(bare);
  expect(again).toEqual(bare);
});
