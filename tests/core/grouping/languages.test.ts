import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { groupEvent } from '../../../src/core/grouping/group-event.ts';
import { normalized } from '../../support/events.ts';

type Frame = Readonly<Record<string, unknown>>;
const crash = (platform: string, frames: readonly Frame[], type = 'E', value = 'bad', module?: string) => ({
  platform,
  exception: {
    values: [
      { type, value, module, stacktrace: { frames: frames.map((frame) => ({ in_app: true, ...frame })) } },
    ],
  },
});
const said = (platform: string, value: string, type = 'E') => ({
  platform,
  exception: { values: [{ type, value }] },
});
const hashOf = (event: unknown): string => computeFingerprint(normalized(event)).hash;
const inFile = (platform: string, name: string, filename = 'a') =>
  crash(platform, [{ function: name, filename }]);
const inModule = (platform: string, name: string, module: string) =>
  crash(platform, [{ function: name, module }]);

describe('a rule for one language', () => {
  it.each([
    ['native', 'shop::load::{{closure}}', 'shop::save::{{closure}}'],
    [
      'rust',
      '<shop::Cart as shop::Load>::load::{{closure}}',
      '<shop::Cart as shop::Load>::save::{{closure}}',
    ],
    ['native', 'block in pay', 'pay'],
    ['python', 'Till::pay->open', 'Till::pay::open'],
    ['dart', 'shop.<locals>.pay', 'pay'],
    ['php', 'Total-range1', 'Total-range2'],
    ['ruby', 'pay$lambda$1', 'pay$lambda$2'],
    ['csharp', 'till::open::h0123456789abcdef', 'till::open'],
  ])('applies to it alone: %s keeps %s and %s apart', (platform, a, b) => {
    expect(hashOf(inFile(platform, a))).not.toBe(hashOf(inFile(platform, b)));
  });

  it('goes by the language of the frame before that of the event', () => {
    const mixed = (name: string) =>
      crash('csharp', [{ function: name, package: '/app/libtill.so', platform: 'native' }]);
    expect(hashOf(mixed('till::open::h0123456789abcdef'))).toBe(hashOf(mixed('till::open')));
  });
});

describe('closures of PHP 8.4', () => {
  it('keep class and method where no other frame has them', () => {
    const hook = (name: string) => inFile('php', name, '/srv/wp-content/plugins/shop/shop.php');
    const register = hashOf(hook('{closure:Shop\\Boot::register():12}'));
    expect(hashOf(hook('{closure:Shop\\Boot::register():40}'))).toBe(register);
    expect(hashOf(hook('{closure:{closure:Shop\\Boot::register():12}:13}'))).toBe(register);
    expect(hashOf(hook('{closure:Shop\\Boot::render():12}'))).not.toBe(register);
    expect(hashOf(hook('{closure:shop_boot():12}'))).not.toBe(register);
  });

  it('join the issue of an older PHP, which does not have the method', () => {
    const secondaryHash = (name: string) => groupEvent(normalized(inFile('php', name))).secondaryHash();
    const older = secondaryHash('App\\Jobs\\{closure}');
    const newer = secondaryHash('App\\Jobs\\{closure:App\\Jobs\\Feed::handle():42}');
    expect(newer?.hash).toBe(older?.hash);
    expect([older?.hasSource, newer?.hasSource]).toEqual([false, true]);
  });
});

describe('names numbered by compilers', () => {
  it.each<[string, readonly string[]]>([
    ['go', ['Total', 'Total-range1', 'Total-range2', 'Total.deferwrap1', 'Total.deferwrap12']],
    ['go', ['Total.func1', 'Total.func2-range1', 'Total.func1.2', 'Total.func3.deferwrap1']],
    [
      'cocoa',
      [
        'Cart.load()',
        '(1) suspend resume partial function for Cart.load()',
        '(12) await resume partial function for Cart.load()',
      ],
    ],
    [
      'swift',
      [
        'closure #1 in Cart.load()',
        'closure #2 in Cart.load()',
        'closure #1 in (2) suspend resume partial function for Cart.load()',
      ],
    ],
    ['csharp', ['total@42-1.Invoke', 'total@45.Invoke', 'total@9-12.Invoke']],
    ['csharp', ['_Lambda$__12-0', '_Lambda$__3-1', '_Lambda$__R4-1']],
    [
      'rust',
      [
        'shop::load',
        'shop::load::{{closure}}',
        'shop::load::closure$0',
        'shop::load::{closure#3}',
        'shop::load::async_fn$0',
        'shop::load::async_block$1::closure$0',
        'shop::load::{async_fn_env#0}',
        'shop::load::h0123456789abcdef',
        'shop::load::{{closure}}::h0123456789abcdef',
      ],
    ],
    ['java', ['total$lambda$0', 'total$lambda$7', 'total$lambda$2$lambda$1', 'total$lambda-3']],
    ['native', ['cart.total__anon_1234', 'cart.total__anon_77']],
    ['native', ['camlCart__total_123', 'camlCart__total_456']],
    ['dart', ['Cart.total.<anonymous closure>', 'Cart.total.<fn>']],
    ['elixir', ['anonymous fn/1 in Cart.total/1', 'anonymous fn/1 in Cart.total/1']],
  ])('%s: %p are one', (platform, names) => {
    const hashes = names.map((name) => hashOf(inFile(platform, name)));
    expect([platform, new Set(hashes).size]).toEqual([platform, 1]);
  });

  it.each<[string, readonly (readonly [name: string, module: string])[]]>([
    [
      'java',
      [
        ['doCall', 'shop.Cart$_total_closure1'],
        ['doCall', 'shop.Cart$_total_closure12'],
      ],
    ],
    [
      'groovy',
      [
        ['run', 'Script1'],
        ['run', 'Script42'],
      ],
    ],
    [
      'java',
      [
        ['invoke', 'shop.Cart$total$1'],
        ['invoke', 'shop.Cart$total$2$1'],
        ['total$lambda$0', 'shop.Cart'],
      ],
    ],
    [
      'csharp',
      [
        ['Invoke', 'Shop.Cart+total@42-1'],
        ['Invoke', 'Shop.Cart+total@7'],
        ['total', 'Shop.Cart'],
      ],
    ],
    [
      'csharp',
      [
        ['MoveNext', 'Shop.Cart.VB$StateMachine_12_Load'],
        ['MoveNext', 'Shop.Cart.VB$StateMachine_3_Load'],
      ],
    ],
    [
      'csharp',
      [
        ['<Main>$', 'Program'],
        ['MoveNext', 'Program+<<Main>$>d__0'],
      ],
    ],
    [
      'csharp',
      [
        ['<<Main>$>g__Load|0_0', 'Program'],
        ['<<Main>$>g__Load|0_3', 'Program'],
      ],
    ],
  ])('%s: closure classes, %p', (platform, frames) => {
    const hashes = frames.map(([name, module]) => hashOf(inModule(platform, name, module)));
    expect([platform, new Set(hashes).size]).toEqual([platform, 1]);
  });

  it('keeps two functions apart', () => {
    expect(hashOf(inModule('java', 'invoke', 'shop.Cart$total$1'))).not.toBe(
      hashOf(inModule('java', 'invoke', 'shop.Cart$pay$1')),
    );
    expect(hashOf(inFile('go', 'Total-range1'))).not.toBe(hashOf(inFile('go', 'Sum-range1')));
  });

  it('drops the wrapper that Go adds to a call', () => {
    const run = { function: '(*Pool).run', module: 'shop/worker', filename: 'worker.go' };
    const around = { ...run, function: '(*Pool).Start.gowrap1' };
    expect(hashOf(crash('go', [around, run]))).toBe(hashOf(crash('go', [run])));
  });
});

describe('a newer Python', () => {
  const total = { module: 'shop.cart', filename: 'cart.py', function: 'total', context_line: 'return sum([' };
  it('has no frames for comprehensions', () => {
    for (const name of ['<listcomp>', '<dictcomp>', '<setcomp>']) {
      const inside = { ...total, function: name, context_line: '  price(x) for x in rows' };
      const price = { module: 'shop.price', filename: 'price.py', function: 'price' };
      expect(hashOf(crash('python', [total, inside, price]))).toBe(
        hashOf(crash('python', [{ ...inside, function: 'total' }, price])),
      );
      expect(hashOf(crash('python', [total, inside, inside]))).toBe(
        hashOf(crash('python', [{ ...inside, function: 'total' }])),
      );
    }
  });

  it('keeps those of generators, which have their own frames', () => {
    const inside = { ...total, function: '<genexpr>', context_line: 'price(x) for x in rows' };
    expect(hashOf(crash('python', [total, inside]))).not.toBe(
      hashOf(crash('python', [{ ...inside, function: 'total' }])),
    );
  });

  it.each([
    '/tmp/ipykernel_1234/123456789.py',
    'C:\\Users\\Ann\\AppData\\Local\\Temp\\ipykernel_77\\4711.py',
    '<ipython-input-3-2a1b3c4d5e6f>',
    '/tmp/ipython-input-2871.py',
    '<command-4711>',
  ])('drops the process id from a notebook cell: %s', (filename) => {
    const cell = (path: string, name: string) =>
      crash('python', [{ function: name, filename: path, context_line: 'df["price"].sum()' }]);
    expect(hashOf(cell(filename, '<module>'))).toBe(hashOf(cell('/tmp/ipykernel_1/1.py', '<cell line: 1>')));
  });
});

describe('evaluated code', () => {
  // Ruby names the place of the call since 3.3, Perl counts the calls.
  it.each([
    ['ruby', '(eval at /srv/releases/1/cart.rb:12)', '(eval)'],
    ['ruby', '(eval at /srv/releases/1/cart.rb:12)', '(eval at /srv/releases/2/cart.rb:19)'],
    ['perl', '(eval 12)', '(eval 77)'],
  ])('of %s has a file name without a number: %s, %s', (platform, one, other) => {
    const inEval = (filename: string) => crash(platform, [{ function: 'total', filename }]);
    expect(hashOf(inEval(one))).toBe(hashOf(inEval(other)));
  });
});

describe('types that were renamed', () => {
  it.each<[string, readonly (readonly [type: string, module?: string])[]]>([
    ['python', [['IOError'], ['OSError'], ['EnvironmentError'], ['error', 'socket'], ['socket.error']]],
    ['python', [['TimeoutError'], ['timeout', 'socket'], ['socket.timeout'], ['timeout']]],
    [
      'python',
      [
        ['TimeoutError', 'concurrent.futures._base'],
        ['TimeoutError', 'builtins'],
      ],
    ],
    [
      'python',
      [
        ['error', 're'],
        ['PatternError', 're'],
      ],
    ],
    [
      'java',
      [['javax.persistence.EntityNotFoundException'], ['jakarta.persistence.EntityNotFoundException']],
    ],
    ['java', [['javax.servlet.ServletException'], ['jakarta.servlet.ServletException']]],
    ['ruby', [['Timeout::Error'], ['TimeoutError']]],
    ['ruby', [['Psych::BadAlias'], ['Psych::AliasesNotEnabled']]],
    ['python', [['BadZipfile', 'zipfile'], ['BadZipFile', 'zipfile'], ['zipfile.BadZipfile']]],
  ])('%s: %p are one', (platform, types) => {
    const frame = { function: 'load', module: 'shop.Feed', filename: 'feed' };
    const hashes = types.map(([type, module]) => hashOf(crash(platform, [frame], type, 'bad', module)));
    expect([platform, new Set(hashes).size]).toEqual([platform, 1]);
  });

  it.each([
    ['python', 'OSError', 'TimeoutError'],
    ['python', 'error', 'OSError'],
    ['java', 'javax.net.ssl.SSLException', 'jakarta.net.ssl.SSLException'],
    ['java', 'javax.crypto.BadPaddingException', 'jakarta.crypto.BadPaddingException'],
    ['ruby', 'IOError', 'OSError'],
  ])('%s: %s is not %s', (platform, a, b) => {
    const frame = { function: 'load', module: 'shop.Feed', filename: 'feed' };
    expect(hashOf(crash(platform, [frame], a))).not.toBe(hashOf(crash(platform, [frame], b)));
  });
});

describe('Ruby 3.4', () => {
  it.each([
    ['key not found: :price in {:id=>1, "a"=>2}', 'key not found: :price in {id: 1, "a" => 2}'],
    ['key not found: :price in {:"a b"=>:c}', 'key not found: :price in {"a b": :c}'],
    ["undefined method `pay' for nil:NilClass", "undefined method 'pay' for nil"],
    [
      "undefined local variable or method `x' for #<Cart:0x0001>",
      "undefined local variable or method 'x' for an instance of Cart",
    ],
    ["undefined method `pay' for Cart:Class", "undefined method 'pay' for class Cart"],
    ["undefined method `pay' for Shop::Cart:Module", "undefined method 'pay' for module Shop::Cart"],
  ])('%s', (older, newer) => {
    expect(hashOf(said('ruby', older))).toBe(hashOf(said('ruby', newer)));
  });
});

describe('messages that a language version rewords', () => {
  it.each([
    ['php', 'Undefined index: total', 'Undefined array key "total"'],
    ['php', 'Undefined offset: 1', 'Undefined array key 1'],
    ['php', 'Undefined variable: total', 'Undefined variable $total'],
    [
      'php',
      'Undefined variable: total in /app/a.php on line 3',
      'Undefined variable $total in /app/a.php on line 9',
    ],
    ['php', "Trying to get property 'total' of non-object", 'Attempt to read property "total" on null'],
    [
      'python',
      "local variable 'total' referenced before assignment",
      "cannot access local variable 'total' where it is not associated with a value",
    ],
    ['python', "name 'total' is not defined", "name 'total' is not defined. Did you mean: 'totals'?"],
    [
      'python',
      "'Cart' object has no attribute 'total'",
      "'Cart' object has no attribute 'total'. Did you mean: 'totals'?",
    ],
  ])('%s: %s is %s', (language, older, newer) => {
    expect(hashOf(said(language, older))).toBe(hashOf(said(language, newer)));
  });

  it.each([
    ['php', 'Undefined index: total', 'Undefined array key "price"'],
    ['php', 'Undefined variable: total', 'Undefined variable $price'],
    [
      'python',
      "local variable 'total' referenced before assignment",
      "local variable 'x' referenced before assignment",
    ],
    ['javascript', 'Undefined index: total', 'Undefined array key "total"'],
  ])('%s: %s is not %s', (language, one, other) => {
    expect(hashOf(said(language, one))).not.toBe(hashOf(said(language, other)));
  });
});

describe('a crash without named frames of the application', () => {
  const own = (name: string) => ({
    function: name,
    package: '/private/var/containers/Bundle/Application/X/Shop.app/Shop',
    in_app: true,
    instruction_addr: '0x104a41234',
  });
  const system = (name: string, binary: string) => ({
    function: name,
    package: binary,
    in_app: false,
    instruction_addr: '0x1a0041234',
  });
  const libc = '/usr/lib/system/libsystem_c.dylib';
  const foundation = '/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation';
  const crashes = (name: string) =>
    [
      ['EXC_BAD_ACCESS', [own(name), system('objc_msgSend', '/usr/lib/libobjc.A.dylib')]],
      ['EXC_BAD_ACCESS', [own(name), system('-[NSArray objectAtIndex:]', foundation)]],
      ['EXC_BAD_ACCESS', [own(name), system('CFArrayGetValueAtIndex', foundation)]],
      ['SIGABRT', [own(name), system('abort', libc), system('__pthread_kill', libc)]],
      ['EXC_CRASH', [own(name), system('abort', libc), system('__pthread_kill', libc)]],
      ['SIGABRT', [own(name), system('malloc_report', libc), system('abort', libc)]],
    ].map(([type, frames]) => hashOf(crash('cocoa', frames as Frame[], type as string, '')));

  it.each(['<redacted>', '???', '<unknown>', 'stripped_application_code', '0x104a41234', ''])(
    'is grouped by library frames and by its type: %p',
    (name) => {
      const hashes = crashes(name);
      expect(new Set(hashes).size).toBe(hashes.length);
      expect(hashes).toEqual(crashes('<redacted>'));
    },
  );

  it('is grouped by a named frame where there is one', () => {
    const named = (type: string) =>
      hashOf(crash('cocoa', [own('Cart.total()'), own('<redacted>'), system('abort', libc)], type, ''));
    expect(named('SIGABRT')).toBe(
      hashOf(crash('cocoa', [own('Cart.total()'), system('abort', libc)], 'SIGABRT', '')),
    );
  });

  it('is grouped by the offset in the binary where that is known', () => {
    const placed = (address: string) =>
      hashOf(
        crash(
          'cocoa',
          [{ ...own('<redacted>'), image_addr: '0x104a40000', instruction_addr: address }],
          'SIGSEGV',
          '',
        ),
      );
    expect(placed('0x104a41234')).not.toBe(placed('0x104a45678'));
  });
});
