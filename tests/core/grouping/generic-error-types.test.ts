import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';

type Part = Readonly<Record<string, unknown>>;
const hashOf = (platform: string, values: readonly Part[]): string =>
  computeFingerprint(normalized({ platform, exception: { values } })).hash;
const at = (...frames: readonly Part[]) => ({
  stacktrace: { frames: frames.map((frame) => ({ in_app: true, ...frame })) },
});

describe('a generic error type', () => {
  const captured = at({ function: 'handle', module: 'shop/web', abs_path: '/src/web/web.go' });
  const one = (type: string, value: string) => hashOf('go', [{ type, value, ...captured }]);

  it.each([
    '*errors.errorString',
    '*errors.joinError',
    '*errors.fundamental',
    '*errors.withStack',
    '*errors.withMessage',
    '*fmt.wrapError',
    '*fmt.wrapErrors',
    '*xerrors.noWrapError',
    '*multierror.Error',
    '*withstack.withStack',
    '*gin.Error',
    '*echo.HTTPError',
  ])('of Go: %s is grouped by its message, without variable parts', (type) => {
    expect(one(type, 'cart is empty')).not.toBe(one(type, 'smtp: greylisted'));
    expect(one(type, 'charge order 4: declined')).toBe(one(type, 'charge order 71: declined'));
  });

  it.each([
    '*net.OpError',
    'runtime.boundsError',
    '*shop.wrapErrorHandler',
    '*shop.NotFound',
    'runtime.Error',
  ])('of Go: %s is not generic', (type) => {
    expect(one(type, 'cart is empty')).toBe(one(type, 'smtp: greylisted'));
  });

  it('is replaced for each error of a chain', () => {
    const chain = (inner: string, outer: string, type = '*errors.errorString') =>
      hashOf('go', [
        { type, value: inner },
        { type: '*fmt.wrapError', value: `${outer}: ${inner}`, ...captured },
      ]);
    const first = chain('greylisted', 'mail receipt 4');
    expect(chain('greylisted', 'mail receipt 5')).toBe(first);
    expect(chain('greylisted', 'charge order 4')).not.toBe(first);
    expect(chain('refused', 'mail receipt 4')).not.toBe(first);
  });

  it('is replaced for members of a group in any order, not for the group', () => {
    const joined = (type: string, ...texts: readonly string[]) =>
      hashOf('go', [
        ...texts.map((value) => ({ type: '*errors.errorString', value })),
        {
          type,
          value: texts.join('\n'),
          mechanism: { type: 'generic', is_exception_group: true },
          ...captured,
        },
      ]);
    const join = '*errors.joinError';
    expect(joined(join, 'no cart', 'no user')).toBe(joined(join, 'no user', 'no cart'));
    expect(joined(join, 'HTTP 404', 'SQLSTATE 22021')).toBe(joined(join, 'SQLSTATE 22021', 'HTTP 404'));
    expect(joined(join, 'no cart', 'no user')).not.toBe(joined(join, 'no cart', 'no stock'));
  });

  it('is every panic of Rust', () => {
    const panic = (value: string) =>
      hashOf('native', [{ type: 'panic', value, ...at({ function: 'shop::main', package: 'shop' }) }]);
    expect(panic('order 4 exploded')).toBe(panic('order 5 exploded'));
    expect(panic('order 4 exploded')).not.toBe(panic('mail 4 refused'));
  });

  it('is an ordinary type in another language', () => {
    const said = (value: string) =>
      hashOf('python', [{ type: 'panic', value, ...at({ function: 'pay', filename: 'a.py' }) }]);
    expect(said('cart is empty')).toBe(said('smtp: greylisted'));
  });
});

describe('a joined error of Go that no SDK has split', () => {
  const save = at({ function: 'Save', module: 'shop/cart' });
  it.each([
    ['*errors.joinError', 'disk 1 full\nmail refused', 'mail refused\ndisk 2 full', 'mail refused\nno cart'],
    [
      '*multierror.Error',
      '2 errors occurred:\n\t* disk 1 full\n\t* mail refused\n\n',
      '3 errors occurred:\n\t* mail refused\n\t* disk 7 full\n\t* disk 9 full\n\n',
      '2 errors occurred:\n\t* no cart\n\t* mail refused\n\n',
    ],
  ])('%s is grouped by the messages of its parts, in any order', (type, value, other, unlike) => {
    const said = (text: string) => hashOf('go', [{ type, value: text, ...save }]);
    expect(said(value)).toBe(said(other));
    expect(said(value)).not.toBe(said(unlike));
    const bare = (text: string) => hashOf('go', [{ type, value: text }]);
    expect(bare(value)).toBe(bare(other));
    expect(bare(value)).not.toBe(bare(unlike));
  });
});

describe('an error in an anonymous function', () => {
  const says = (platform: string, frame: Part, value: string) =>
    hashOf(platform, [{ type: 'E', value, ...at({ function: 'run', module: 'shop.App' }, frame) }]);

  // The number that a compiler gave to it, in two builds.
  it.each<[string, Part, Part]>([
    [
      'java',
      { module: 'shop.A', function: 'lambda$main$3' },
      { module: 'shop.A', function: 'lambda$main$0' },
    ],
    ['java', { module: 'shop.An$1', function: 'run' }, { module: 'shop.An$2', function: 'run' }],
    ['java', { module: 'shop.An$B$1', function: 'call' }, { module: 'shop.An$B$7', function: 'call' }],
    [
      'java',
      { module: 'Pay$_run_closure5', function: 'doCall' },
      { module: 'Pay$_run_closure2', function: 'doCall' },
    ],
    ['java', { module: 'shop.A$run$1', function: 'invoke' }, { module: 'shop.A$run$4', function: 'invoke' }],
    [
      'java',
      { module: 'shop.A$run$1', function: 'invokeSuspend' },
      { module: 'shop.A$run$2', function: 'invokeSuspend' },
    ],
    ['java', { module: 'shop.A', function: 'run$lambda$0' }, { module: 'shop.A', function: 'run$lambda$3' }],
    [
      'java',
      { module: 'shop.A$', function: '$anonfun$t$1' },
      { module: 'shop.A$', function: '$anonfun$t$9' },
    ],
    [
      'csharp',
      { module: 'S.A+<>c', function: '<Run>b__0_1' },
      { module: 'S.A+<>c', function: '<Run>b__3_0' },
    ],
    ['go', { module: 'shop/a', function: 'Run.func2' }, { module: 'shop/a', function: 'Run.func1' }],
    ['php', { function: 'A::{closure}' }, { function: 'A::{closure:A::b():4}' }],
    ['swift', { function: 'closure #1 in A.run()' }, { function: 'closure #2 in A.run()' }],
    ['dart', { function: 'A.run.<fn>' }, { function: 'A.run.<anonymous closure>' }],
    // GCC's, Clang's (in both manglings) and MSVC's name of one lambda.
    [
      'native',
      { function: 'A::run(int)::{lambda(int)#1}::operator()(int) const' },
      { function: 'A::run(int)::{lambda(int)#2}::operator()(int) const' },
    ],
    [
      'native',
      { function: 'A::run()::$_0::operator()(int) const' },
      { function: 'A::run()::$_3::operator()() const' },
    ],
    [
      'native',
      { function: "A::run()::'lambda'(int)::operator()(int) const" },
      { function: "A::run()::'lambda0'(int)::operator()(int) const" },
    ],
    [
      'native',
      { function: 'A::run::<lambda_1>::operator()' },
      { function: 'A::run::<lambda_7f3c21ab>::operator()' },
    ],
    ['elixir', { module: 'A', function: '-run/1-fun-0-/2' }, { module: 'A', function: '-run/1-fun-3-/2' }],
    [
      'csharp',
      { module: 'Program+<>c', function: '<<Main>$>b__0_1' },
      { module: 'Program+<>c', function: '<<Main>$>b__0_4' },
    ],
  ])('%s: %p and %p are one, grouped by the message', (platform, a, b) => {
    expect(says(platform, a, 'invoice 4 has no tax')).toBe(says(platform, b, 'invoice 5 has no tax'));
    expect(says(platform, a, 'invoice 4 has no tax')).not.toBe(says(platform, a, 'mail 4 refused'));
    // Where its line is known, that tells it.
    const inSource = { ...a, context_line: 'throw new E(text)' };
    expect(says(platform, inSource, 'invoice 4 has no tax')).toBe(says(platform, inSource, 'mail 4 refused'));
  });

  it.each<[string, Part]>([
    ['java', { module: 'shop.A', function: 'main' }],
    ['java', { module: 'shop.A$Builder', function: 'build' }],
    ['java', { module: 'shop.A$$SpringCGLIB$$0', function: 'pay' }],
    ['java', { module: 'shop.A$MockitoMock$1234', function: 'pay' }],
    ['java', { module: 'shop.A$ByteBuddy$1234', function: 'pay' }],
    ['java', { module: 'shop.A$HibernateProxy$1234', function: 'pay' }],
    ['java', { module: 'jdk.proxy2.$Proxy65', function: 'pay' }],
    ['go', { module: 'shop/a', function: '(*A).Run' }],
    ['csharp', { module: 'S.A', function: 'Run' }],
    ['csharp', { module: 'Program', function: '<Main>$' }],
    ['native', { function: 'A::operator()(int) const' }],
  ])('%s: %p has a name', (platform, frame) => {
    expect(says(platform, frame, 'invoice 4 has no tax')).toBe(says(platform, frame, 'mail 4 refused'));
  });

  it('is one where a function that it calls throws', () => {
    const thrown = (value: string) =>
      hashOf('java', [
        {
          type: 'E',
          value,
          ...at(
            { module: 'shop.A', function: 'lambda$main$3' },
            { module: 'shop.A', function: 'requireThat' },
          ),
        },
      ]);
    expect(thrown('no tax')).not.toBe(thrown('no mail'));
  });
});

describe('a Go program', () => {
  const panics = (abs_path: string, name = '(*Cart).Add') =>
    hashOf('go', [
      { type: 'runtime.plainError', value: 'nil map', ...at({ module: 'main', function: name, abs_path }) },
    ]);

  it('is package main, wherever it was built', () => {
    const hashes = [
      '/home/dev/builds/job-alpha/shop/main.go',
      '/home/dev/builds/release-1.0/main.go',
      '/src/monorepo-backend/main.go',
      'shop/main.go',
      'C:\\build\\shop\\cart.go',
      './main.go',
    ].map((path) => panics(path));
    expect(new Set(hashes).size).toBe(1);
    expect(panics('shop/main.go')).not.toBe(panics('shop/main.go', '(*Cart).Remove'));
  });

  it('differs from others of its module', () => {
    expect(panics('/src/shop/cmd/mailer/main.go')).not.toBe(panics('/src/shop/cmd/pruner/main.go'));
    expect(panics('/src/shop/cmd/mailer/main.go')).toBe(panics('github.com/acme/shop/cmd/mailer/run.go'));
  });
});
