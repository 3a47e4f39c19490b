import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import type { Grouping } from '../../../src/core/store/events.ts';
import { normalized } from '../../support/events.ts';
import { describeWithShared } from '../../support/needs.ts';

const groupingOf = (raw: unknown): Grouping => computeFingerprint(normalized(raw));

const thrown = (frame: object, platform = 'javascript', type = 'Error', value = 'bad') => ({
  platform,
  exception: { values: [{ type, value, stacktrace: { frames: [{ in_app: true, ...frame }] } }] },
});
const unplaced = (value: string, type = 'TypeError', platform = 'javascript') => ({
  platform,
  exception: { values: [{ type, value }] },
});

describeWithShared('one error in two browsers', 'samples/events', (folder) => {
  it('is one issue', () => {
    const read = (browser: string) =>
      JSON.parse(readFileSync(join(folder, `js-xbrowser-${browser}.json`), 'utf8'));
    expect(groupingOf(read('chrome')).hash).toBe(groupingOf(read('firefox')).hash);
  });
});

describe('the wording of one error in each engine', () => {
  it.each([
    [
      'nullish read .id',
      [
        "Cannot read properties of undefined (reading 'id')",
        "Cannot read property 'id' of null",
        'can\'t access property "id", user is undefined',
        'can’t access property “id” of undefined',
        "undefined is not an object (evaluating 'this.load(1, [2]).user.id')",
        'null is not an object (evaluating \'user["id"]\')',
        "null is not an object (evaluating 'user.id === 5')",
        "'undefined' is not an object (evaluating 'user.id')",
        "Unable to get property 'id' of undefined or null reference",
        "Uncaught TypeError: Cannot read properties of undefined (reading 'id')",
      ],
    ],
    [
      'nullish write .id',
      [
        "Cannot set properties of undefined (setting 'id')",
        "undefined is not an object (evaluating 'user.id = 5')",
        "Unable to set property 'id' of undefined or null reference",
      ],
    ],
    [
      'nullish read .[]',
      [
        "Cannot read properties of undefined (reading '0')",
        "undefined is not an object (evaluating 'a.b[0]')",
      ],
    ],
    [
      'not defined foo',
      [
        'foo is not defined',
        "Can't find variable: foo",
        "'foo' is undefined",
        "Property 'foo' doesn't exist",
      ],
    ],
    [
      'not a function .pay',
      [
        'cart.pay is not a function',
        "cart.pay is not a function. (In 'cart.pay(a => a.b)', 'cart.pay' is undefined)",
        "undefined is not a function (evaluating 'cart.pay()')",
        "undefined is not a function (near '...cart.pay...')",
        "Object doesn't support property or method 'pay'",
        'cart.pay is not a function (it is undefined)',
        '(intermediate value).pay is not a function',
      ],
    ],
    [
      'fetch failed',
      [
        'Failed to fetch',
        'Load failed',
        'NetworkError when attempting to fetch resource.',
        'Network request failed',
      ],
    ],
    [
      'json malformed',
      [
        'Unexpected token < in JSON at position 0',
        'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
        'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
        "JSON Parse error: Unrecognized token '<'",
      ],
    ],
    [
      'not iterable',
      [
        'x is not iterable',
        'undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
        "undefined is not a function (near '...a of b...')",
      ],
    ],
  ])('%s', (form, sayings) => {
    for (const saying of sayings) {
      expect([saying, groupingOf(unplaced(saying)).parts[1]]).toEqual([saying, form]);
    }
  });

  it('joins errors that engines throw under different types', () => {
    const chrome = groupingOf(unplaced('Maximum call stack size exceeded', 'RangeError'));
    expect(groupingOf(unplaced('too much recursion', 'InternalError')).hash).toBe(chrome.hash);
  });

  it('keeps the wording of other languages', () => {
    expect(groupingOf(unplaced('Load failed', 'TypeError', 'php')).parts[1]).toBe('Load failed');
  });

  it.each([
    [
      'callback',
      [
        'Object.callback',
        'callback',
        'async callback',
        'new callback',
        'Foo.prototype.callback',
        'x [as y]/callback',
        'async*callback',
        'setTimeout handler*callback',
        'get callback',
        'Object.callback [as done]',
      ],
    ],
    [
      '(anonymous)',
      [
        '',
        '?',
        '<anonymous>',
        'HTMLButtonElement.<anonymous>',
        'test/<',
        'Anonymous function',
        'global code',
        '<global>',
      ],
    ],
  ])('the function %s', (name, spellings) => {
    for (const spelling of spellings) {
      const part = groupingOf(thrown({ function: spelling, filename: 'a.js', lineno: 4 })).parts[0];
      // A frame without a function is no identity: the message stands beside it.
      const message = name === '(anonymous)' ? ' : bad' : '';
      expect([spelling, part]).toEqual([spelling, `Error @ a.js · ${name}${message}`]);
    }
  });

  it('leaves out native frames, eval and the wrappers of async functions', () => {
    const plain = [
      { function: 'load', filename: 'a.js' },
      { function: 'show', filename: 'b.js' },
    ];
    const noise = [
      { function: 'Array.map', filename: '<anonymous>' },
      { function: 'map', filename: '[native code]' },
      { function: 'eval', filename: 'a.js' },
      { function: 'asyncGeneratorStep', filename: 'a.js' },
      { function: 'sentryWrapped', filename: 'a.js' },
    ];
    const stackOf = (frames: object[]) => ({
      platform: 'javascript',
      exception: { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] },
    });
    const one = groupingOf(stackOf(plain));
    expect(groupingOf(stackOf([plain[0] as object, ...noise, plain[1] as object])).hash).toBe(one.hash);
  });
});

describe('names that builds and runtimes generate', () => {
  it.each([
    [
      'app.js',
      [
        'app.js',
        'app.3f2a1b.js',
        'app.9c8d7e6f.js',
        'https://x.test/a/app.js?ver=1',
        'app-ABC123.js',
        'App.js',
        'C:\\srv\\app.js',
      ],
    ],
    [
      'index.js',
      ['index-DiwrgTda.js', 'index-BX2kP9aQ.js', 'index-D_x3-k9Q.js', '/assets/index-4kcx7Q8w.js'],
    ],
    ['slider.js', ['slider-3.7.1.js', 'slider-3.6.js']],
    ['(page)', ['https://x.test/', 'https://x.test/cart/17']],
    ['(script)', ['blob:https://x.test/88ee7c66', 'data:text/javascript,x']],
    ['<hash>.chunk.js', ['2.5a1e3b7c.chunk.js', '158.chunk.js']],
  ])('the file %s', (file, spellings) => {
    for (const spelling of spellings) {
      const part = groupingOf(thrown({ function: 'show', filename: spelling })).parts[0];
      expect([spelling, part]).toEqual([spelling, `Error @ ${file} · show`]);
    }
  });

  it.each(['page-2.js', 'level12.js', 'UserCard.js', 'pages-UserCard.js', 'app-v2.js', 'user-settings.js'])(
    '%s is a name',
    (file) => {
      expect(groupingOf(thrown({ function: 'show', filename: file })).parts[0]).toBe(
        `Error @ ${file.toLowerCase()} · show`,
      );
    },
  );

  it.each([
    ['php', ['class@anonymous\0/var/www/a.php0x7190ad3c35cf::run', 'class@anonymous\0/srv/b.php:12$0::run']],
    [
      'php',
      ['App\\Cart::{closure}', 'App\\Cart::App\\{closure}', 'App\\Cart::{closure:App\\Cart::pay():12}'],
    ],
    ['java', ['lambda$main$0', 'lambda$main$7']],
    ['go', ['(*Cart).Pay.func1', '(*Cart).Pay.func2.1']],
    ['ruby', ['block in pay', 'pay', 'block (2 levels) in pay']],
    ['csharp', ['<Pay>b__0_0', '<Pay>b__3_1']],
    ['rust', ['cart::pay::h0123456789abcdef', 'cart::pay::hfedcba9876543210']],
    ['python', ['pay', 'Cart.checkout.<locals>.pay']],
    ['ruby', ['_app_views_cart_show_html_erb___2803_70304', '_app_views_cart_show_html_erb__99_1']],
  ])('%s functions %p are one', (platform, spellings) => {
    const hashes = spellings.map(
      (name) => groupingOf(thrown({ function: name, filename: 'a' }, platform)).hash,
    );
    expect(new Set(hashes).size).toBe(1);
  });

  it('a template is one for any arguments, four levels deep', () => {
    const hashOf = (levels: number, word: string) => {
      const name = `Cart::pay<${Array.from({ length: levels }, () => word).join('<')}${'>'.repeat(levels)}()`;
      return groupingOf(thrown({ function: name, filename: 'cart.cpp' }, 'native')).hash;
    };
    expect(hashOf(4, 'Euro')).toBe(hashOf(4, 'Yen'));
    expect(hashOf(5, 'Euro')).not.toBe(hashOf(5, 'Yen'));
  });

  it.each([
    ['com.shop.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d', 'com.shop.Cart$$SpringCGLIB$$0'],
    ['com.shop.Cart$$Lambda$14/0x0000000800c03000', 'com.shop.Cart$$Lambda$99'],
    ['com.sun.proxy.$Proxy123', 'jdk.proxy2.$Proxy4'],
    ['com.shop.Cart$1', 'com.shop.Cart$2'],
  ])('modules %s and %s are one', (a, b) => {
    const partOf = (module: string) => groupingOf(thrown({ function: 'pay', module }, 'java')).hash;
    expect(partOf(a)).toBe(partOf(b));
  });
});
