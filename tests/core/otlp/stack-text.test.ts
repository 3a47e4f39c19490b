import { describe, expect, it } from '@jest/globals';
import { parseStackText } from '../../../src/core/otlp/stack-text.ts';

/** `module function file:line:column`, oldest first; `-` for what is not known. */
function read(text: string, platform = 'other'): string[] {
  return parseStackText(text, platform).flatMap(({ raised, frames }) => [
    ...(raised === null ? [] : [`caused by ${raised.type}: ${raised.value}`]),
    ...frames.map((f) =>
      [
        f['module'] ?? '-',
        f['function'] ?? '-',
        [f['filename'] ?? '-', f['lineno'], f['colno']].filter((v) => v !== undefined).join(':'),
      ].join(' '),
    ),
  ]);
}

const traces: ReadonlyArray<readonly [platform: string, text: string, frames: readonly string[]]> = [
  [
    'node',
    `TypeError: no\n    at async Shop.pay [as charge] (file:///app/pay.js:10:5)\n    at new Cart (/app/node_modules/cart/index.js:3:1)\n    at node:internal/main:1:2\n    at Array.map (<anonymous>)\n    at C:\\app\\x.js:9:1`,
    [
      '- - C:\\app\\x.js:9:1',
      '- - node:internal/main:1:2',
      '- new Cart /app/node_modules/cart/index.js:3:1',
      '- Shop.pay [as charge] file:///app/pay.js:10:5',
    ],
  ],
  [
    'javascript',
    'pay@https://shop.example/a.js:1:2345\n@https://shop.example/b.js:7:1',
    ['- - https://shop.example/b.js:7:1', '- pay https://shop.example/a.js:1:2345'],
  ],
  [
    'java',
    'java.lang.RuntimeException: outer\n\tat java.base/java.lang.Thread.run(Thread.java:833)\n\tat com.shop.Cart$Item.<init>(Cart.java:12)\nCaused by: java.io.IOException: disk: full\n\tat com.shop.Disk.write(Native Method)\n\t... 3 more',
    [
      'com.shop.Cart$Item <init> Cart.java:12',
      'java.lang.Thread run Thread.java:833',
      'caused by java.io.IOException: disk: full',
      'com.shop.Disk write -',
    ],
  ],
  [
    'csharp',
    'System.Exception: no\n   at Shop.Cart.Pay(Decimal sum) in /src/Cart.cs:line 12\n   at Shop.Program.<Main>$(String[] args)',
    ['Shop.Program <Main>$ -', 'Shop.Cart Pay /src/Cart.cs:12'],
  ],
  [
    'python',
    'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    pay()\n  File "/app/pay.py", line 9, in pay\n    raise ValueError("no")\nValueError: no',
    ['- <module> /app/main.py:3', '- pay /app/pay.py:9'],
  ],
  [
    'php',
    'Exception: no\n#0 /app/pay.php(12): Shop\\Cart->pay(Object(Cart))\n#1 {main}',
    ['- Shop\\Cart->pay /app/pay.php:12'],
  ],
  [
    'php',
    'Exception: no\n at Shop.Cart.pay(Cart.php:12)\n at {main}(index.php:3)',
    ['Shop.Cart pay Cart.php:12'],
  ],
  [
    'ruby',
    "/app/pay.rb:12:in 'Cart#pay': no (RuntimeError)\n\tfrom /app/main.rb:3:in `<main>'",
    ['- <main> /app/main.rb:3', '- Cart#pay /app/pay.rb:12'],
  ],
  [
    'go',
    'goroutine 1 [running]:\ngithub.com/shop/pay.(*Cart).Charge(0xc000, 0x1)\n\t/app/pay/cart.go:12 +0x1d\nmain.main()\n\t/app/main.go:3 +0x2',
    ['main main /app/main.go:3', 'github.com/shop/pay (*Cart).Charge /app/pay/cart.go:12'],
  ],
];

describe('a stack trace in text', () => {
  it.each(traces)('of %s', (platform, text, frames) => {
    expect(read(text, platform)).toEqual(frames);
  });

  it.each(traces)('is recognized without the language: %s', (_platform, text, frames) => {
    expect(read(text)).toEqual(frames);
  });

  it('keeps the line of source that Python prints', () => {
    const [printed] = parseStackText('  File "/a.py", line 3, in f\n    pay()\n', 'python');
    expect(printed?.frames).toEqual([
      { function: 'f', filename: '/a.py', abs_path: '/a.py', lineno: 3, context_line: '    pay()' },
    ]);
  });

  it('of an unknown format has no frames', () => {
    expect(parseStackText('something went wrong at home', 'cobol')).toEqual([{ raised: null, frames: [] }]);
  });
});
